import { useAtomValue } from 'jotai'
import type { WidgetId } from '../../domain/ids'
import type { Period } from '../../domain/period'
import { shownBoardAtom } from '../../state/wishes'
import { Button } from '../../ui/button'
import { ChartFrame } from './chart-frame'
import { ChartPanel } from './chart-panel'
import styles from './chart-screen.module.css'
import { ChartWaiting } from './chart-waiting'
import { chartWidget } from './chart-widget'

export interface ChartScreenProps {
  readonly widgetId: WidgetId
  /** What the chart shows at first, and whenever it changes. */
  readonly period?: Period
  /** The user chose a period. */
  readonly onPeriod: (period: Period) => void
  readonly onClose: () => void
}

/** The chart of one widget, in place of the dashboard. */
export function ChartScreen({ widgetId, period = '1d', onPeriod, onClose }: ChartScreenProps) {
  const found = chartWidget(useAtomValue(shownBoardAtom), widgetId)
  switch (found.kind) {
    case 'loading':
      return <ChartWaiting onClose={onClose} />
    case 'gone':
      return (
        <ChartFrame heading="Historical Ratio" onClose={onClose}>
          <div className={styles['gone']}>
            <p>This pair is not on your dashboard any more.</p>
            <Button onClick={onClose}>Back to dashboard</Button>
          </div>
        </ChartFrame>
      )
    case 'found': {
      const { widget } = found
      return (
        <ChartPanel
          key={`${widget.coinA.id}/${widget.coinB.id}`}
          widget={widget}
          period={period}
          onPeriod={onPeriod}
          onClose={onClose}
        />
      )
    }
  }
}
