import { useRef, useState } from 'react'
import { useMediaQuery } from '../../ui/browser-state'
import { FigureLink } from '../../ui/figure-link'
import styles from './radar-list.module.css'
import type { PairAddress, RadarQuery } from './radar-query'
import type { RadarMarket } from './radar-market'
import { RadarRow } from './radar-row'
import { useRowsInSight, useScrollPlace } from './use-rows-in-sight'

/** Room for rows of two lines; below it they have three. The style sheets have the same width. */
const ROOMY = '(min-width: 600px)'
/** CSS pixels; the style sheet has the same. */
const [ROW_HEIGHT, TALL_ROW_HEIGHT] = [56, 84]

interface RadarListProps {
  readonly market: RadarMarket
  /** Pairs, in order. */
  readonly rows: Uint32Array
  readonly query: RadarQuery
  readonly pairLink: PairAddress
}

/** The pairs as rows that lead to their sheets; only those in sight are in the document. */
export function RadarList({ market, rows, query, pairLink }: RadarListProps) {
  const list = useRef<HTMLUListElement>(null)
  /** Pair of the row with the focus: the row stays, however far the user scrolls. */
  const [focused, setFocused] = useState<number | null>(null)
  const height = useMediaQuery(ROOMY) ? ROW_HEIGHT : TALL_ROW_HEIGHT
  const range = useRowsInSight(list, height, rows.length)
  // The range was measured for the rows before, of which there may have been more.
  const end = Math.min(range.end, rows.length)
  const first = Math.min(range.first, end)
  useScrollPlace()
  const shown = Array.from({ length: end - first }, (_, index) => first + index)
  const kept = focused === null ? -1 : rows.indexOf(focused)
  if (kept >= end) shown.push(kept)
  else if (kept >= 0 && kept < first) shown.unshift(kept)
  return (
    <section className={styles.table} aria-label="Pairs">
      <div className={styles.head}>
        <span>Pair</span>
        <span className={styles.ratio}>Ratio</span>
        <span className={styles.spark} />
        <FigureLink figure="z" className={styles.z}>
          From average
        </FigureLink>
        <FigureLink figure="percentile" className={styles.percentile}>
          Percentile
        </FigureLink>
      </div>
      <ul ref={list} className={styles.rows} style={{ height: rows.length * height }}>
        {shown.map((index) => (
          <RadarRow
            key={rows[index]}
            market={market}
            pair={rows[index]!}
            window={query.window}
            index={index}
            count={rows.length}
            offset={index * height}
            pairLink={pairLink}
            onFocus={setFocused}
          />
        ))}
      </ul>
    </section>
  )
}
