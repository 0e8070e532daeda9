import { ArrowDown, ArrowUp } from 'lucide-react'
import type { PairOrder } from '../../../domain/pair-order'
import { VisuallyHidden } from '../../../ui/visually-hidden'
import styles from './list-head.module.css'
import { orderAfter, sortOf, type SortColumn } from './orders'

interface ListHeadProps {
  readonly order: PairOrder
  readonly onOrder: (order: PairOrder) => void
  /** The columns can be sorted by their headings. */
  readonly sortable: boolean
}

/** The headings of the columns; on a phone they are for screen readers only. */
export function ListHead({ order, onOrder, sortable }: ListHeadProps) {
  const column = (by: SortColumn, text: string) => (
    <div role="columnheader" className={styles[by]} aria-sort={sortOf(order, by)}>
      {sortable ? (
        <button type="button" className={styles.sort} onClick={() => onOrder(orderAfter(order, by))}>
          {text}
          <SortArrow sort={sortOf(order, by)} />
        </button>
      ) : (
        text
      )}
    </div>
  )
  return (
    <div role="rowgroup" className={sortable ? styles.head : styles.unseen}>
      <div role="row" className={styles.row}>
        {column('name', 'Pair')}
        <div role="columnheader" className={styles.ratio}>
          Ratio
        </div>
        {column('near', 'To threshold')}
        {column('change', '24h change')}
        <div role="columnheader">
          <VisuallyHidden>Actions</VisuallyHidden>
        </div>
      </div>
    </div>
  )
}

function SortArrow({ sort }: { readonly sort: ReturnType<typeof sortOf> }) {
  if (sort === undefined) return null
  return sort === 'ascending' ? <ArrowUp aria-hidden="true" /> : <ArrowDown aria-hidden="true" />
}
