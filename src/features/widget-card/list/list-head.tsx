import { useAtomValue } from 'jotai'
import { ArrowDown, ArrowUp, Search } from 'lucide-react'
import type { KeyboardEvent, Ref } from 'react'
import { orderAfter, type PairOrder, type SortColumn, sortOf } from '../../../domain/pair-order'
import { listToolsOpenAtom } from '../../../state/use-dashboard-choice'
import { OrderOptions } from '../../../ui/order-options'
import { VisuallyHidden } from '../../../ui/visually-hidden'
import hidden from '../../../ui/visually-hidden.module.css'
import styles from './list-head.module.css'

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
    <div role="rowgroup" className={sortable ? styles.head : hidden.hidden}>
      <div role="row" className={styles.row}>
        {column('name', 'Pair')}
        <div role="columnheader" className={styles.ratio}>
          Ratio
        </div>
        {column('near', 'To threshold')}
        {column('change', '24h change')}
        {column('standing', '90 days')}
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

interface ListToolbarProps {
  readonly order: PairOrder
  readonly onOrder: (order: PairOrder) => void
  readonly term: string
  readonly onTerm: (term: string) => void
  /** Enter in the search field. */
  readonly onEnter: () => void
  readonly searchRef: Ref<HTMLInputElement>
  /** "/" leads to the search field. */
  readonly hasKeys: boolean
}

/** Order and search of the list; on a phone they are folded until a button is pressed. */
export function ListToolbar({ order, onOrder, term, onTerm, onEnter, searchRef, hasKeys }: ListToolbarProps) {
  const isUnfolded = useAtomValue(listToolsOpenAtom) || term !== ''
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Enter') onEnter()
    if (event.key !== 'Escape') return
    // The chart beside the list is not what this Escape is for.
    event.preventDefault()
    onTerm('')
    event.currentTarget.blur()
  }
  return (
    <div className={styles.toolbar} data-unfolded={isUnfolded}>
      <label className={styles.search}>
        <Search aria-hidden="true" />
        <input
          ref={searchRef}
          type="search"
          aria-label="Search pairs"
          aria-keyshortcuts={hasKeys ? '/' : undefined}
          placeholder={hasKeys ? 'Search pairs ( / )' : 'Search pairs'}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={term}
          onChange={(event) => onTerm(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
      </label>
      <label className={styles.order}>
        <span>Order</span>
        <select value={order} onChange={(event) => onOrder(event.currentTarget.value as PairOrder)}>
          <OrderOptions />
        </select>
      </label>
    </div>
  )
}
