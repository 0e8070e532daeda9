import { useAtomValue } from 'jotai'
import { formatPercent } from '../../domain/format-percent'
import { formatRatio } from '../../domain/format-ratio'
import { PERIOD_RULES, type Period } from '../../domain/period'
import { ratioOf } from '../../domain/ratio'
import type { WidgetView } from '../../db/view'
import { pricesAtom } from '../../state/live-data'
import type { ChartReady } from '../../../workers/api'
import styles from './chart-figures.module.css'
import { lastRatio, periodChange } from './figures'
import { formatDay } from './moments'
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

/** Where the pair stands: the ratio now, and its way over the period. */
export function ChartFigures({ shown, chart, period, widget }: ChartFiguresProps) {
  const prices = useAtomValue(pricesAtom)?.prices
  const live = ratioOf(prices?.[widget.coinA.id]?.usd, prices?.[widget.coinB.id]?.usd)
  const ratio = shown === null ? live : lastRatio(shown)
  return (
    <p className={styles['figures']}>
      <data className={`${styles['ratio']} tabular`} value={ratio ?? ''}>
        {formatRatio(ratio)}
      </data>
      {chart !== null && <Change chart={chart} period={period} />}
    </p>
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
        {since === null ? `in ${PERIOD_RULES[period].label}` : `since ${formatDay(since)}`}
      </span>
    </span>
  )
}
