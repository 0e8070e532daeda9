import { useId, useMemo, useState } from 'react'
import type { PairView, WidgetView } from '../../db/view'
import { pairLabel } from '../../domain/pair'
import { type Period, PERIOD_RULES } from '../../domain/chart-periods'
import type { StatisticWindow } from '../../domain/pair-statistics'
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
import { averageLabel, referencesInOrder, type Toggles, referencesOf, withThresholds } from './lines'
import { PairHead } from './pair-head'
import { PairEndings, PairStatistics } from './sheet/pair-statistics'
import { type ShownWindow, useShownWindow } from './sheet/shown-window'
import type { Window } from '../../domain/zoom-window'
import { useMovedThreshold } from './thresholds/use-moved-threshold'
import { type ChartRun, useChart } from './use-chart'

// The plot does not wait for the table.
const ChartTable = lateComponent(async () => (await import('./chart-table')).ChartTable)

const BacktestCard = lateComponent(async () => (await import('./backtest/backtest-card')).BacktestCard)

interface PairPageProps {
  readonly pair: PairView
  /** The pair on the user's dashboard, this way round or the other; null: it is not there. */
  readonly onDashboard: WidgetView | null
  readonly period: Period
  /** The user chose a period. */
  readonly onPeriod: (period: Period) => void
  /** Days before the current ratio that the figures are of. */
  readonly window: StatisticWindow
  readonly onWindow: (window: StatisticWindow) => void
  /** Address of the page of the pair turned around. */
  readonly turnedAround: string
  readonly onClose: () => void
}

/**
 * The page of a pair, added or not: its ratio, its place and what can be done about it; its chart, on which the alert lines of
 * the user's own pair can be moved; how such places ended; the backtest; and all other figures.
 */
export function PairPage(props: PairPageProps) {
  const { pair, onDashboard, period: given, onPeriod, window, onClose } = props
  const { coinA, coinB } = pair
  // Turned around, thresholds and checkpoints are of another ratio.
  const widget = onDashboard?.coinA.id === coinA.id ? onDashboard : null
  const { period, choose } = useFollowedPeriod(given, onPeriod)
  const run = useChart({ coinA: coinA.id, coinB: coinB.id }, period)
  const { state } = run
  const { toggles, setToggles } = useToggles()
  const { zoomed, rested, onView } = useZoom()
  const { shown, retry } = useShownWindow(pair, window)
  const lines = useReferences(widget, shown)
  const hintId = useId()
  const chart = state.kind === 'ready' ? state.chart : null
  const tested = useBacktest(chart, lines.moves?.thresholds ?? null)

  return (
    <ChartFrame
      heading={`${pairLabel(coinA.symbol, coinB.symbol)} Historical Ratio`}
      aside={<EstimatedPeriod chart={chart} />}
      onClose={onClose}
    >
      <PairHead pair={pair} widget={onDashboard} chart={chart} shown={shown}>
        <ChartFigures state={state} period={period} pair={pair} />
      </PairHead>
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
        {...lines}
        swaps={tested.swaps}
        zoomed={zoomed}
        onView={onView}
        hintId={hintId}
      />
      <ChartData pair={pair} period={period} run={run} toggles={toggles} window={rested} hintId={hintId} />
      {widget !== null && (
        <AlertPreview
          widget={widget}
          chart={chart}
          areBandsShown={toggles.bands}
          onShowBands={() => setToggles({ bands: true })}
        />
      )}
      <div className={styles.below}>
        <PairEndings shown={shown} />
        {shownChart(state) !== null && tested.isKnown && (
          <BacktestCard pair={pair} period={period} chart={chart} tested={tested} />
        )}
        <PairStatistics {...props} shown={shown} chart={chart} onRetry={retry} />
      </div>
    </ChartFrame>
  )
}

/** The chart's level lines, as the user moves them. */
function useReferences(widget: WidgetView | null, shown: ShownWindow) {
  const stored = useMemo(
    () => referencesInOrder([...(widget === null ? [] : referencesOf(widget)), ...shown.references]),
    [widget, shown],
  )
  const moves = useMovedThreshold(widget)
  const references = useMemo(() => withThresholds(stored, moves), [stored, moves])
  return { moves, references, rangeReferences: moves?.moved == null ? undefined : stored }
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
