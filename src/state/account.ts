import { atom } from 'jotai'
import type { AccountView } from '../db/account'
import { checkRoomForPair } from '../domain/new-pair'
import { boardAtom } from './live-data'
import { closeOwnersDialogsAtom, openDialogAtom } from './open-dialogs'
import { localNoticesAtom, showToastAtom } from './toasts'

/** The current user; undefined while the session is loading. Written by its feed in src/app alone. */
export const accountAtom = atom<AccountView | undefined>(undefined)

/** Takes the former user's board, dialogs and toasts off the screen before the next user's board is read. */
export const forgetOwnerAtom = atom(null, (get, set, { owner, account }: AccountView) => {
  if (get(boardAtom)?.owner !== owner) set(boardAtom, undefined)
  set(closeOwnersDialogsAtom, account === 'guest')
  // A sign-in ends toasts about leaving, such as of a deletion that the sign-in has cancelled.
  set(localNoticesAtom, (toasts) => toasts.filter((toast) => account === 'guest' && toast.ofLeaving))
})

/** Opens "Create New Pair", or at the tier's limit the toast that offers the upgrade. */
export const askToAddPairAtom = atom(null, (get, set) => {
  const board = get(boardAtom)
  const refusal = board === undefined ? null : checkRoomForPair(board.widgets.length, board.limits)
  if (refusal === null) set(openDialogAtom, { kind: 'add-pair' })
  else set(showLimitAtom, refusal)
})

/** Tells the user that the tier allows no more, and offers the upgrade to all but Premium users. */
export const showLimitAtom = atom(null, (get, set, message: string) => {
  const action = { label: 'Upgrade', run: () => set(openDialogAtom, { kind: 'upgrade' }) }
  const isHighest = get(accountAtom)?.account === 'premium'
  set(showToastAtom, { kind: 'info', message, ...(!isHighest && { action }) })
})
