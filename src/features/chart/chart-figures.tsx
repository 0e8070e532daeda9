import { format } from 'date-fns'
import { useAtomValue } from 'jotai'
import { formatSignificant } from '../../domain/format-number'
import { formatPercent } from '../../domain/format-percent'
import { formatRatio } from '../../domain/format-ratio'
import { PERIOD_RULES, type Period } from '../../domain/period'
import { ratioOf } from '../../domain/ratio'
import type { WidgetView } from '../../db/view'
import { pricesAtom } from '../../state/live-data'
import type { ChartReady } from '../../../workers/api'
import styles from './chart-figures.module.css'
import { lastRatio, periodChange } from './figures'
import { shortSince } from './staleness'

interface ChartFiguresProps {
  /** The chart on the screen; its ratio is live whatever the period. */
  readonly shown: ChartReady | null
  /** The chart of the chosen period, once it is there. */
  readonly chart: ChartReady | null
  readonly period: Period
  readonly widget: WidgetView
}

const ARROWS = { up: '▲', down: '▼', flat: '◆' } as const

/** Where the pair stands: the ratio now, its way over the period, the bands, and the alerts that are set. */
export function ChartFigures({ shown, chart, period, widget }: ChartFiguresProps) {
  const prices = useAtomValue(pricesAtom)?.prices
  const live = ratioOf(prices?.[widget.coinA.id]?.usd, prices?.[widget.coinB.id]?.usd)
  const ratio = shown === null ? live : lastRatio(shown)
  const bands = chart?.currentBands ?? null
  const { highThreshold, lowThreshold } = widget
  return (
    <div className={styles['figures']}>
      <p className={styles['now']}>
        <data className={`${styles['ratio']} tabular`} value={ratio ?? ''}>
          {formatRatio(ratio)}
        </data>
        {chart !== null && <Change chart={chart} period={period} />}
      </p>
      <p className={styles['preview']}>
        Current Bands: <Pair high={bands?.high ?? null} low={bands?.low ?? null} />
      </p>
      {(highThreshold !== null || lowThreshold !== null) && (
        <p className={styles['preview']}>
          Widget Alerts: <Pair high={highThreshold} low={lowThreshold} />
        </p>
      )}
    </div>
  )
}

function Change({ chart, period }: { readonly chart: ChartReady; readonly period: Period }) {
  const change = periodChange(chart)
  if (change === null) return null
  const direction = change === 0 ? 'flat' : change > 0 ? 'up' : 'down'
  const since = shortSince(chart)
  return (
    <span className={`${styles['change']} tabular`} data-direction={direction}>
      <span aria-hidden="true">{ARROWS[direction]}</span> {formatPercent(change)}{' '}
      <span className={styles['span']}>
        {since === null ? `in ${PERIOD_RULES[period].label}` : `since ${format(since, 'MMM d')}`}
      </span>
    </span>
  )
}

function Pair({ high, low }: { readonly high: number | null; readonly low: number | null }) {
  return (
    <span className="tabular">
      {formatSignificant(high)} / {formatSignificant(low)}
    </span>
  )
}
