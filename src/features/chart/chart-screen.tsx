import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { findWidget, type BoardView, type WidgetView } from '../../db/view'
import type { CoinId, WidgetId } from '../../domain/ids'
import { STANDING_WINDOW, type StatisticWindow } from '../../domain/pair-statistics'
import type { Period } from '../../domain/chart-periods'
import { Button } from '../../ui/button'
import { ChartFrame, ChartWaiting } from './chart-frame'
import styles from './chart-frame.module.css'
import { boardAtom } from '../../state/live-data'
import { PairPage } from './pair-page'

interface ChartScreenProps {
  readonly widgetId: WidgetId
  /** The chart shows this period at first, and each time that it changes. */
  readonly period?: Period
  /** The user chose a period. */
  readonly onPeriod: (period: Period) => void
  /** Address of the page of any pair. */
  readonly turnedAround: (coinA: CoinId, coinB: CoinId) => string
  readonly onClose: () => void
}

/** The page of one widget's pair, in place of the dashboard. */
export function ChartScreen({ widgetId, period = '1d', onPeriod, turnedAround, onClose }: ChartScreenProps) {
  const [window, setWindow] = useState<StatisticWindow>(STANDING_WINDOW)
  const found = chartWidget(useAtomValue(boardAtom), widgetId)
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
      return (
        <PairPage
          key={key}
          pair={widget}
          onDashboard={widget}
          period={period}
          onPeriod={onPeriod}
          window={window}
          onWindow={setWindow}
          turnedAround={turnedAround(widget.coinB.id, widget.coinA.id)}
          onClose={onClose}
        />
      )
    }
  }
}

type ChartWidget =
  | { readonly kind: 'loading' }
  | { readonly kind: 'found'; readonly widget: WidgetView }
  /** The user has removed the pair, or the address never named one. */
  | { readonly kind: 'gone' }

/** The widget of an address, by its present id or its temporary one. */
function chartWidget(board: BoardView | undefined, id: WidgetId): ChartWidget {
  if (board === undefined) return { kind: 'loading' }
  const widget = findWidget(board, id)
  if (widget !== undefined) return { kind: 'found', widget }
  return { kind: board.loaded ? 'gone' : 'loading' }
}
