/** @module-tag both-engines */
import type { PoolClient } from 'pg'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createLogger } from '../../server/logger'
import { inTransaction } from '../../server/db/open'
import { removeAccounts } from '../../server/services/accounts/account-deletion'
import { fireAlerts } from '../../server/services/alerts/fire-alerts'
import type { StorePrices } from '../../server/services/market/feed'
import { priceStore } from '../../server/services/market/prices/price-store'
import { applyLimits, arrange } from '../../server/services/widgets/arrange'
import type { Widget } from '../../src/contract/widget'
import { DAY, MINUTE } from '../../src/domain/granularity'
import { withServer } from './support/for-file'
import type { Person } from './support/person'
import { seeded } from './support/seeded'
import { listCoins, pricesOf } from './support/alert-prices'

/*
 * Prices come in while everybody changes their widgets. Nothing may wait for ever, fail or be told twice. The embedded
 * database has one session, in which all of this queues; TEST_DATABASE_URL names one where it meets.
 */
const SEED = Number(process.env['SEED'] ?? Date.now() % 1_000_000)
const ROUNDS = process.env['TEST_DATABASE_URL'] ? 25 : 4
const COINS = ['bitcoin', 'ethereum', 'solana', 'cardano']
const ALERTS = { high_threshold: 1.1, low_threshold: 0.9, notifications_enabled: true }

let store: StorePrices
let logged: string[]
const server = withServer()
beforeAll(async () => {
  await listCoins(server.database.pool, COINS)
  const logger = createLogger({ NODE_ENV: 'production', LOG_LEVEL: 'warn' }, { write: (line) => logged.push(line) })
  store = priceStore({ pool: server.database.pool, source: 'simulated', clock: server.clock, logger })
})
beforeEach(async () => {
  logged = []
  await server.reset()
})

const lockWaiters = async () =>
  (
    await server.database.pool.query(
      `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
    )
  ).rowCount
const watch = (person: Person, coin_a_id: string, coin_b_id: string) =>
  person.create({ coin_a_id, coin_b_id, ...ALERTS })
const come = (usd: (index: number) => number) =>
  store(new Map(COINS.map((id, index) => [id, { usd: usd(index), providerTime: server.clock() }])), { history: true })

test(`widget changes, removals and limits that race price updates cause no failure and no repeated crossing (seed ${SEED})`, async () => {
  const random = seeded(SEED)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const people: Person[] = [server.guest(), server.guest(), server.guest(), await server.user(), await server.user()]
  const add = (person: Person) => {
    const a = Math.floor(random() * COINS.length)
    return watch(person, COINS[a]!, COINS[(a + 1 + Math.floor(random() * (COINS.length - 1))) % COINS.length]!)
  }
  for (const person of people) for (let i = 0; i < 4; i++) await add(person)

  /** Nothing, where the account has been removed. */
  const mine = async (person: Person) => {
    const { status, body } = await person.ask<readonly Widget[]>('GET', '/widgets')
    return status === 200 ? body : []
  }

  const actions = [
    add,
    async (person: Person) => {
      const one = pick(await mine(person))
      const armed = { high_threshold_active: random() < 0.7, low_threshold_active: random() < 0.7 }
      const patience = { alert_margin: pick([0, 0.1, 0.5]), alert_hold_minutes: pick([0, 0, 1, 2]) }
      return one === undefined ? undefined : person.update(one.id, { ...armed, ...patience })
    },
    async (person: Person) => {
      const one = pick(await mine(person))
      return one === undefined ? undefined : person.remove(one.id)
    },
    async (person: Person) => person.reorder((await mine(person)).map(({ id }) => id).toReversed()),
    async () => applyLimits(server.database, { ...server.env, FREE_MAX_WIDGETS: 2 + Math.floor(random() * 4) }),
    async () => {
      await server.database.pool.query(
        `UPDATE users SET deletion_scheduled_at = $1 WHERE id = (SELECT id FROM users ORDER BY random() LIMIT 1)`,
        [new Date(server.clock() - 100 * DAY)],
      )
      await removeAccounts(server.database, server.clock())
      people.push(await server.user())
    },
  ]
  for (let round = 0; round < ROUNDS; round++) {
    const updates = Array.from({ length: 3 }, () => come(() => 1 + random()))
    const changes = Array.from({ length: 12 }, () => pick(actions)(pick(people)))
    await Promise.all(updates)
    for (const answer of await Promise.all(changes)) expect(answer?.status ?? 200).toBeLessThan(500)
    if (round % 5 === 4) await Promise.all(people.map(add))
    server.clock.advance(MINUTE)
  }
  expect(logged).toEqual([])

  const { rows } = await server.database.pool.query(
    `SELECT w.id FROM widgets w JOIN alert_events e ON e.widget_id = w.id
     WHERE CASE e.side WHEN 'high' THEN w.high_epoch < e.epoch OR w.high_threshold_active AND w.high_epoch = e.epoch
       ELSE w.low_epoch < e.epoch OR w.low_threshold_active AND w.low_epoch = e.epoch END`,
  )
  expect(rows).toEqual([])
  const recorded = async () => (await server.database.pool.query('SELECT id FROM alert_events')).rowCount
  await come((index) => 1 + index)
  const before = await recorded()
  expect(before).toBeGreaterThan(0)
  await Promise.all([come((index) => 1 + index), come((index) => 1 + index)])
  expect(await recorded()).toBe(before)
}, 120_000)

test('price updates stored at the same time record exactly one crossing for a move to the latest prices', async () => {
  await watch(server.guest(), 'bitcoin', 'ethereum')
  const bring = (usd: Readonly<Record<string, number>>) => store(pricesOf(usd, server.clock()), { history: true })
  for (let round = 1; round <= ROUNDS; round++) {
    await bring({ bitcoin: 1, ethereum: 1 })
    await Promise.all([bring({ bitcoin: 1.3 }), bring({ ethereum: 1 }), bring({ ethereum: 1 }), bring({ ethereum: 1 })])
    await bring({ bitcoin: 1.3, ethereum: 1 })
    expect((await server.database.pool.query('SELECT id FROM alert_events')).rowCount).toBe(round)
  }
})

test('four concurrent transactions that judge the same ratios all succeed and record each crossing once', async () => {
  for (let i = 0; i < 20; i++) {
    const person = server.guest()
    for (const [a, b] of [
      ['bitcoin', 'ethereum'],
      ['ethereum', 'solana'],
      ['solana', 'bitcoin'],
    ] as const)
      await watch(person, a, b)
  }
  const { rows } = await server.database.pool.query<{ id: number }>('SELECT DISTINCT pair_id AS id FROM widgets')
  const pairs = rows.map(({ id }) => id)
  let expected = 0
  for (const ratio of [1.2, 1, 0.8, 1.3]) {
    const ratios = pairs.map(() => ratio)
    const judged = await Promise.all(
      Array.from({ length: 4 }, () =>
        inTransaction(server.database.pool, (client) =>
          fireAlerts(client, 'simulated', { pairs, ratios }, server.clock()),
        ),
      ),
    )
    expected += ratio === 1 ? 0 : 60
    expect(judged.reduce((sum, { crossings }) => sum + crossings.high + crossings.low, 0)).toBe(ratio === 1 ? 0 : 60)
    expect((await server.database.pool.query('SELECT id FROM alert_events')).rowCount).toBe(expected)
  }
})

describe.skipIf(!process.env['TEST_DATABASE_URL'])('price update blocked by a widget lock', () => {
  /** Prices that make all pairs cross come in while `first` is held by a change, which is not over before `meanwhile` is. */
  async function whileHeld(first: string, change: string, meanwhile: (change: PoolClient) => Promise<unknown>) {
    const client = await server.database.pool.connect()
    await client.query('BEGIN')
    await client.query(change, [first])
    const stored = come((index) => 1 + index)
    while ((await lockWaiters()) === 0) await new Promise((resolve) => setTimeout(resolve, 10))
    try {
      await meanwhile(client)
    } finally {
      await client.query('COMMIT')
      client.release()
      await stored
    }
  }

  test.each(['notifications_enabled', 'is_active'])(
    'a price update that waits for a locked widget records no crossing when %s is set to false meanwhile',
    async (flag) => {
      const { body } = await watch(server.guest(), 'ethereum', 'bitcoin')
      await whileHeld(body.id, `UPDATE widgets SET ${flag} = false WHERE id = $1`, async () => undefined)
      expect((await server.database.pool.query('SELECT id FROM alert_events')).rowCount).toBe(0)
    },
  )

  test('a price update that waits for its first widget locks no later widget, and records all crossings afterwards', async () => {
    const made: string[] = []
    for (let i = 0; i < 20; i++) made.push((await watch(server.guest(), 'ethereum', 'bitcoin')).body.id)
    const [first, ...others] = made.toSorted()
    const hold = 'SELECT id FROM widgets WHERE id = ANY ($1::uuid[]) FOR UPDATE NOWAIT'
    await whileHeld(first!, 'SELECT id FROM widgets WHERE id = $1 FOR UPDATE', async (client) => {
      expect((await client.query(hold, [others])).rowCount).toBe(19)
    })
    expect((await server.database.pool.query('SELECT id FROM alert_events')).rowCount).toBe(20)
  })
})

test.skipIf(!process.env['TEST_DATABASE_URL'])(
  'two owners whose pairs with rules become active in different orders wait for each other, and neither fails',
  async () => {
    const { pool, orm } = server.database
    const COINS_OF = [
      ['bitcoin', 'solana', 'cardano'],
      ['cardano', 'bitcoin'],
    ] as const
    const owned: string[][] = []
    for (const coins of COINS_OF) {
      const me = server.guest()
      const ids: string[] = []
      // Pairs that no other test of the file has made: their ids, by which bounds are locked, are in this order.
      for (const coin of coins) ids.push((await me.add(coin, 'dogecoin')).id)
      owned.push(ids)
    }
    const [one = [], other = []] = owned
    await pool.query('UPDATE widgets SET is_active = false')
    await pool.query(
      `INSERT INTO alert_rules (id, widget_id, owner_id, pair_id, kind, level, margin, hold_minutes, armed, epoch, watched, measure, above)
       SELECT gen_random_uuid(), id, owner_id, pair_id, 'move', 5, 0, 0, true, 0, false, 'move 1h', 5 FROM widgets`,
    )
    await pool.query(`INSERT INTO rule_bounds SELECT pair_id, 'move 1h', 5 FROM widgets ON CONFLICT DO NOTHING`)
    const activate = (ids: readonly string[]) =>
      orm
        .transaction(async (tx) => {
          const { rows } = await pool.query<{ owner_id: string }>('SELECT owner_id FROM widgets WHERE id = $1', [
            ids[0],
          ])
          await arrange(tx, rows[0]!.owner_id, ids, ids.length)
        })
        .then(
          () => 'active',
          (error: unknown) => error,
        )
    // The first is stopped between its first pair and its last, which is the first of the second.
    const both = await inTransaction(pool, async (client) => {
      await client.query(
        `SELECT FROM rule_bounds JOIN pairs ON id = pair_id WHERE coin_a_id = 'solana' FOR UPDATE OF rule_bounds`,
      )
      const first = activate(one)
      await expect.poll(lockWaiters, { timeout: 10_000 }).toBe(1)
      const second = activate(other)
      await expect.poll(lockWaiters, { timeout: 10_000 }).toBe(2)
      return { done: Promise.all([first, second]) }
    })
    expect(await both.done).toEqual(['active', 'active'])
    expect((await pool.query('SELECT FROM alert_rules WHERE watched')).rowCount).toBe(5)
  },
)

test.skipIf(!process.env['TEST_DATABASE_URL'])(
  'a list of pairs is answered while more changes than a process has connections wait for one row',
  async () => {
    const { pool } = server.database
    const [busy, reader] = [server.guest(), server.guest()]
    const { id } = await busy.add('bitcoin', 'ethereum')
    const answered: string[] = []
    const ask = async (name: string, call: Promise<unknown>) => call.then(() => answered.push(name))
    const changes = await inTransaction(pool, async (client) => {
      await client.query('SELECT FROM owners FOR UPDATE')
      const update = () => ask('change', busy.update(id, ALERTS))
      const all = Array.from({ length: pool.options.max }, update)
      await expect.poll(lockWaiters, { timeout: 10_000 }).toBeGreaterThan(0)
      await ask('list', reader.ask('GET', '/widgets'))
      return { all }
    })
    await Promise.all(changes.all)
    expect(answered).toEqual(['list', ...changes.all.map(() => 'change')])
  },
)
