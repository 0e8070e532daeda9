import { memo, useMemo } from 'react'
import type { ChartReady } from '../../../workers/api'
import { formatSignificant } from '../../domain/format-number'
import { useResting } from '../../state/use-resting'
import styles from './chart-table.module.css'
import { isLineShown, lineName, LINES_AS_READ, type Toggles } from './lines'
import { formatPointTime } from '../../domain/chart-time'
import { tablePoints, type Window } from '../../domain/zoom-window'
interface ChartTableProps {
  readonly chart: ChartReady
  readonly toggles: Toggles
  /** Null: the whole chart is visible. */
  readonly window: Window | null
  /** Such as "EMA (1d Target)". */
  readonly averageLabel: string
  /** Else only screen readers have it. */
  readonly isOpen: boolean
}

/** Beyond it the table thins the points out: no reader needs more rows, and no page should carry them. */
const MAX_ROWS = 200

/** The visible points in figures. The table follows the chart after a paint, and never delays the chart. */
export function ChartTable({ isOpen, chart, toggles, window, averageLabel }: ChartTableProps) {
  const newest = useMemo(() => ({ chart, toggles, window, averageLabel }), [chart, toggles, window, averageLabel])
  return <Points {...useResting(newest)} isOpen={isOpen} />
}

const Points = memo(function Points({ isOpen, chart, toggles, window, averageLabel }: ChartTableProps) {
  const shown = LINES_AS_READ.filter((id) => isLineShown(id, toggles))
  const { indices, visible } = tablePoints(chart.times, window, MAX_ROWS)
  const count = indices.length === visible ? visible : `${indices.length} of ${visible}`
  return (
    <div
      className={isOpen ? styles.open : styles.closed}
      // The keyboard can scroll the table.
      {...(isOpen && { role: 'group', 'aria-label': 'Visible points', tabIndex: 0 })}
    >
      <table className={styles.table}>
        <caption className={styles.caption}>{count} visible points, newest last, local time</caption>
        <thead>
          <tr>
            <th scope="col">Time</th>
            {shown.map((id) => (
              <th key={id} scope="col">
                {lineName(id, averageLabel)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {indices.map((index) => {
            const time = chart.times[index] ?? 0
            // One text, so that a row whose values stay does not render.
            const values = shown.map((id) => formatSignificant(chart[id][index] ?? null)).join(SEPARATOR)
            return <Row key={time} time={time} values={values} />
          })}
        </tbody>
      </table>
    </div>
  )
})

const SEPARATOR = '|'

const Row = memo(function Row({ time, values }: { readonly time: number; readonly values: string }) {
  return (
    <tr>
      <th scope="row">{formatPointTime(time)}</th>
      {values.split(SEPARATOR).map((value, i) => (
        // oxlint-disable-next-line react/no-array-index-key -- a cell is its column
        <td key={i}>{value}</td>
      ))}
    </tr>
  )
})
