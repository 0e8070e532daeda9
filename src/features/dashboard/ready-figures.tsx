import { atom, useAtomValue, useStore } from 'jotai'
import { useEffect } from 'react'
import type { ReadyPairAnswer } from '../../contract/market'
import { formatRatio, percentileWords } from '../../domain/format-number'
import { POLL_INTERVAL } from '../../domain/live-prices'
import { RANGE_DAYS } from '../../domain/range-scale'
import type { ReadyPair } from '../../domain/pair'
import { useServices } from '../../state/services'
import { useAnswer } from '../../state/calls'
import { usePageVisible } from '../../ui/browser-state'
import styles from './ready-pairs.module.css'

type Known =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'unreached' }
  /** `at`: milliseconds; when the answer came. */
  | { readonly kind: 'known'; readonly pairs: readonly ReadyPairAnswer[]; readonly at: number }

const WAITING: Known = { kind: 'waiting' }
const readyAtom = atom<Known>(WAITING)

/**
 * Asks for the figures as long as the pairs are on a screen that is seen, and lets them go with that screen: figures of
 * long ago are never shown as the present ones. Draws nothing.
 */
export function ReadyFeed() {
  const { now } = useServices().commands
  const [asked, again] = useAnswer('readyPairs', {})
  const store = useStore()
  const visible = usePageVisible()
  useEffect(() => () => store.set(readyAtom, WAITING), [store])
  useEffect(() => {
    if (asked.kind === 'waiting' || asked.pending) return
    // Ratios that could not be asked for again are no longer the present ones.
    const reached = asked.kind === 'failed' ? asked.failure.status !== 0 : asked.failure === null
    const [pairs, at] = asked.kind === 'known' ? [asked.value, asked.at] : [[], now()]
    store.set(readyAtom, reached ? { kind: 'known', pairs, at } : { kind: 'unreached' })
  }, [asked, now, store])
  // Behind the effect above, which would show the old answer again.
  useEffect(() => {
    if (!visible) return
    const shown = store.get(readyAtom)
    if (shown.kind === 'known' && now() - shown.at >= POLL_INTERVAL) {
      store.set(readyAtom, WAITING)
      again()
    }
    const timer = setInterval(again, POLL_INTERVAL)
    return () => clearInterval(timer)
  }, [visible, again, now, store])
  return null
}

/** A pair's present ratio and its place within 90 days, each where it is known. */
export function ReadyFigures({ pair: { coinA, coinB } }: { readonly pair: ReadyPair }) {
  const known = useAtomValue(readyAtom)
  if (known.kind === 'waiting') return null
  if (known.kind === 'unreached') return <p className={styles.note}>The ratio shows once the server can be reached.</p>
  const figures = known.pairs.find((one) => one.coin_a_id === coinA.id && one.coin_b_id === coinB.id)
  if (figures === undefined || figures.ratio === null) {
    return <p className={styles.note}>No price is known at the moment.</p>
  }
  const { ratio, place } = figures
  return (
    <>
      <p className={styles.now}>
        <span className={styles.ratio}>{formatRatio(ratio)}</span>
        {place !== null && (
          <span className={styles.rank}>
            {percentileWords(place.below / place.days)} of {place.days} days
          </span>
        )}
      </p>
      {place === null ? (
        <p className={styles.note}>Its last {RANGE_DAYS} days are not known yet.</p>
      ) : (
        <RangeOfDays ratio={ratio} place={place} />
      )}
    </>
  )
}

interface RangeOfDaysProps {
  readonly ratio: number
  readonly place: NonNullable<ReadyPairAnswer['place']>
}

/** Low, median and high of 90 days on one line, and the present ratio on it. */
function RangeOfDays({ ratio, place: { low, median, high } }: RangeOfDaysProps) {
  const at = (value: number) => `${high > low ? Math.round((100 * (value - low)) / (high - low)) : 50}%`
  const words = `${RANGE_DAYS} days: low ${formatRatio(low)}, median ${formatRatio(median)}, high ${formatRatio(high)}`
  return (
    <>
      <div role="img" aria-label={words} className={styles.bar}>
        <i className={styles.median} style={{ left: at(median) }} />
        <i className={styles.dot} style={{ left: at(ratio) }} />
      </div>
      <p className={styles.ends} aria-hidden="true">
        <span>{formatRatio(low)}</span>
        <span>{RANGE_DAYS} days</span>
        <span>{formatRatio(high)}</span>
      </p>
    </>
  )
}
