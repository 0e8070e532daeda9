import { useAtomValue } from 'jotai'
import { useId, useMemo, useState } from 'react'
import { findWidget, type BoardView, type WidgetView } from '../../db/view'
import type { WidgetId } from '../../domain/ids'
import { pairLabel } from '../../domain/pair'
import { type Period, PERIOD_RULES } from '../../domain/period'
import { useChartChoices } from '../../state/chart-choices'
import { visibleBoardAtom } from '../../state/optimistic-patches'
import { useConfig } from '../../state/server-settings'
import { Button } from '../../ui/button'
import { optionalComponent } from '../../ui/deferred-component'
import { AlertPreview } from './alert-preview'
import { ChartCard, useZoom } from './chart-card'
import { ChartFigures, EstimatedPeriod } from './chart-figures'
import { ChartFrame, ChartWaiting } from './chart-frame'
import { ChartToolbar } from './chart-lines'
import { shownChart } from './chart-machine'
import styles from './chart-screen.module.css'
import { DataActions, DataNote } from './data-bar'
import { averageLabel, type Toggles, referencesOf } from './lines'
import { useChart } from './use-chart'

interface ChartScreenProps {
  readonly widgetId: WidgetId
  /** The chart shows this period at first, and each time that it changes. */
  readonly period?: Period
  /** The user chose a period. */
  readonly onPeriod: (period: Period) => void
  readonly onClose: () => void
}

/** The chart of one widget, in place of the dashboard. */
export function ChartScreen({ widgetId, period = '1d', onPeriod, onClose }: ChartScreenProps) {
  const found = chartWidget(useAtomValue(visibleBoardAtom), widgetId)
  switch (found.kind) {
    case 'loading':
      return <ChartWaiting onClose={onClose} />
    case 'gone':
      return (
        <ChartFrame heading="Historical Ratio" onClose={onClose}>
          <div className={styles.gone}>
            <p>This pair is not on your dashboard any more.</p>
            <Button onClick={onClose}>Back to dashboard</Button>
          </div>
        </ChartFrame>
      )
    case 'found': {
      const { widget } = found
      const key = `${widget.coinA.id}/${widget.coinB.id}`
      return <ChartPanel key={key} widget={widget} period={period} onPeriod={onPeriod} onClose={onClose} />
    }
  }
}

type ChartWidget =
  | { readonly kind: 'loading' }
  | { readonly kind: 'found'; readonly widget: WidgetView }
  /** The user has removed the pair, or the address never named one. */
  | { readonly kind: 'gone' }

/** The widget of an address, by its present id or its temporary one. */
export function chartWidget(board: BoardView | undefined, id: WidgetId): ChartWidget {
  if (board === undefined) return { kind: 'loading' }
  const widget = findWidget(board, id)
  if (widget !== undefined) return { kind: 'found', widget }
  return { kind: board.loaded ? 'gone' : 'loading' }
}

// The plot does not wait for the table.
const ChartTable = optionalComponent(async () => (await import('./chart-table')).ChartTable)

interface ChartPanelProps extends Required<Omit<ChartScreenProps, 'widgetId'>> {
  readonly widget: WidgetView
}

/** One pair's chart with everything around it. */
function ChartPanel({ widget, period: given, onPeriod, onClose }: ChartPanelProps) {
  const { coinA, coinB } = widget
  const { period, choose } = useFollowedPeriod(given, onPeriod)
  const run = useChart({ coinA: coinA.id, coinB: coinB.id }, period)
  const { state } = run
  const { choices, choose: setToggles } = useChartChoices()
  const toggles: Toggles = useMemo(
    () => ({ average: choices?.average === true, bands: choices?.bands === true }),
    [choices],
  )
  const [isTableOpen, setTableOpen] = useState(false)
  const { zoomed, rested, onView } = useZoom()
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
      <div className={styles.standing}>
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
      <div className={styles.data}>
        <DataActions
          widget={widget}
          period={period}
          hasData={chart !== null}
          isTableOpen={isTableOpen && shown !== null}
          onTable={setTableOpen}
        />
        <p id={hintId} className={styles.hint}>
          Drag or scroll to zoom, with Shift to move; arrow keys walk, + and - zoom, 0 resets
        </p>
        <DataNote widget={widget} state={state} config={config} onRetry={run.refetch} />
      </div>
      {shown !== null && (
        <ChartTable
          chart={shown.chart}
          toggles={toggles}
          window={rested}
          averageLabel={averageLabel(PERIOD_RULES[shown.period].averageDays)}
          isOpen={isTableOpen}
        />
      )}
    </ChartFrame>
  )
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
