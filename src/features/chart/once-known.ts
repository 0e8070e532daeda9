import type { Atom } from 'jotai'
import type { Store } from '../../state/services'

/** Milliseconds within which the first prices of a pair that was only just added are here, or will not come soon. */
const FIRST_PRICES_WITHIN = 10_000

/** Calls `then` once the atom has a value: at once if it has one, and without one when the time is over. */
export function onceKnown<T>(store: Store, source: Atom<T | null>, then: () => void): void {
  if (store.get(source) !== null) return then()
  const end = () => {
    clearTimeout(timer)
    unsubscribe()
    then()
  }
  const unsubscribe = store.sub(source, () => {
    if (store.get(source) !== null) end()
  })
  const timer = setTimeout(end, FIRST_PRICES_WITHIN)
}
