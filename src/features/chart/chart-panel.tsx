import { useLiveQuery } from 'dexie-react-hooks'
import { useRef, useState } from 'react'
import { readMeta } from '../../db/queries/meta'
import type { WidgetView } from '../../db/view'
import { PERIOD_RULES, type Period } from '../../domain/period'
import { useServices } from '../../state/services'
import { ChartFigures } from './chart-figures'
import { ChartFrame } from './chart-frame'
import { ChartLegend } from './chart-legend'
import { shownChart } from './chart-machine'
import { ChartMessage } from './chart-message'
import styles from './chart-panel.module.css'
import { ChartToolbar } from './chart-toolbar'
import { DataNote } from './data-note'
import { EstimatedPeriod } from './estimated-period'
import type { Toggles } from './lines'
import type { PlotHandle } from './plot/create-plot'
import { Plot } from './plot/plot'
import { useChart } from './use-chart'

interface ChartPanelProps {
  readonly widget: WidgetView
  readonly period: Period
  readonly onPeriod: (period: Period) => void
  readonly onClose: () => void
}

/** One pair's chart with everything around it. */
export function ChartPanel({ widget, period, onPeriod, onClose }: ChartPanelProps) {
  const { coinA, coinB } = widget
  const { db } = useServices().commands
  const { state, refetch } = useChart({ coinA: coinA.id, coinB: coinB.id }, period)
  const [toggles, setToggles] = useState<Toggles>({ average: false, bands: false })
  const [zoomed, setZoomed] = useState(false)
  const plot = useRef<Pick<PlotHandle, 'reset'>>(null)
  const config = useLiveQuery(() => readMeta(db, 'config'), [db])?.config

  const pair = `${coinA.symbol}/${coinB.symbol}`
  const shown = shownChart(state)
  const chart = state.kind === 'ready' ? state.chart : null

  return (
    <ChartFrame heading={`${pair} Historical Ratio`} aside={<EstimatedPeriod chart={chart} />} onClose={onClose}>
      <ChartFigures shown={shown?.chart ?? null} chart={chart} period={period} widget={widget} />
      <ChartToolbar
        period={period}
        onPeriod={onPeriod}
        toggles={toggles}
        onToggles={setToggles}
        togglesDisabled={state.kind !== 'ready'}
      />
      <div className={styles['card']} aria-busy={state.kind === 'loading'}>
        <div className={styles['caption']}>
          <h2 className={styles['title']}>
            {coinA.name}/{coinB.name} Price Ratio
          </h2>
          <ChartLegend toggles={toggles} averageDays={PERIOD_RULES[shown?.period ?? period].averageDays} />
        </div>
        <div className={styles['area']}>
          {shown !== null && (
            <Plot
              period={shown.period}
              chart={shown.chart}
              toggles={toggles}
              label={`${pair} ratio by time`}
              dimmed={state.kind === 'loading'}
              onZoomed={setZoomed}
              ref={plot}
            />
          )}
          {state.kind !== 'ready' && <ChartMessage state={state} onRetry={refetch} />}
          {chart !== null && zoomed && (
            <button type="button" className={styles['reset']} onClick={() => plot.current?.reset()}>
              Reset zoom
            </button>
          )}
        </div>
      </div>
      <DataNote state={state} config={config} />
    </ChartFrame>
  )
}
