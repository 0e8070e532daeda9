import type { Pool, PoolClient } from 'pg'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { Change } from '../../server/db/changes'
import { priceStore } from '../../server/services/market/prices/price-store'
import { withServer } from './support/for-file'
import { listCoins } from './support/alert-prices'

/* A price update publishes changes for open streams, and raises the revisions by which a stream that missed them finds out. */

const COINS = ['bitcoin', 'ethereum', 'solana']

let published: Change[]
const server = withServer()
beforeAll(() => listCoins(server.database.pool, COINS))
beforeEach(async () => {
  await server.reset()
  published = []
})

/** Stores BTC at this price and the others at 1. */
const come = (usd: number, pool: Pool = server.database.pool) =>
  priceStore({
    pool,
    source: 'simulated',
    clock: server.clock,
    changes: { publish: (changes) => published.push(...changes) },
  })(new Map(COINS.map((id) => [id, { usd: id === 'bitcoin' ? usd : 1, providerTime: server.clock() }])), {
    history: false,
  })

/** A guest who watches a pair at 12, and the id of that guest's row. */
async function watcher(coin_a_id: string, coin_b_id: string) {
  const { body } = await server
    .guest()
    .create({ coin_a_id, coin_b_id, high_threshold: 12, notifications_enabled: true })
  const { rows } = await server.database.pool.query<{ owner_id: string }>(
    'SELECT owner_id FROM widgets WHERE id = $1',
    [body.id],
  )
  return { widget: body.id, owner: rows[0]!.owner_id }
}

async function revisions(): Promise<ReadonlyMap<string, number>> {
  const { rows } = await server.database.pool.query<{ owner_id: string; widgets: number }>(
    'SELECT owner_id, widgets::float8 AS widgets FROM owner_revisions',
  )
  return new Map(rows.map(({ owner_id, widgets }) => [owner_id, widgets]))
}

test('a price update that fires raises the widgets revision of that owner alone, and publishes crossing, revision and prices', async () => {
  const [one, other] = [await watcher('bitcoin', 'ethereum'), await watcher('solana', 'ethereum')]
  const before = await revisions()
  await come(13)
  const after = await revisions()
  expect(after.get(other.owner)).toBe(before.get(other.owner))
  expect(after.get(one.owner)).toBeGreaterThan(before.get(one.owner) ?? 0)
  expect(published).toEqual([
    { kind: 'prices' },
    { kind: 'widgets', owner: one.owner, revision: after.get(one.owner) },
    { kind: 'alert', owner: one.owner, eventId: `${one.widget}:high:0` },
  ])
})

test('a price update that re-arms a side raises the widgets revision again, and publishes no crossing', async () => {
  const { owner } = await watcher('bitcoin', 'ethereum')
  await come(13)
  const fired = (await revisions()).get(owner)!
  published = []
  await come(11)
  const back = (await revisions()).get(owner)!
  expect(back).toBeGreaterThan(fired)
  expect(published).toEqual([{ kind: 'prices' }, { kind: 'widgets', owner, revision: back }])
})

test('a price update that neither fires nor re-arms raises no revision, and publishes that prices were stored', async () => {
  const { owner } = await watcher('bitcoin', 'ethereum')
  await come(13)
  const before = (await revisions()).get(owner)
  published = []
  await come(14)
  expect((await revisions()).get(owner)).toBe(before)
  expect(published).toEqual([{ kind: 'prices' }])
})

test('a price update publishes nothing before its transaction has committed', async () => {
  const { pool } = server.database
  await watcher('bitcoin', 'ethereum')
  const atCommit: number[] = []
  const connect = async (): Promise<PoolClient> => {
    const client = await pool.connect()
    const query = async (text: string, values?: unknown[]) => {
      if (text === 'COMMIT') atCommit.push(published.length)
      return client.query(text, values)
    }
    return { query, release: (end?: boolean) => client.release(end) } as unknown as PoolClient
  }
  await come(13, { connect } as unknown as Pool)
  expect(atCommit).toEqual([0])
  expect(published.map(({ kind }) => kind)).toEqual(['prices', 'widgets', 'alert'])
})

test('a price update that fires more alerts than one transaction judges fires all of them, from one look', async () => {
  const { pool } = server.database
  const { owner } = await watcher('bitcoin', 'ethereum')
  const crowd = 4_500
  await pool.query(
    `WITH people AS (
       INSERT INTO owners (kind, anonymous_hash, created_at)
       SELECT 'guest', 'crowd' || i, now() FROM generate_series(1, $1::int) i RETURNING id
     )
     INSERT INTO widgets (owner_id, pair_id, display_order, coin_a_id, coin_b_id, high_threshold, notifications_enabled,
       is_active, created_at)
     SELECT people.id, w.pair_id, 0, w.coin_a_id, w.coin_b_id, w.high_threshold, true, true, now()
     FROM people, widgets w WHERE w.owner_id = $2`,
    [crowd, owner],
  )
  await come(13)
  const { rowCount } = await pool.query('SELECT FROM widgets WHERE high_threshold_active')
  expect(rowCount).toBe(0)
  expect(published.filter(({ kind }) => kind === 'alert')).toHaveLength(crowd + 1)
  expect(published.filter(({ kind }) => kind === 'widgets')).toHaveLength(crowd + 1)
})
