import styles from './chart-legend.module.css'
import { LineSample } from './line-sample'
import { averageLabel, isLineShown, lineName, LINES_AS_READ, type Toggles } from './lines'

interface ChartLegendProps {
  readonly toggles: Toggles
  readonly averageDays: number
}

/** What each line is, with a sample of its colour, dash and width. */
export function ChartLegend({ toggles, averageDays }: ChartLegendProps) {
  const shown = LINES_AS_READ.filter((id) => isLineShown(id, toggles))
  return (
    <ul className={styles['legend']} aria-label="Lines">
      {shown.map((id) => (
        <li key={id} className={styles['entry']}>
          <LineSample id={id} />
          <span className={styles['long']}>{lineName(id, averageLabel(averageDays))}</span>
          <span className={styles['short']} aria-hidden="true">
            {lineName(id, 'EMA')}
          </span>
        </li>
      ))}
    </ul>
  )
}
