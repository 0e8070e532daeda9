import { liveQuery, type Subscription } from 'dexie'
import type { CoinId } from '../../domain/ids'
import type { LocalDatabase } from '../database'

/**
 * Calls `changed` whenever a history record of one of the coins is written from now on, whoever writes it. The records
 * are counted for the sake of what that observes: it costs no reading of columns.
 */
export function followHistory(db: LocalDatabase, coins: readonly CoinId[], changed: () => void): Subscription {
  let looks = 0
  const look = () => {
    looks += 1
    return db.history.where('coin_id').anyOf(coins).count()
  }
  return liveQuery(look).subscribe({
    // The first look has nothing to tell, unless a write came in between and made it look again.
    next: () => looks > 1 && changed(),
    error: (error: unknown) => reportError(error),
  })
}
