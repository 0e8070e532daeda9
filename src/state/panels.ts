import { atom } from 'jotai'
import type { WidgetId } from '../domain/ids'

/** Whether the dialog "Create New Pair" is open; navigation and dashboard both open it. */
export const addPairOpenAtom = atom(false)

/** The widget whose checkpoints are being managed; null: nobody's. */
export const checkpointsOpenAtom = atom<WidgetId | null>(null)

/** The auth dialog's views. `notice` says why somebody is asked to log in, `problem` what has kept them out. */
export type AuthView =
  | { readonly view: 'login'; readonly notice?: string; readonly problem?: string }
  | { readonly view: 'register' }
  | { readonly view: 'forgotPassword' }
  /** `token` is from the link of the mail. */
  | { readonly view: 'resetPassword'; readonly token: string }

/** Who waits for the user to confirm who they are; null: nobody. */
export const confirmOpenAtom = atom<{ readonly onAnswer: (confirmed: boolean) => void } | null>(null)

/** What the auth dialog shows; null: it is closed. */
export const authOpenAtom = atom<AuthView | null>(null)

/** Whether a person whose tier allows no more is told about Premium. */
export const upgradeOpenAtom = atom(false)

/** Whether the dialog "Submit Feedback" is open. */
export const feedbackOpenAtom = atom(false)

/** The policy whose text is being read; null: none. */
export const policyOpenAtom = atom<'terms' | 'privacy' | null>(null)

/** Whether somebody has asked to be logged out. */
export const logOutOpenAtom = atom(false)

/** Whether somebody is told that notifications need the app on the home screen (iPhone, iPad). */
export const homeScreenOpenAtom = atom(false)
