import { beforeAll, expect, test } from 'vitest'
import { HOUR } from '../../src/domain/granularity'
import { loadEnv } from '../../server/env'
import { readOverview } from '../../server/services/admin/overview'
import { listUsers } from '../../server/services/admin/users'
import { alertBacklog } from '../../server/services/alerts/metrics'
import { mailWatch } from '../../server/services/mail/mail-watch'
import { removeSurplusKeys } from '../../server/services/operations'
import { applyLimits } from '../../server/services/widgets/arrange'
import { withDatabase } from './support/for-file'
import { rowsRead } from './support/rows-read'
import { sentDuring } from './support/sent-statements'

/* A reading that is repeated by itself costs as much as there is to do, not as much as there is. */

const database = withDatabase()
const NOW = Date.UTC(2026, 10, 29)

beforeAll(async () => {
  for (const text of [
    `INSERT INTO owners (kind, anonymous_hash, created_at) SELECT 'guest', n::text, now() FROM generate_series(1, 100) n`,
    `INSERT INTO operations (owner_id, op_id, request_hash, for_ever, created_at)
     SELECT id, gen_random_uuid(), '', n < 5, now() FROM owners, generate_series(1, 10) n`,
    `INSERT INTO mail_requests (kind, email, requested_at, next_attempt_at)
     SELECT 'verify-email', 'a@example.com', now(), now() FROM generate_series(1, 1000)`,
    `INSERT INTO pairs (coin_a_id, coin_b_id) VALUES ('bitcoin', 'ethereum')`,
    `INSERT INTO widgets (owner_id, display_order, coin_a_id, coin_b_id, pair_id, notifications_enabled, is_active, created_at)
     SELECT o.id, 0, 'bitcoin', 'ethereum', p.id, true, true, now() FROM owners o, pairs p`,
    `WITH made AS (INSERT INTO owners (kind, created_at, last_seen) SELECT 'user', now() + n * interval '1 s', null FROM generate_series(1, 300) n RETURNING id, created_at)
     INSERT INTO users (id, email) SELECT id, 'user' || row_number() OVER (ORDER BY created_at) || '@example.org' FROM made`,
    'ANALYZE',
  ])
    await database.pool.query(text)
})

test('keys of changes are looked through some at a time, by their index', async () => {
  const read = await rowsRead(database.pool, () => removeSurplusKeys(database, 50))
  // So many, or the few that are left at the end by another way.
  expect(Math.max(...read)).toBeLessThanOrEqual(100)
  expect(
    read.reduce((sum, rows) => sum + rows, 0),
    'all of them',
  ).toBeGreaterThanOrEqual(950)
})

test('the job that watches mails looks at no mail that has hardly been tried', async () => {
  const watch = mailWatch({ database, clock: () => Date.now() + HOUR }, () => null)
  const read = await rowsRead(database.pool, () => watch.run(new AbortController().signal))
  expect(read).toEqual([0])
})

/** As of a table or an index with so many rows. */
const estimate = (relation: string, rows: number) =>
  database.pool.query('UPDATE pg_class SET reltuples = $2 WHERE relname = $1', [relation, rows])

test('figures of many accounts and widgets are the estimates of the catalogue, and none of their rows is read', async () => {
  await database.pool.query('DELETE FROM mail_requests')
  const env = loadEnv({ DATA_DIR: '/none' })
  const overview = () =>
    readOverview({ database, env, market: { source: 'simulated' }, payments: null, clock: () => NOW })
  const few = { users: 300, premium: 0, guests: 100, widgets: 100, armed_sides: 0 }
  expect((await overview()).accounts).toEqual(few)
  const many = { users: 400_000, users_premium: 300_000, owners_guests_seen: 500_000, widgets: 900_000 }
  for (const [relation, rows] of Object.entries(many)) await estimate(relation, rows)
  await estimate('widgets_low_held', 200_000)
  expect((await overview()).accounts).toEqual({
    users: 400_000,
    premium: 300_000,
    guests: 500_000,
    widgets: 900_000,
    armed_sides: 200_000,
  })
  // A row of the catalogue for each figure, four for the sides.
  expect(Math.max(...(await rowsRead(database.pool, overview)))).toBeLessThanOrEqual(20)
  const newest = { skip: 0, limit: 5 }
  const list = await listUsers(database, newest)
  expect(list.total).toBe(400_000)
  const last = await listUsers(database, { skip: 295, limit: 10 })
  expect([last.part.length, last.total], 'the pages end where the rows do').toEqual([5, 300])
  expect(list.part.map(({ email }) => email)).toEqual([300, 299, 298, 297, 296].map((n) => `user${n}@example.org`))
  expect(Math.max(...(await rowsRead(database.pool, () => listUsers(database, newest))))).toBeLessThanOrEqual(15)
})

test('a search looks at the accounts that hold all parts of the term, and at so many of them as are counted', async () => {
  const search = (term: string, skip = 0) => listUsers(database, { search: term, skip, limit: 5 })
  const found = await search('R29@EX')
  expect([found.total, found.part.map(({ email }) => email)]).toEqual([1, ['user29@example.org']])
  expect(Math.max(...(await rowsRead(database.pool, () => search('R29@EX'))))).toBeLessThanOrEqual(6)
  expect((await search('7@')).total).toBe(30)
  await database.pool.query(
    `WITH made AS (INSERT INTO owners (kind, created_at, last_seen) SELECT 'user', now() - n * interval '1 s', null FROM generate_series(1, 1000) n RETURNING id)
     INSERT INTO users (id, email) SELECT id, id || '@example.org' FROM made`,
  )
  const common = await search('example', 2)
  expect([common.total, common.part[0]?.email]).toEqual([1_000, 'user298@example.org'])
  expect(Math.max(...(await rowsRead(database.pool, () => search('example'))))).toBeLessThanOrEqual(1_300)
})

test('of alerts that wait no more than 10,000 are counted', async () => {
  await database.pool.query(
    `INSERT INTO alert_events (owner_id, widget_id, coin_a_id, coin_b_id, coin_a_symbol, coin_b_symbol, side, epoch, ratio, threshold, crossed_at)
     SELECT o.id, o.id, 'a', 'b', 'A', 'B', 'high', n, 2, 1, now() FROM (SELECT id FROM owners LIMIT 1) o, generate_series(1, 10050) n`,
  )
  expect(await alertBacklog(database.orm)).toEqual({ crossings: 10_000, deliveries: 0 })
  const read = await rowsRead(database.pool, () => alertBacklog(database.orm))
  expect(read).toEqual([10_000])
})

test('a start with limits that have long been applied looks at no widget; one within an hour of their change does', async () => {
  const env = loadEnv({ FREE_MAX_WIDGETS: '3' })
  const looks = async (limits: typeof env, now: number) => {
    const { statements } = await sentDuring(database.pool, () => applyLimits(database, limits, now))
    return statements.some(({ text }) => text.includes('"widgets"'))
  }
  expect(await looks(env, NOW)).toBe(true)
  expect(await looks(env, NOW + HOUR - 1)).toBe(true)
  expect(await looks(env, NOW + HOUR + 1)).toBe(false)
  expect(await looks(loadEnv({ FREE_MAX_WIDGETS: '4' }), NOW + HOUR + 2)).toBe(true)
  expect(await looks(env, NOW + HOUR + 3)).toBe(true)
})
