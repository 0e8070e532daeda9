import { liveQuery, type Subscription } from 'dexie'
import { type LocalDatabase, readPrices } from '../db/database'
import type { PricesRow } from '../db/rows'

type Next = (row: PricesRow | undefined) => void
type Fail = (error: unknown) => void

interface PricesQuery {
  readonly followers: Map<Next, Fail>
  readonly subscription: Subscription
  /** The newest answer; empty until the first. */
  newest: [PricesRow | undefined] | []
}

const queries = new WeakMap<LocalDatabase, PricesQuery>()

function startQuery(db: LocalDatabase): PricesQuery {
  const followers: PricesQuery['followers'] = new Map()
  const subscription = liveQuery(() => readPrices(db)).subscribe({
    next(row) {
      query.newest = [row]
      for (const next of followers.keys()) next(row)
    },
    error(error) {
      // Whoever follows from now on asks the database anew.
      queries.delete(db)
      for (const fail of followers.values()) fail(error)
    },
  })
  const query: PricesQuery = { followers, subscription, newest: [] }
  queries.set(db, query)
  return query
}

/**
 * Follows the stored prices by one live query for all followers of a page: a stream changes the record every second, and
 * each query opens a transaction and copies the record. A known record is given at once. Returns the function that ends it.
 */
export function followPrices(db: LocalDatabase, next: Next, fail: Fail): () => void {
  const query = queries.get(db) ?? startQuery(db)
  query.followers.set(next, fail)
  if (query.newest.length > 0) next(query.newest[0])
  return () => {
    query.followers.delete(next)
    if (query.followers.size > 0) return
    query.subscription.unsubscribe()
    if (queries.get(db) === query) queries.delete(db)
  }
}
