import { atom, useAtomValue } from 'jotai'
import { formatAge } from '../../domain/format-time'
import { historyUpdatedAtom, nowAtom, PRICES_STALE_AFTER, pricesAtom } from '../../state/live-data'
import styles from './status-header.module.css'

type Freshness = { readonly live: boolean; readonly text: string }

/** Derived, so that the line renders when its words change and not at every look at the clock. */
const pricesTextAtom = atom((get): Freshness => {
  const seen = Object.values(get(pricesAtom)?.prices ?? {}).map((price) => price.seen_until)
  if (seen.length === 0) return { live: false, text: 'Waiting for live prices' }
  const age = get(nowAtom) - Math.max(...seen)
  return age > PRICES_STALE_AFTER ? { live: false, text: `Prices from ${formatAge(age)}` } : LIVE
})
const LIVE: Freshness = { live: true, text: 'Live prices active' }

const historyTextAtom = atom((get) => {
  const at = get(historyUpdatedAtom)
  return at === undefined || at === null ? 'none yet' : formatAge(get(nowAtom) - at)
})

/** How fresh everything below is. */
export function StatusHeader() {
  const prices = useAtomValue(pricesTextAtom)
  const history = useAtomValue(historyTextAtom)
  return (
    <p className={styles.header}>
      <span className={styles.prices} data-live={prices.live}>
        {prices.text}
      </span>
      <span>Historical cache last update: {history}</span>
    </p>
  )
}
