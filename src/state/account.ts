import { atom } from 'jotai'
import type { AccountView } from '../db/account'
import { checkRoomForPair } from '../domain/pair'
import { boardAtom } from './live-data'
import { closeOwnersOverlaysAtom, openOverlayAtom } from './overlays'
import { localNoticesAtom, showToastAtom } from './toasts'

/** The current user; undefined while the session is loading. Written only by its feed in src/app. */
export const accountAtom = atom<AccountView | undefined>(undefined)

/** Takes the former user's board, dialogs and toasts off the screen before the next user's board is read. */
export const forgetOwnerAtom = atom(null, (get, set, { owner, account }: AccountView) => {
  if (get(boardAtom)?.owner !== owner) set(boardAtom, undefined)
  set(closeOwnersOverlaysAtom, account === 'guest')
  // A user who signs in again has come back: toasts about leaving, such as of a deletion that this has cancelled, go.
  set(localNoticesAtom, (toasts) => toasts.filter((toast) => account === 'guest' && toast.ofLeaving))
})

/** Opens "Create New Pair"; at the tier's limit says so instead, and offers the upgrade. */
export const askToAddPairAtom = atom(null, (get, set) => {
  const board = get(boardAtom)
  const refusal = board === undefined ? null : checkRoomForPair(board.widgets.length, board.limits)
  if (refusal === null) set(openOverlayAtom, { kind: 'add-pair' })
  else set(showLimitAtom, refusal)
})

/** Says that somebody's tier allows no more, and leads whoever is not on the highest one to it. */
export const showLimitAtom = atom(null, (get, set, message: string) => {
  const action = { label: 'Upgrade', run: () => set(openOverlayAtom, { kind: 'upgrade' }) }
  const isHighest = get(accountAtom)?.account === 'premium'
  set(showToastAtom, { kind: 'info', message, ...(!isHighest && { action }) })
})
