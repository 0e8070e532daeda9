import { atom } from 'jotai'
import { checkRoomForPair } from '../domain/pair'
import { showLimitAtom } from './limit-toast'
import { boardAtom } from './live-data'
import { addPairOpenAtom } from './panels'

/** Opens "Create New Pair"; at the tier's limit says so instead, and offers the upgrade. */
export const askToAddPairAtom = atom(null, (get, set) => {
  const board = get(boardAtom)
  const refusal = board === undefined ? null : checkRoomForPair(board.widgets.length, board.limits)
  if (refusal === null) set(addPairOpenAtom, true)
  else set(showLimitAtom, refusal)
})
