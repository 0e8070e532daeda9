import { useId, useMemo, useState } from 'react'
import type { WidgetView } from '../../db/view'
import { pairLabel } from '../../domain/pair'
import { PERIOD_RULES, type Period } from '../../domain/period'
import { useChartChoices } from '../../state/chart-choices'
import { useConfig } from '../../state/use-config'
import { lazyPart } from '../../ui/lazy-part'
import { AlertPreview } from './alert-preview'
import { ChartCard } from './chart-card'
import { ChartFigures } from './chart-figures'
import { ChartFrame } from './chart-frame'
import { shownChart } from './chart-machine'
import styles from './chart-panel.module.css'
import { ChartToolbar } from './chart-toolbar'
import { DataActions } from './data-actions'
import { DataNote } from './data-note'
import { EstimatedPeriod } from './estimated-period'
import { averageLabel, type Toggles } from './lines'
import { referencesOf } from './references'
import { useChart } from './use-chart'
import { useFollowedPeriod } from './use-followed-period'
import { useZoom } from './use-zoom'

// Drawing does without.
const ChartTable = lazyPart(async () => (await import('./chart-table')).ChartTable)

interface ChartPanelProps {
  readonly widget: WidgetView
  /** Followed whenever it changes. */
  readonly period: Period
  readonly onPeriod: (period: Period) => void
  readonly onClose: () => void
}

/** One pair's chart with everything around it. */
export function ChartPanel({ widget, period: said, onPeriod, onClose }: ChartPanelProps) {
  const { coinA, coinB } = widget
  const { period, choose } = useFollowedPeriod(said, onPeriod)
  const run = useChart({ coinA: coinA.id, coinB: coinB.id }, period)
  const { state } = run
  const { choices, choose: setToggles } = useChartChoices()
  const toggles: Toggles = useMemo(
    () => ({ average: choices?.average === true, bands: choices?.bands === true }),
    [choices],
  )
  const [isTableOpen, setTableOpen] = useState(false)
  const { zoomed, settled, onView } = useZoom()
  const references = useMemo(() => referencesOf(widget), [widget])
  const config = useConfig()
  const hintId = useId()

  const shown = shownChart(state)
  const chart = state.kind === 'ready' ? state.chart : null

  return (
    <ChartFrame
      heading={`${pairLabel(coinA.symbol, coinB.symbol)} Historical Ratio`}
      aside={<EstimatedPeriod chart={chart} />}
      onClose={onClose}
    >
      <div className={styles['standing']}>
        <ChartFigures state={state} period={period} widget={widget} />
        <AlertPreview
          widget={widget}
          chart={chart}
          areBandsShown={toggles.bands}
          onShowBands={() => setToggles({ bands: true })}
        />
      </div>
      <ChartToolbar
        period={period}
        onPeriod={choose}
        toggles={toggles}
        onToggles={setToggles}
        togglesDisabled={chart === null}
      />
      <ChartCard
        widget={widget}
        period={period}
        run={run}
        toggles={toggles}
        references={references}
        zoomed={zoomed}
        onView={onView}
        hintId={hintId}
      />
      <div className={styles['data']}>
        <DataActions
          widget={widget}
          period={period}
          hasData={chart !== null}
          isTableOpen={isTableOpen && shown !== null}
          onTable={setTableOpen}
        />
        <p id={hintId} className={styles['hint']}>
          Drag or scroll to zoom, with Shift to move; arrow keys walk, + and - zoom, 0 resets
        </p>
        <DataNote state={state} config={config} onRetry={run.refetch} />
      </div>
      {shown !== null && (
        <ChartTable
          chart={shown.chart}
          toggles={toggles}
          window={settled}
          averageLabel={averageLabel(PERIOD_RULES[shown.period].averageDays)}
          isOpen={isTableOpen}
        />
      )}
    </ChartFrame>
  )
}
