import { useAtomValue } from 'jotai'
import { findWidget, type BoardView, type WidgetView } from '../../db/view'
import type { WidgetId } from '../../domain/ids'
import type { Period } from '../../domain/chart-periods'
import { Button } from '../../ui/button'
import { ChartFrame, ChartWaiting } from './chart-frame'
import styles from './chart-frame.module.css'
import { boardAtom } from '../../state/live-data'
import { PairChart } from './pair-chart'

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
      return <PairChart key={key} pair={widget} widget={widget} period={period} onPeriod={onPeriod} onClose={onClose} />
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
