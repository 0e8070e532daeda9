import { memo, useMemo } from 'react'
import { formatSignificant } from '../../domain/format-number'
import type { ChartReady } from '../../../workers/api'
import styles from './chart-table.module.css'
import { isLineShown, lineName, LINES_AS_READ, type Toggles } from './lines'
import { formatPointTime } from './moments'
import type { Window } from './plot/window'
import { tablePoints } from './table-points'
import { useResting } from './use-resting'

export interface ChartTableProps {
  readonly chart: ChartReady
  readonly toggles: Toggles
  /** Null: the whole chart is visible. */
  readonly window: Window | null
  /** Such as "EMA (1d Target)". */
  readonly averageLabel: string
  /** Else only screen readers have it. */
  readonly isOpen: boolean
}

/** More rows than this nobody reads, and no page should carry. */
const MOST_ROWS = 200

/** The visible points in figures. It follows the chart once that has been painted, and never keeps it waiting. */
export function ChartTable({ isOpen, chart, toggles, window, averageLabel }: ChartTableProps) {
  const newest = useMemo(() => ({ chart, toggles, window, averageLabel }), [chart, toggles, window, averageLabel])
  return <Points {...useResting(newest)} isOpen={isOpen} />
}

const Points = memo(function Points({ isOpen, chart, toggles, window, averageLabel }: ChartTableProps) {
  const shown = LINES_AS_READ.filter((id) => isLineShown(id, toggles))
  const { indices, visible } = tablePoints(chart.times, window, MOST_ROWS)
  const count = indices.length === visible ? visible : `${indices.length} of ${visible}`
  return (
    <div
      className={isOpen ? styles['open'] : styles['closed']}
      // Its own scrolling has to be within a keyboard's reach.
      {...(isOpen && { role: 'group', 'aria-label': 'Visible points', tabIndex: 0 })}
    >
      <table className={styles['table']}>
        <caption className={styles['caption']}>{count} visible points, newest last, local time</caption>
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
            // As one text, so that a row that says the same rests.
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
