import { liveQuery, type Subscription } from 'dexie'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { LocalDatabase } from '../../src/db/database'
import { followHistory, writeAggregated } from '../../src/db/history-rows'
import type { CoinId } from '../../src/domain/ids'
import { seriesFromPoints } from '../../src/domain/series'

const [BTC, ETH, SOL] = ['bitcoin', 'ethereum', 'solana'] as CoinId[] as [CoinId, CoinId, CoinId]
const NOW = Date.UTC(2026, 10, 21, 12)
let db: LocalDatabase
let other: LocalDatabase
let following: Subscription
const changed = vi.fn()

const write = (connection: LocalDatabase, coin: CoinId, price: number) =>
  writeAggregated(
    connection,
    [{ coin, granularity: 'daily', source: 'simulated', series: seriesFromPoints([[NOW, price]]) }],
    NOW,
  )

/** Dexie runs first queries in the order of subscription: those of earlier subscribers have run by then. */
const firstLooks = (connection: LocalDatabase) =>
  new Promise<void>((resolve, reject) => {
    const last = liveQuery(() => connection.history.count()).subscribe({
      next: () => {
        last.unsubscribe()
        resolve()
      },
      error: reject,
    })
  })

beforeEach(async () => {
  const name = `history-writes-${Math.random()}`
  db = new LocalDatabase(name)
  other = new LocalDatabase(name)
  changed.mockClear()
  for (const coin of [BTC, ETH, SOL]) await write(db, coin, 1)
  following = followHistory(db, [BTC, ETH], changed)
  await firstLooks(db)
})
afterEach(async () => {
  following.unsubscribe()
  other.close()
  await db.delete()
})

test('followHistory reports every write to its coins’ records, also by another connection, and no write to other coins', async () => {
  await write(db, BTC, 2)
  await vi.waitFor(() => expect(changed).toHaveBeenCalledTimes(1))
  await write(other, BTC, 3)
  await vi.waitFor(() => expect(changed).toHaveBeenCalledTimes(2))
  await write(db, SOL, 2)
  await write(db, ETH, 2)
  await vi.waitFor(() => expect(changed).toHaveBeenCalledTimes(3))
})

test('followHistory calls back neither at its start nor after its subscription ends', async () => {
  // A second follower shows that a call would have come by now.
  const otherChanged = vi.fn()
  const witness = followHistory(other, [SOL], otherChanged)
  await firstLooks(other)
  await write(db, SOL, 2)
  await vi.waitFor(() => expect(otherChanged).toHaveBeenCalledTimes(1))
  expect(changed).not.toHaveBeenCalled()

  following.unsubscribe()
  await write(db, BTC, 2)
  await write(db, SOL, 3)
  await vi.waitFor(() => expect(otherChanged).toHaveBeenCalledTimes(2))
  witness.unsubscribe()
  expect(changed).not.toHaveBeenCalled()
})
