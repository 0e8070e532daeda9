/** @module-tag both-engines */
import { randomUUID } from 'node:crypto'
import { Registry } from 'prom-client'
import { beforeEach, expect, test } from 'vitest'
import { MINUTE } from '../../src/domain/granularity'
import { operationMetrics } from '../../server/services/operation-metrics'
import { withServer } from './support/for-file'
import { sentDuring } from './support/sent-statements'

const server = withServer()
const run = (text: string, values: readonly unknown[] = []) => server.database.pool.query(text, [...values])
const ago = (milliseconds: number) => new Date(server.clock() - milliseconds)

beforeEach(async () => {
  await server.reset()
  await run('TRUNCATE market_calls, market_coins, jobs, mail_requests CASCADE')
})

/** The lines of a scrape, by metric and labels. */
async function scraped(source: 'coingecko' | 'simulated' = 'coingecko', broken = false) {
  const registry = new Registry()
  const database = broken ? { ...server.database, orm: {}, pool: {} } : server.database
  operationMetrics(registry, {
    database: database as typeof server.database,
    env: { COINGECKO_MONTHLY_CALLS: 1000, COINGECKO_PRO_API_KEY: undefined },
    market: { source },
    clock: server.clock,
    logger: undefined,
  })
  const lines = (await registry.metrics()).split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return Object.fromEntries(lines.map((line) => [line.replace(/ \S+$/, ''), Number(/\S+$/.exec(line)?.[0])]))
}

/** Stores an alert of a new guest; `delivery`: it waits to be fanned out, or for the guest's browser. */
async function alert(delivery: 'waiting' | 'fanned-out', crossed: Date, held: Date | null = null) {
  const owner = randomUUID()
  await run(`INSERT INTO owners (id, kind, anonymous_hash, created_at) VALUES ($1, 'guest', $2, now())`, [owner, owner])
  const event = await run(
    `INSERT INTO alert_events (owner_id, widget_id, coin_a_id, coin_b_id, coin_a_symbol, coin_b_symbol, side, epoch, ratio,
       threshold, crossed_at, held_until, delivery) VALUES ($1, $1, 'a', 'b', 'A', 'B', 'high', 1, 2, 1, $2, $3, $4) RETURNING id`,
    [owner, crossed, held, delivery],
  )
  if (delivery === 'waiting') return
  const browser = await run(
    `INSERT INTO push_subscriptions (owner_id, endpoint, p256dh, auth, subscribed_at, free_at)
     VALUES ($1, $2, '', '', now(), now()) RETURNING id`,
    [owner, `https://push.example/${owner}`],
  )
  await run(`INSERT INTO push_deliveries (event_id, subscription_id, next_attempt_at) VALUES ($1, $2, $3)`, [
    event.rows[0].id,
    browser.rows[0].id,
    new Date(server.clock() + MINUTE),
  ])
}

test('a scrape tells the age of the newest price of its source, and the calls that the month has left', async () => {
  const before = await scraped()
  expect(before['price_age_seconds']).toBeNaN()
  expect([before['provider_calls_used'], before['provider_calls_left']]).toEqual([0, 1000])
  for (const [source, age] of [
    ['coingecko', 90_000],
    ['coingecko', 200_000],
    ['simulated', 1000],
  ] as const)
    await run(
      `WITH coin AS (INSERT INTO market_coins (source, id, symbol, name, listed_at, asked_at) VALUES ($1, $2, 's', 'n', 0, $4) RETURNING key)
       INSERT INTO market_prices (coin_key, usd, at, seen_at) SELECT key, 1, 0, $3 FROM coin`,
      [source, `coin-${age}`, server.clock() - age, server.clock()],
    )
  await run(`INSERT INTO market_calls (month, calls) VALUES ($1, 1200)`, [ago(0).toISOString().slice(0, 7)])
  const after = await scraped()
  expect(after['price_age_seconds']).toBe(90)
  expect([after['provider_calls_used'], after['provider_calls_left']]).toEqual([1200, 0])
  const simulated = await scraped('simulated')
  expect(simulated['price_age_seconds']).toBe(1)
  expect([simulated['provider_calls_used'], simulated['provider_calls_left']]).toEqual([NaN, NaN])
  // No coin is watched, so that no price is fetched.
  await run('UPDATE market_coins SET asked_at = null')
  expect((await scraped())['price_age_seconds']).toBeNaN()
})

test('a scrape tells how long the oldest alert and the oldest mail wait, an alert of quiet hours from their end on', async () => {
  const oldest = async () => {
    const found = await scraped()
    return [found['delivery_oldest_seconds'], found['mail_oldest_seconds']]
  }
  expect(await oldest()).toEqual([0, 0])
  await alert('fanned-out', ago(60 * MINUTE), ago(-30 * MINUTE))
  expect(await oldest()).toEqual([0, 0])
  await alert('waiting', ago(2 * MINUTE))
  expect(await oldest()).toEqual([120, 0])
  await alert('fanned-out', ago(60 * MINUTE), ago(3 * MINUTE))
  await run(
    `INSERT INTO mail_requests (kind, email, requested_at, next_attempt_at) SELECT 'verify-email', 'a@example.com', at, $2
     FROM unnest($1::timestamptz[]) at`,
    [[ago(MINUTE), ago(5 * MINUTE)], ago(-10 * MINUTE)],
  )
  expect(await oldest()).toEqual([180, 300])
})

test('a scrape tells by how much each job is overdue, which failed, and the estimated size of each table', async () => {
  await run(
    `INSERT INTO jobs (name, next_run_at, claimed_until, last_error) VALUES
       ('due', $1, null, null), ('running', $1, $2, 'it broke'), ('early', $2, null, null)`,
    [ago(90_000), ago(-10_000)],
  )
  await run('ANALYZE jobs')
  const found = await scraped()
  expect(['due', 'running', 'early'].map((job) => found[`job_late_seconds{job="${job}"}`])).toEqual([90, 0, 0])
  expect(['due', 'running', 'early'].map((job) => found[`job_failing{job="${job}"}`])).toEqual([0, 1, 0])
  expect(found['table_rows{table="jobs"}']).toBe(3)
  // A page of rows, one of its index and the index's root.
  expect(found['table_bytes{table="jobs"}']).toBeGreaterThanOrEqual(2 * 8192)
})

test('a scrape reads the jobs, and the catalogue of tables, once for all figures of them', async () => {
  const { statements } = await sentDuring(server.database.pool, () => scraped())
  const reading = (what: string) => statements.filter(({ text }) => text.includes(what)).length
  expect([reading('from "jobs"'), reading('pg_class t')]).toEqual([1, 1])
})

test('figures that cannot be read are NaN or absent, and never 0', async () => {
  await run(`INSERT INTO jobs (name, next_run_at) VALUES ('due', $1)`, [ago(0)])
  const found = await scraped('coingecko', true)
  const { 'build_info{version="0.0.0",commit="unknown"}': build, ...others } = found
  expect(build).toBe(1)
  expect(Object.keys(others).toSorted()).toEqual([
    'delivery_oldest_seconds',
    'mail_oldest_seconds',
    'price_age_seconds',
    'provider_calls_left',
    'provider_calls_used',
  ])
  expect(Object.values(others).every(Number.isNaN)).toBe(true)
})
