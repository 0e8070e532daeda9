import { atom, useAtomValue } from 'jotai'
import { formatAge } from '../../domain/format-time'
import { historyUpdatedAtom, nowAtom, POLLS_MISSED_AFTER, PRICES_STALE_AFTER, pricesAtom } from '../../state/live-data'
import { useOnline } from '../../ui/browser-state'
import styles from './status-header.module.css'

/** Milliseconds since the newest price was seen; null: there is none. */
const pricesAgeAtom = atom((get) => {
  const seen = Object.values(get(pricesAtom)?.prices ?? {}).map((price) => price.provider_time)
  return seen.length === 0 ? null : get(nowAtom) - Math.max(...seen)
})

// Derived further, so that the line renders when its words change and not at every look at the clock.
const pricesLiveAtom = atom((get) => {
  const age = get(pricesAgeAtom)
  const polled = get(pricesAtom)?.polled_at ?? -Infinity
  return age !== null && age <= PRICES_STALE_AFTER && get(nowAtom) - polled <= POLLS_MISSED_AFTER
})
const pricesTextAtom = atom((get) => {
  const age = get(pricesAgeAtom)
  return age === null ? 'Waiting for live prices' : `Prices from ${formatAge(age)}`
})

const historyTextAtom = atom((get) => {
  const at = get(historyUpdatedAtom)
  return at === undefined || at === null ? 'none yet' : formatAge(get(nowAtom) - at)
})

/** How fresh everything below is. */
export function StatusHeader() {
  const fresh = useAtomValue(pricesLiveAtom)
  const age = useAtomValue(pricesTextAtom)
  // However fresh they are, without a network nothing keeps them so.
  const live = useOnline() && fresh
  const history = useAtomValue(historyTextAtom)
  return (
    <p className={styles.header}>
      <span className={styles.prices} data-live={live}>
        {live ? 'Live prices active' : age}
      </span>
      <span>
        Historical cache last update: {history} <span>(for charts)</span>
      </span>
    </p>
  )
}
