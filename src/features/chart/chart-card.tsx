import { useCallback, useEffect, useRef, useState } from 'react'
import type { PairView } from '../../db/view'
import type { Swap } from '../../domain/backtest'
import { pairLabel } from '../../domain/pair'
import { type Period, PERIOD_RULES } from '../../domain/chart-periods'
import { needsConnection, UNREACHED } from '../../domain/error-message'
import { Button } from '../../ui/button'
import { useOnline } from '../../ui/browser-state'
import styles from './chart-card.module.css'
import { ChartLegend } from './chart-lines'
import { type ChartState, isAwaited, loadingStage, shownChart } from './chart-state'
import type { Reference, Toggles } from './lines'
import { Plot, type PlotControls } from './plot/plot'
import type { Window } from '../../domain/zoom-window'
import { type HandlesControls, ThresholdHandles } from './thresholds/threshold-handles'
import type { ThresholdMoves } from './thresholds/use-moved-threshold'
import type { ChartRun } from './use-chart'

interface ChartCardProps extends Pick<ReturnType<typeof useZoom>, 'zoomed' | 'onView'> {
  readonly pair: PairView
  readonly period: Period
  readonly run: ChartRun
  readonly toggles: Toggles
  readonly references: readonly Reference[]
  /** See PlotView. */
  readonly rangeReferences: readonly Reference[] | undefined
  /** Moves of the alert lines; null: there are none to move. */
  readonly moves: ThresholdMoves | null
  /** Of a backtest of the period's chart. */
  readonly swaps: readonly Swap[] | undefined
  /** The element that says how the plot is used. */
  readonly hintId: string
}

/** Title, legend and the plot, or the message in its place. */
export function ChartCard({
  pair,
  period,
  run,
  toggles,
  references,
  rangeReferences,
  moves,
  swaps,
  zoomed,
  onView,
  hintId,
}: ChartCardProps) {
  const { coinA, coinB } = pair
  const { state, refetch } = run
  const plot = useRef<PlotControls>(null)
  const handles = useRef<HandlesControls>(null)
  const onDraw = useCallback(() => handles.current?.place(), [])
  const shown = shownChart(state)
  return (
    <div className={styles.card} aria-busy={isAwaited(state)}>
      <div className={styles.caption}>
        <h2 className={styles.title}>
          {coinA.name}/{coinB.name} Price Ratio
        </h2>
        <ChartLegend
          toggles={toggles}
          averageDays={PERIOD_RULES[shown?.period ?? period].averageDays}
          references={references}
          hasSwaps={state.kind === 'ready' && swaps !== undefined && swaps.length > 0}
        />
      </div>
      <div className={styles.area}>
        {shown !== null && (
          <Plot
            period={shown.period}
            chart={shown.chart}
            toggles={toggles}
            references={references}
            rangeReferences={rangeReferences}
            swaps={state.kind === 'ready' ? swaps : undefined}
            label={`${pairLabel(coinA.symbol, coinB.symbol)} ratio by time`}
            describedBy={hintId}
            dimmed={state.kind !== 'ready'}
            onView={onView}
            onDraw={onDraw}
            ref={plot}
          />
        )}
        {moves !== null && state.kind === 'ready' && <ThresholdHandles moves={moves} plot={plot} ref={handles} />}
        {state.kind !== 'ready' && <ChartMessage state={state} onRetry={refetch} />}
        {shown !== null && state.kind !== 'loading' && zoomed && (
          <button type="button" className={styles.reset} onClick={() => plot.current?.reset()}>
            Reset zoom
          </button>
        )}
      </div>
    </div>
  )
}

const LOADING = {
  processing: 'Processing chart data...',
  fetching: 'Loading historical data for chart...',
} as const

interface ChartMessageProps {
  readonly state: Exclude<ChartState, { kind: 'ready' }>
  readonly onRetry: () => void
}

/** The message in the chart's frame while there is no chart, or a preliminary one that waits for the server. */
function ChartMessage({ state, onRetry }: ChartMessageProps) {
  const failure = useFetchWords(state.fetch)
  // The server has not given what is missing: the line stays, and the note below the chart says why.
  if (state.kind === 'preliminary' && !isAwaited(state)) return null
  if (state.kind === 'loading' || state.kind === 'preliminary') {
    return (
      <p className={styles.loading} role="status">
        {LOADING[loadingStage(state)]}
      </p>
    )
  }
  const isEmpty = state.kind === 'empty'
  return (
    <div className={styles.message} role={isEmpty ? 'status' : 'alert'}>
      <p className={styles.words}>{isEmpty ? 'No ratio data available to display for this period' : state.message}</p>
      {failure !== null && <p className={styles.cause}>{failure}</p>}
      <Button onClick={onRetry}>Try again</Button>
    </div>
  )
}

/** Why a fetch of the server's history failed, in the app's words for a missing network; null: no failure. */
export function useFetchWords(fetch: ChartState['fetch']): string | null {
  const online = useOnline()
  const failure = fetch.kind === 'ended' ? fetch.failure : null
  return failure === UNREACHED && !online ? needsConnection('More history') : failure
}

/** Milliseconds without another movement after which a view counts as chosen. */
const VIEW_REST_MS = 200

/** The part of the chart that the user looks at, for the parts of the screen around the plot. */
export function useZoom() {
  const [zoomed, setZoomed] = useState(false)
  /** The view on which the user rested last; null: everything. */
  const [rested, setRested] = useState<Window | null>(null)
  const timer = useRef<number>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])

  /** Takes every movement; only the first and the last of a row render. */
  const onView = useCallback((view: Window | null) => {
    clearTimeout(timer.current)
    setZoomed(view !== null)
    if (view === null) setRested(null)
    else timer.current = window.setTimeout(setRested, VIEW_REST_MS, view)
  }, [])
  return { zoomed, rested, onView }
}
