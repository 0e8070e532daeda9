import { atom, useAtomValue, useSetAtom } from 'jotai'
import { useMemo, type PointerEvent } from 'react'
import type { ChartReady } from '../../../workers/api'
import type { PairView } from '../../db/view'
import { formatPercent, formatRatio } from '../../domain/format-number'
import { formatAge, formatEstimatedPeriod } from '../../domain/format-time'
import { type LivePrices, livePricesOf } from '../../domain/live-prices'
import { ratioOf } from '../../domain/pair'
import { PERIOD_RULES, type Period } from '../../domain/chart-periods'
import { nowAtom, PRICES_STALE_AFTER, pricesAtom } from '../../state/live-data'
import { showToastAtom } from '../../state/toasts'
import { classNames } from '../../ui/class-names'
import { directionOf } from '../../ui/direction'
import { Tooltip } from '../../ui/tooltip'
import text from '../../ui/text.module.css'
import styles from './chart-figures.module.css'
import { type ChartState, type Fetch, shownChart } from './chart-machine'
import { formatMonthDay } from './plot/chart-time'
import { lastIndex } from './plot/model'

/** Null: the chart has no ratio. */
export const lastRatio = (chart: ChartReady): number | null => chart.ratio[lastIndex(chart.ratio)] ?? null

/** Fraction from the chart's first ratio to `last`; null: not known. */
export function periodChange(chart: ChartReady, last: number | null): number | null {
  const first = chart.ratio.find(Number.isFinite)
  return first === undefined || first === 0 || last === null ? null : last / first - 1
}

/** The newer of the chart's last ratio and the live ratio, which the chart follows a second later. */
export function currentRatio(chart: ChartReady | null, live: LivePrices | null): number | null {
  const drawnUntil = chart?.times.at(-1) ?? -Infinity
  const ratio = live === null || live.providerTime <= drawnUntil ? null : ratioOf(live.priceA, live.priceB)
  return ratio ?? (chart && lastRatio(chart))
}

/**
 * The sentence about the data's age; null while it is fresh.
 * @param now milliseconds
 */
export function staleness(chart: ChartReady, fetch: Fetch, now: number): string | null {
  const newest = chart.times[chart.times.length - 1]
  if (newest === undefined) return null
  if (now - newest > PRICES_STALE_AFTER) return `Data from ${formatAge(now - newest)}`
  const failed = fetch.kind === 'ended' && fetch.failure !== null
  return failed && now - chart.fetchedAt > PRICES_STALE_AFTER
    ? `History from ${formatAge(now - chart.fetchedAt)}`
    : null
}

/** Share of its period by which a chart may begin late; beyond it, the chart says since when it has prices. */
const SHORT_SHARE = 0.03

/** Milliseconds of the first point where the data does not reach back to the period's start; else null. */
export function shortSince({ times, from }: ChartReady): number | null {
  const [first] = times
  const last = times[times.length - 1]
  if (first === undefined || last === undefined) return null
  return first - from > (last - from) * SHORT_SHARE ? first : null
}

interface ChartFiguresProps {
  readonly state: ChartState
  readonly period: Period
  readonly pair: PairView
}

const ARROWS = { up: '▲', down: '▼', flat: '◆' } as const

/** The pair's current ratio, its change over the period, and the age of both. */
export function ChartFigures({ state, period, pair }: ChartFiguresProps) {
  const { coinA, coinB } = pair
  const chart = shownChart(state)?.chart ?? null
  const current = useMemo(
    () => atom((get) => currentRatio(chart, livePricesOf(get(pricesAtom), coinA.id, coinB.id))),
    [chart, coinA.id, coinB.id],
  )
  const ratio = useAtomValue(current)
  return (
    <p className={styles.figures}>
      <data className={classNames(styles.ratio, text.tabular)} value={ratio ?? ''}>
        {formatRatio(ratio)}
      </data>
      {state.kind === 'ready' && <Change chart={state.chart} ratio={ratio} period={period} />}
      <DataAge state={state} />
    </p>
  )
}

interface ChangeProps extends Pick<ChartFiguresProps, 'period'> {
  readonly chart: ChartReady
  readonly ratio: number | null
}

function Change({ chart, ratio, period }: ChangeProps) {
  const change = periodChange(chart, ratio)
  if (change === null) return null
  const direction = directionOf(change)
  const since = shortSince(chart)
  return (
    <span className={classNames(styles.change, text.tabular)} data-direction={direction}>
      <span aria-hidden="true">{ARROWS[direction]}</span> {formatPercent(change)}{' '}
      <span className={styles.span}>
        {since === null ? `in ${PERIOD_RULES[period].label}` : `since ${formatMonthDay(since)}`}
      </span>
    </span>
  )
}

/** The data's age, once the data is late, beside the figure that it makes doubtful. */
function DataAge({ state }: { readonly state: ChartState }) {
  const now = useAtomValue(nowAtom)
  const age = state.kind === 'ready' ? staleness(state.chart, state.fetch, now) : null
  return age !== null && <span className={styles.age}>{age}</span>
}

const EXPLANATION = 'Estimated dominant oscillation period based on peak/trough analysis'

/** A button, so that the keyboard reaches the explanation; a finger opens no tooltip, so a toast explains. */
export function EstimatedPeriod({ chart }: { readonly chart: ChartReady | null }) {
  const showToast = useSetAtom(showToastAtom)
  const explain = ({ pointerType }: PointerEvent) => {
    if (pointerType !== 'mouse') showToast({ kind: 'info', message: EXPLANATION })
  }
  const period = chart?.estimatedPeriod ?? null
  return (
    <span className={styles.aside}>
      <Tooltip text={EXPLANATION} side="below" align="end">
        {(describedBy) => (
          <button type="button" className={styles.estimate} aria-describedby={describedBy} onPointerUp={explain}>
            Est. Period: <span className={text.tabular}>{formatEstimatedPeriod(period)}</span>
          </button>
        )}
      </Tooltip>
      {chart !== null && (
        <span className={styles.plain}>{period === null ? 'no clear swing' : 'one swing up and down'}</span>
      )}
    </span>
  )
}
