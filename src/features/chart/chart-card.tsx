import { useRef } from 'react'
import type { WidgetView } from '../../db/view'
import { pairLabel } from '../../domain/pair'
import { PERIOD_RULES, type Period } from '../../domain/period'
import styles from './chart-card.module.css'
import { ChartLegend } from './chart-legend'
import { shownChart } from './chart-machine'
import { ChartMessage } from './chart-message'
import type { Toggles } from './lines'
import type { PlotHandle } from './plot/create-plot'
import { Plot } from './plot/plot'
import type { Reference } from './references'
import type { ChartRun } from './use-chart'
import type { Zoom } from './use-zoom'

interface ChartCardProps extends Pick<Zoom, 'zoomed' | 'onView'> {
  readonly widget: WidgetView
  readonly period: Period
  readonly run: ChartRun
  readonly toggles: Toggles
  readonly references: readonly Reference[]
  /** The element that says how the plot is used. */
  readonly hintId: string
}

/** Title, legend and the drawing itself, or what stands in its place. */
export function ChartCard({ widget, period, run, toggles, references, zoomed, onView, hintId }: ChartCardProps) {
  const { coinA, coinB } = widget
  const { state, refetch } = run
  const plot = useRef<Pick<PlotHandle, 'reset'>>(null)
  const shown = shownChart(state)
  return (
    <div className={styles['card']} aria-busy={state.kind === 'loading'}>
      <div className={styles['caption']}>
        <h2 className={styles['title']}>
          {coinA.name}/{coinB.name} Price Ratio
        </h2>
        <ChartLegend
          toggles={toggles}
          averageDays={PERIOD_RULES[shown?.period ?? period].averageDays}
          references={references}
        />
      </div>
      <div className={styles['area']}>
        {shown !== null && (
          <Plot
            period={shown.period}
            chart={shown.chart}
            toggles={toggles}
            references={references}
            label={`${pairLabel(coinA.symbol, coinB.symbol)} ratio by time`}
            describedBy={hintId}
            dimmed={state.kind === 'loading'}
            onView={onView}
            ref={plot}
          />
        )}
        {state.kind !== 'ready' && <ChartMessage state={state} onRetry={refetch} />}
        {state.kind === 'ready' && zoomed && (
          <button type="button" className={styles['reset']} onClick={() => plot.current?.reset()}>
            Reset zoom
          </button>
        )}
      </div>
    </div>
  )
}
