import { type ReactNode, useId, useMemo, useState } from 'react'
import type { ChartReady } from '../../../workers/api'
import type { PairView, WidgetView } from '../../db/view'
import { pairLabel } from '../../domain/pair'
import { type Period, PERIOD_RULES } from '../../domain/chart-periods'
import { useChartChoices } from '../../state/chart-choices'
import { useConfig } from '../../state/server-settings'
import { lateComponent } from '../../ui/late-component'
import { AlertPreview } from './alert-preview'
import { useBacktest } from './backtest/use-backtest'
import { ChartCard, useZoom } from './chart-card'
import { ChartFigures, EstimatedPeriod } from './chart-figures'
import { ChartFrame } from './chart-frame'
import { ChartToolbar } from './chart-lines'
import { shownChart } from './chart-state'
import styles from './chart-screen.module.css'
import { DataActions, DataNote } from './data-bar'
import { averageLabel, type Toggles, referencesOf, withThresholds } from './lines'
import type { Window } from '../../domain/zoom-window'
import { useMovedThreshold } from './thresholds/use-moved-threshold'
import { type ChartRun, useChart } from './use-chart'

// The plot does not wait for the table.
const ChartTable = lateComponent(async () => (await import('./chart-table')).ChartTable)

const BacktestCard = lateComponent(async () => (await import('./backtest/backtest-card')).BacktestCard)

interface PairChartProps {
  readonly pair: PairView
  /** The pair on the user's dashboard, with its thresholds and checkpoints; null: it is not there. */
  readonly widget: WidgetView | null
  readonly period: Period
  /** The user chose a period. */
  readonly onPeriod: (period: Period) => void
  readonly onClose: () => void
  /** Makes what stands below the chart; null: there is no chart yet. */
  readonly children?: (chart: ChartReady | null) => ReactNode
}

/** One pair's chart with everything around it; the alert lines of the user's own pair can be moved. */
export function PairChart({ pair, widget, period: given, onPeriod, onClose, children }: PairChartProps) {
  const { coinA, coinB } = pair
  const { period, choose } = useFollowedPeriod(given, onPeriod)
  const run = useChart({ coinA: coinA.id, coinB: coinB.id }, period)
  const { state } = run
  const { toggles, setToggles } = useToggles()
  const { zoomed, rested, onView } = useZoom()
  const stored = useMemo(() => (widget === null ? [] : referencesOf(widget)), [widget])
  const moves = useMovedThreshold(widget)
  const references = useMemo(() => withThresholds(stored, moves), [stored, moves])
  const hintId = useId()
  const chart = state.kind === 'ready' ? state.chart : null
  const tested = useBacktest(chart, moves?.thresholds ?? null)

  return (
    <ChartFrame
      heading={`${pairLabel(coinA.symbol, coinB.symbol)} Historical Ratio`}
      aside={<EstimatedPeriod chart={chart} />}
      onClose={onClose}
    >
      <div className={styles.standing}>
        <ChartFigures state={state} period={period} pair={pair} />
        {widget !== null && (
          <AlertPreview
            widget={widget}
            chart={chart}
            areBandsShown={toggles.bands}
            onShowBands={() => setToggles({ bands: true })}
          />
        )}
      </div>
      <ChartToolbar
        period={period}
        onPeriod={choose}
        toggles={toggles}
        onToggles={setToggles}
        togglesDisabled={chart === null}
      />
      <ChartCard
        pair={pair}
        period={period}
        run={run}
        toggles={toggles}
        references={references}
        rangeReferences={moves?.moved == null ? undefined : stored}
        moves={moves}
        swaps={tested.swaps}
        zoomed={zoomed}
        onView={onView}
        hintId={hintId}
      />
      <ChartData pair={pair} period={period} run={run} toggles={toggles} window={rested} hintId={hintId} />
      {shownChart(state) !== null && tested.isKnown && (
        <BacktestCard pair={pair} period={period} chart={chart} tested={tested} />
      )}
      {children?.(chart)}
    </ChartFrame>
  )
}

interface ChartDataProps {
  readonly pair: PairView
  readonly period: Period
  readonly run: ChartRun
  readonly toggles: Toggles
  /** The visible part, once it rests; null: the whole chart. */
  readonly window: Window | null
  /** Id of the element that says how the plot is used. */
  readonly hintId: string
}

/** The data below the plot: as a table or a file, how far it reaches, and where it comes from. */
function ChartData({ pair, period, run: { state, refetch }, toggles, window, hintId }: ChartDataProps) {
  const [isTableOpen, setTableOpen] = useState(false)
  const config = useConfig()
  const shown = shownChart(state)
  return (
    <>
      <div className={styles.data}>
        <DataActions
          pair={pair}
          period={period}
          hasData={state.kind === 'ready' || state.kind === 'preliminary'}
          isTableOpen={isTableOpen && shown !== null}
          onTable={setTableOpen}
        />
        <p id={hintId} className={styles.hint}>
          Drag or scroll to zoom, with Shift to move; arrow keys walk, + and - zoom, 0 resets
        </p>
        <DataNote pair={pair} state={state} config={config} onRetry={refetch} />
      </div>
      {shown !== null && (
        <ChartTable
          chart={shown.chart}
          toggles={toggles}
          window={window}
          averageLabel={averageLabel(PERIOD_RULES[shown.period].averageDays)}
          isOpen={isTableOpen}
        />
      )}
    </>
  )
}

/** The lines that the user has switched on; off until the device's choice is known. */
function useToggles() {
  const { choices, choose } = useChartChoices()
  const toggles: Toggles = useMemo(
    () => ({ average: choices?.average === true, bands: choices?.bands === true }),
    [choices],
  )
  return { toggles, setToggles: choose }
}

/** The period on the screen: the user's choice here, until the parent gives another one. */
function useFollowedPeriod(given: Period, onPeriod: (period: Period) => void) {
  const [current, setCurrent] = useState({ given, period: given })
  if (current.given !== given) setCurrent({ given, period: given })
  return {
    period: current.given === given ? current.period : given,
    choose: (period: Period) => {
      setCurrent({ given, period })
      onPeriod(period)
    },
  }
}
