import type { Database, Queryable } from '../../db/open'

/** A page of a list: what stands before it, and how long it is. */
export interface PageQuery {
  readonly skip: number
  readonly limit: number
}

/** Reads rows and their number as of one moment: two would let a page contradict the number beside it. */
export function atOneMoment<T>({ orm }: Database, read: (tx: Queryable) => Promise<T>): Promise<T> {
  return orm.transaction(read, { isolationLevel: 'repeatable read', accessMode: 'read only' })
}
