/** @module-tag both-engines */
import { beforeAll, expect, test } from 'vitest'
import { HOUR } from '../../src/domain/granularity'
import { loadEnv } from '../../server/env'
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
    'ANALYZE',
  ])
    await database.pool.query(text)
})

test('keys of changes are looked through some at a time, by their index', async () => {
  const read = await rowsRead(database.pool, () => removeSurplusKeys(database, 50))
  expect(Math.max(...read)).toBeLessThanOrEqual(50)
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
