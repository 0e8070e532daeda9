import { atom } from 'jotai'
import type { AccountView } from '../db/queries/account'
import { boardAtom } from './live-data'
import { localToastsAtom } from './toasts'
import {
  addPairOpenAtom,
  authOpenAtom,
  checkpointsOpenAtom,
  feedbackOpenAtom,
  logOutOpenAtom,
  upgradeOpenAtom,
} from './panels'

/**
 * Closes what somebody had open who does not use the app any more, and takes their board and what was said to them off
 * the screen before the next one's is read. A guest who has been asked to log in goes on being asked.
 */
export const forgetOwnerAtom = atom(null, (get, set, { owner, account }: AccountView) => {
  if (get(boardAtom)?.owner !== owner) set(boardAtom, undefined)
  for (const open of [addPairOpenAtom, feedbackOpenAtom, logOutOpenAtom, upgradeOpenAtom]) set(open, false)
  set(checkpointsOpenAtom, null)
  // A user who signs in again has come back: toasts about leaving, such as of a deletion that this has cancelled, go.
  set(localToastsAtom, (toasts) => toasts.filter((toast) => account === 'guest' && toast.ofLeaving))
  // The link of a mail is shown once, whoever signs in meanwhile.
  if (account !== 'guest') set(authOpenAtom, (open) => (open?.view === 'resetPassword' ? open : null))
})
