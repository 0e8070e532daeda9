import type { PairOrder } from '../../../domain/pair-order'

/** The choices of the menu "Order", in this order. */
export const ORDER_WORDS: Readonly<Record<PairOrder, string>> = {
  hand: 'By hand',
  near: 'Nearest to a threshold',
  rises: '24h change, highest first',
  falls: '24h change, lowest first',
  name: 'Pair, A to Z',
  'name-down': 'Pair, Z to A',
}

/** Columns of the table that can be sorted by. */
export type SortColumn = 'name' | 'near' | 'change'

const DIRECTIONS: Readonly<Record<SortColumn, readonly [PairOrder, PairOrder]>> = {
  name: ['name', 'name-down'],
  near: ['near', 'hand'],
  change: ['rises', 'falls'],
}

/** The order that a click on a column's heading chooses. */
export function orderAfter(order: PairOrder, column: SortColumn): PairOrder {
  const [first, second] = DIRECTIONS[column]
  return order === first ? second : first
}

/** How a column is sorted, as `aria-sort` says it. */
export function sortOf(order: PairOrder, column: SortColumn): 'ascending' | 'descending' | undefined {
  switch (order) {
    case 'name':
      return column === 'name' ? 'ascending' : undefined
    case 'name-down':
      return column === 'name' ? 'descending' : undefined
    case 'near':
      return column === 'near' ? 'ascending' : undefined
    case 'rises':
      return column === 'change' ? 'descending' : undefined
    case 'falls':
      return column === 'change' ? 'ascending' : undefined
    case 'hand':
      return undefined
  }
}
