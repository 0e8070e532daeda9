import type { PairOrder } from './pair-order'

/** Columns of the table that can be sorted by. */
export type SortColumn = 'name' | 'near' | 'change' | 'standing'

const DIRECTIONS: Readonly<Record<SortColumn, readonly [PairOrder, PairOrder]>> = {
  name: ['name', 'name-down'],
  near: ['near', 'hand'],
  change: ['rises', 'falls'],
  standing: ['extreme', 'hand'],
}

/** The order that a click on a column's heading chooses. */
export function orderAfter(order: PairOrder, column: SortColumn): PairOrder {
  const [first, second] = DIRECTIONS[column]
  return order === first ? second : first
}

const SORTED: Readonly<Record<SortColumn, Partial<Record<PairOrder, 'ascending' | 'descending'>>>> = {
  name: { name: 'ascending', 'name-down': 'descending' },
  near: { near: 'ascending' },
  change: { rises: 'descending', falls: 'ascending' },
  standing: { extreme: 'descending' },
}

/** How a column is sorted, as `aria-sort` says it. */
export const sortOf = (order: PairOrder, column: SortColumn) => SORTED[column][order]
