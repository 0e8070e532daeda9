import type { WidgetView } from '../../db/view'
import type { AlertSide } from '../../domain/alerts'
import { isWatched } from '../../state/watched-pairs'
import { useArmed } from './slices'
import { ThresholdBox } from './threshold-box'
import styles from './threshold-boxes.module.css'

interface ThresholdBoxesProps {
  readonly widget: WidgetView
  readonly crossed: readonly AlertSide[]
  readonly onEdit: (side: AlertSide) => void
}

/** Low on the left, high on the right, as on the bar above. */
export function ThresholdBoxes({ widget, crossed, onEdit }: ThresholdBoxesProps) {
  const armed = useArmed(widget)
  const box = (side: AlertSide, threshold: number | null) => (
    <ThresholdBox
      side={side}
      threshold={threshold}
      armed={armed[side]}
      crossed={crossed.includes(side)}
      alertsOn={isWatched(widget)}
      symbol={widget.coinA.symbol}
      onEdit={onEdit}
    />
  )
  return (
    <div className={styles.boxes}>
      {box('low', widget.lowThreshold)}
      {box('high', widget.highThreshold)}
    </div>
  )
}
