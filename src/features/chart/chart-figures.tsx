import { formatPercent } from '../../domain/format-percent'
import { formatRatio } from '../../domain/format-ratio'
import { PERIOD_RULES, type Period } from '../../domain/period'
import type { WidgetView } from '../../db/view'
import { usePairRatio } from '../../state/pair-ratio'
import type { ChartReady } from '../../../workers/api'
import styles from './chart-figures.module.css'
import { shownChart, type ChartState } from './chart-machine'
import { DataAge } from './data-age'
import { lastRatio, periodChange } from './figures'
import { formatDay } from './moments'
import { shortSince } from './staleness'

interface ChartFiguresProps {
  readonly state: ChartState
  readonly period: Period
  readonly widget: WidgetView
}

const ARROWS = { up: '▲', down: '▼', flat: '◆' } as const

/** Where the pair stands: the ratio now, its way over the period, and how old that is. */
export function ChartFigures({ state, period, widget }: ChartFiguresProps) {
  const live = usePairRatio(widget.coinA.id, widget.coinB.id)
  // Whatever the period, it is live.
  const shown = shownChart(state)
  const ratio = shown === null ? live : lastRatio(shown.chart)
  return (
    <p className={styles['figures']}>
      <data className={`${styles['ratio']} tabular`} value={ratio ?? ''}>
        {formatRatio(ratio)}
      </data>
      {state.kind === 'ready' && <Change chart={state.chart} period={period} />}
      <DataAge state={state} />
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
