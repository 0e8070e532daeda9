import styles from './chart-legend.module.css'
import { LineSample } from './line-sample'
import { isLineShown, lineName, LINES, type Toggles } from './lines'

interface ChartLegendProps {
  readonly toggles: Toggles
  readonly averageLabel: string
}

/** What each line is, with a sample of its colour, dash and width. */
export function ChartLegend({ toggles, averageLabel }: ChartLegendProps) {
  const shown = LINES.filter(({ id }) => isLineShown(id, toggles)).toReversed()
  return (
    <ul className={styles['legend']} aria-label="Lines">
      {shown.map(({ id }) => (
        <li key={id} className={styles['entry']}>
          <LineSample id={id} />
          {lineName(id, averageLabel)}
        </li>
      ))}
    </ul>
  )
}
