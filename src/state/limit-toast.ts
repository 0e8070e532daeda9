import { atom } from 'jotai'
import { accountAtom } from './account'
import { upgradeOpenAtom } from './panels'
import { showToastAtom } from './toasts'

/** Says that somebody's tier allows no more, and leads whoever is not on the highest one to it. */
export const showLimitAtom = atom(null, (get, set, message: string) => {
  const action = { label: 'Upgrade', run: () => set(upgradeOpenAtom, true) }
  const isHighest = get(accountAtom)?.account === 'premium'
  set(showToastAtom, { type: 'info', message, ...(!isHighest && { action }) })
})
