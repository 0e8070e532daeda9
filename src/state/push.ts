import { atom } from 'jotai'

export type PushState =
  /** The browser cannot. */
  | 'unsupported'
  /** It can, once the app stands on the home screen (iPhone, iPad). */
  | 'needs-home-screen'
  /** The user has forbidden it in the browser's settings. */
  | 'blocked'
  /** The user was never asked, or has switched it off here. */
  | 'off'
  | 'on'

/** Undefined while it is not known. */
export const pushStateAtom = atom<PushState | undefined>(undefined)
/** True if the user wants none on this device, whatever the browser permits; undefined while it is not known. */
export const pushDeclinedAtom = atom<boolean | undefined>(undefined)
/** This device could show notifications, shows none, and the user has not said that it should not. */
export const canNotifyAtom = atom((get) => {
  const state = get(pushStateAtom)
  return (state === 'off' || state === 'needs-home-screen') && get(pushDeclinedAtom) === false
})

export type PushResult =
  | { readonly ok: true }
  /** The specification's sentence; null: the user has seen the obstacle explained already. */
  | { readonly ok: false; readonly message: string | null }

/** Switches this device's notifications on and off. Neither rejects. */
export interface PushClient {
  /** To be called first in the handler of a click: the browser may have to ask for permission. */
  enable(): Promise<PushResult>
  disable(): Promise<PushResult>
}

/** The specification's sentences. */
export const PUSH_UNSUPPORTED = 'Push notifications are not supported by this browser.'
export const PUSH_BLOCKED = 'Push notifications are blocked. Please enable them in browser settings.'

/** The state of push on this device, in a word or two. */
export const PUSH_WORDS: Readonly<Record<PushState, string>> = {
  unsupported: 'Not supported by this browser',
  'needs-home-screen': 'Off: needs the home screen',
  blocked: 'Blocked by the browser',
  off: 'Off',
  on: 'On',
}

/** Explains alerts on a device without notifications, the same on every screen. */
export const HIDDEN_WINDOWS =
  'Without notifications, crossings are announced only in the open app. Browsers slow a hidden window down or freeze it: there you may hear of a crossing late, or when you come back.'
