import { beforeEach, expect, test } from 'vitest'
import { inTransaction } from '../../server/db/open'
import { pairsOf } from '../../server/services/alerts/judge-alerts'
import { removeUnusedPairs } from '../../server/services/retention'
import { withServer } from './support/for-file'
import type { Person } from './support/person'

let me: Person
const server = withServer()
beforeEach(async () => {
  await server.reset()
  await server.database.pool.query('DELETE FROM pairs')
  me = server.guest()
})

const pairs = async () => {
  const { rows } = await server.database.pool.query<{ pair: string }>(
    `SELECT coin_a_id || '/' || coin_b_id AS pair FROM pairs ORDER BY 1`,
  )
  return rows.map(({ pair }) => pair)
}
const remove = (atOnce?: number) => removeUnusedPairs(server.database, new AbortController().signal, atOnce)
const strangersPairs = (count: number) =>
  server.database.pool.query(
    `INSERT INTO pairs (coin_a_id, coin_b_id) SELECT 'c' || i, 'd' FROM generate_series(1, $1::int) i`,
    [count],
  )

const watched = async () =>
  (await pairsOf(server.database.pool, ['bitcoin', 'solana', 'c1']))
    .map(({ coin_a_id, coin_b_id }) => `${coin_a_id}/${coin_b_id}`)
    .toSorted()

test('a price update looks at pairs with an active widget that notifies and has a threshold, and at no others', async () => {
  await strangersPairs(10)
  expect(await watched()).toEqual([])
  const high = { high_threshold: 2, low_threshold: null, notifications_enabled: true }
  await me.create({ coin_a_id: 'bitcoin', coin_b_id: 'ethereum', ...high })
  await me.create({ coin_a_id: 'ethereum', coin_b_id: 'bitcoin', ...high, high_threshold: null, low_threshold: 1 })
  await me.create({ coin_a_id: 'solana', coin_b_id: 'bitcoin', ...high, high_threshold: null })
  await me.create({ coin_a_id: 'bitcoin', coin_b_id: 'solana', ...high, notifications_enabled: false })
  await me.create({ coin_a_id: 'cardano', coin_b_id: 'ethereum', ...high })
  await server.guest().create({ coin_a_id: 'bitcoin', coin_b_id: 'ethereum', ...high })
  expect(await watched()).toEqual(['bitcoin/ethereum', 'ethereum/bitcoin'])
  await server.database.pool.query(`UPDATE widgets SET is_active = false WHERE coin_a_id = 'ethereum'`)
  expect(await watched()).toEqual(['bitcoin/ethereum'])
})

test('pairs that no widget stands for are removed in batches, and pairs of any widget stay', async () => {
  await strangersPairs(7)
  const { id } = await me.add('bitcoin', 'ethereum')
  await me.add('solana', 'bitcoin')
  await strangersPairs(0)
  expect(await remove(3)).toBe(7)
  expect(await pairs()).toEqual(['bitcoin/ethereum', 'solana/bitcoin'])
  await me.ask('DELETE', `/widgets/${id}`)
  expect(await remove()).toBe(1)
  await me.add('bitcoin', 'ethereum')
  expect(await pairs()).toEqual(['bitcoin/ethereum', 'solana/bitcoin'])
})

test.skipIf(!process.env['TEST_DATABASE_URL'])(
  'a pair that a widget is just being made of is not removed, and a widget whose pair is just being removed gets a new one',
  async () => {
    const { pool } = server.database
    const old = await me.add('bitcoin', 'ethereum')
    await me.ask('DELETE', `/widgets/${old.id}`)
    // A creator has found the pair and holds it: it is passed over.
    await inTransaction(pool, async (client) => {
      await client.query('SELECT id FROM pairs FOR KEY SHARE')
      expect(await remove()).toBe(0)
    })
    // A remover holds the pair: the creator waits, finds it gone and makes another.
    const made = await inTransaction(pool, async (client) => {
      await client.query('SELECT id FROM pairs FOR UPDATE')
      const creating = me.add('bitcoin', 'ethereum')
      await expect
        .poll(
          async () =>
            (
              await pool.query(
                `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
              )
            ).rowCount,
        )
        .toBeGreaterThan(0)
      await client.query('DELETE FROM pairs')
      return { creating }
    })
    expect((await made.creating).coin_a_id).toBe('bitcoin')
    expect(await pairs()).toEqual(['bitcoin/ethereum'])
  },
)

test('widgets added and removed while unused pairs are removed lose no pair and fail in no request', async () => {
  const people = Array.from({ length: 4 }, () => server.guest())
  await Promise.all([
    ...people.map(async (person) => {
      for (let round = 0; round < 8; round++) {
        const { id } = await person.add('bitcoin', 'ethereum')
        await person.ask('DELETE', `/widgets/${id}`)
      }
      await person.add('bitcoin', 'ethereum')
    }),
    (async () => {
      for (let round = 0; round < 30; round++) await remove()
    })(),
  ])
  expect(await remove()).toBe(0)
  expect(await pairs()).toEqual(['bitcoin/ethereum'])
})
