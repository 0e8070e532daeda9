import { atom } from 'jotai'

/** Whether this device can be reached by push. */
export type PushState =
  /** The browser cannot. */
  | 'unsupported'
  /** It can, once the app stands on the home screen (iPhone, iPad). */
  | 'needs-home-screen'
  /** The user has forbidden it in the browser's settings. */
  | 'blocked'
  /** Nobody has asked yet, or it was switched off here. */
  | 'off'
  | 'on'

/** Undefined while it is not known. */
export const pushStateAtom = atom<PushState | undefined>(undefined)

export type PushResult =
  | { readonly ok: true }
  /** The specification's sentence; null where what stands in the way was explained otherwise. */
  | { readonly ok: false; readonly message: string | null }

/** Switches this device's notifications on and off. Neither rejects. */
export interface PushClient {
  /** To be called first of all in the handler of a click: it may have to ask for permission. */
  enable(): Promise<PushResult>
  disable(): Promise<PushResult>
}
