import { formatSignificant } from '../../domain/format-number'
import { formatPercent } from '../../domain/format-percent'
import { formatRatio } from '../../domain/format-ratio'
import { PERIOD_RULES, type Period } from '../../domain/period'
import type { WidgetView } from '../../db/view'
import type { ChartReady } from '../../../workers/api'
import styles from './chart-figures.module.css'
import { lastIndex } from './plot/columns'

interface ChartFiguresProps {
  /** The chart on the screen; its ratio is live whatever the period. */
  readonly shown: ChartReady | null
  /** The chart of the chosen period, once it is there. */
  readonly chart: ChartReady | null
  readonly period: Period
  readonly widget: WidgetView
}

const ARROWS = { up: '▲', down: '▼', flat: '◆' } as const

const lastRatio = (chart: ChartReady | null): number | null =>
  chart === null ? null : (chart.ratio[lastIndex(chart.ratio)] ?? null)

/** Fraction from the period's first ratio to its last; null: not known. */
function change(chart: ChartReady | null): number | null {
  const first = chart?.ratio.find(Number.isFinite)
  const last = lastRatio(chart)
  return first === undefined || last === null ? null : last / first - 1
}

/** Where the pair stands: the ratio now, its way over the period, the bands, and the alerts that are set. */
export function ChartFigures({ shown, chart, period, widget }: ChartFiguresProps) {
  const moved = change(chart)
  const direction = moved === null || moved === 0 ? 'flat' : moved > 0 ? 'up' : 'down'
  const bands = chart?.currentBands ?? null
  const { highThreshold, lowThreshold } = widget
  return (
    <div className={styles['figures']}>
      <p className={styles['now']}>
        <data className={`${styles['ratio']} tabular`} value={lastRatio(shown) ?? ''}>
          {formatRatio(lastRatio(shown))}
        </data>
        <span className={`${styles['change']} tabular`} data-direction={direction}>
          <span aria-hidden="true">{ARROWS[direction]}</span> {formatPercent(moved)}{' '}
          <span className={styles['span']}>in {PERIOD_RULES[period].label}</span>
        </span>
      </p>
      <p className={styles['preview']}>
        Current Bands:{' '}
        <span className="tabular">
          {formatSignificant(bands?.high ?? null)} / {formatSignificant(bands?.low ?? null)}
        </span>
      </p>
      {(highThreshold !== null || lowThreshold !== null) && (
        <p className={styles['preview']}>
          Widget Alerts:{' '}
          <span className="tabular">
            {formatSignificant(highThreshold)} / {formatSignificant(lowThreshold)}
          </span>
        </p>
      )}
    </div>
  )
}
