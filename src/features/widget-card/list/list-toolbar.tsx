import type { KeyboardEvent, Ref } from 'react'
import { Search } from 'lucide-react'
import { PAIR_ORDERS, type PairOrder } from '../../../domain/pair-order'
import styles from './list-toolbar.module.css'
import { ORDER_WORDS } from './list-head'

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

/** Order and search of the list. */
export function ListToolbar({ order, onOrder, term, onTerm, onEnter, searchRef, hasKeys }: ListToolbarProps) {
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Enter') onEnter()
    if (event.key !== 'Escape') return
    // The chart beside the list is not what this Escape is for.
    event.preventDefault()
    onTerm('')
    event.currentTarget.blur()
  }
  return (
    <div className={styles.toolbar}>
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
          {PAIR_ORDERS.map((one) => (
            <option key={one} value={one}>
              {ORDER_WORDS[one]}
            </option>
          ))}
        </select>
      </label>
    </div>
  )
}
