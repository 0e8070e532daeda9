import { beforeEach, expect, test } from 'vitest'
import { overview, type Overview } from '../../src/contract/admin'
import { DAY, HOUR, MINUTE } from '../../src/domain/granularity'
import { billing_events, billing_removals, subscriptions } from '../../server/db/schema/billing'
import { jobs } from '../../server/db/schema/jobs'
import { market_coins, market_prices } from '../../server/db/schema/market'
import { push_deliveries, push_subscriptions } from '../../server/db/schema/alerts'
import { callBudget } from '../../server/services/market/prices/call-budget'
import { saveCoins } from '../../server/services/market/coin-list'
import { startJobs } from '../../server/jobs/periodic'
import { COMMIT, VERSION } from '../../server/program-files'
import type { Operator } from './support/admin'
import { recordCrossing } from './support/crossings'
import { fakeMarket } from './support/fake-market'
import { fakePayments } from './support/fake-payments'
import { subscription } from './support/subscription'
import { testApp } from './support/test-app'
import { withServer } from './support/for-file'

let boss: Operator
const market = { ...fakeMarket(), source: 'coingecko' as const }
const server = withServer({ market, env: { COINGECKO_MONTHLY_CALLS: '1000', FREE_MAX_WIDGETS: '2' } })
beforeEach(async () => {
  await server.reset()
  await server.database.orm.delete(jobs)
  boss = await server.operator()
})

const look = async (): Promise<Overview> => overview.parse((await boss.ask('GET', '/admin/overview')).body)
const ago = (milliseconds: number) => new Date(server.clock() - milliseconds)

test('the admin overview of a fresh server counts one user, the operator, and nothing else', async () => {
  expect(await look()).toEqual({
    version: `${VERSION} (${COMMIT})`,
    at: ago(0).toISOString(),
    accounts: { users: 1, premium: 0, guests: 0, widgets: 0, armed_sides: 0 },
    market: {
      source: 'coingecko',
      newest_price_at: null,
      coins_priced: 0,
      coins_watched: 0,
      provider_calls: 0,
      provider_budget: 1000,
    },
    alerts: { crossings: 0, sent: 0, undeliverable: 0, median_seconds: null },
    queues: { crossings: 0, deliveries: 0, mails: 0, billing_removals: 0, late_jobs: [], failing_jobs: [] },
    billing: { available: false, sandbox: false, paying: 0, granted: 0, newest_event_at: null },
    // Its figures: storage-figures.test.ts.
    storage: expect.anything(),
    // Of a clock that has jumped: retention.test.ts.
    retention: null,
  })
})

test('the admin overview counts only those alert sides as armed that can fire', async () => {
  const me = server.guest()
  const [first, second] = [await me.add('bitcoin', 'ethereum'), await me.add('bitcoin', 'solana')]
  const armed = async () => (await look()).accounts.armed_sides
  await me.update(first.id, { high_threshold: 9, low_threshold: 1, notifications_enabled: true })
  await me.update(second.id, { high_threshold: 9, notifications_enabled: false })
  expect(await armed()).toBe(2)
  await me.update(first.id, { low_threshold_active: false })
  expect(await armed()).toBe(1)
  await me.update(second.id, { notifications_enabled: true })
  expect(await armed()).toBe(2)
  const them = await server.user({ premium: true })
  for (const coin of ['ethereum', 'solana', 'ripple']) {
    await them.update((await them.add('bitcoin', coin)).id, { low_threshold: 1, notifications_enabled: true })
  }
  expect(await armed()).toBe(5)
  // Their third pair is beyond the free limit.
  await server.setUser(them.id, { has_premium_access: false })
  await them.reorder([])
  expect((await look()).accounts).toEqual({ users: 2, premium: 0, guests: 1, widgets: 5, armed_sides: 4 })
})

test('the admin overview reports prices of the market source in use and provider calls of the current month', async () => {
  const listed = (id: string, market_cap_rank: number) => ({
    id,
    symbol: id,
    name: id,
    image: null,
    market_cap_rank,
    usd: null,
    providerTime: 0,
  })
  const { orm, pool } = server.database
  await saveCoins(pool, 'coingecko', ['bitcoin', 'ethereum', 'tron'].map(listed), server.clock())
  await saveCoins(pool, 'simulated', ['bitcoin'].map(listed), server.clock())
  const coins = await orm.select().from(market_coins)
  const seen = { coingecko: { bitcoin: 2 * HOUR, ethereum: 90_000 }, simulated: { bitcoin: 1 } } as Record<
    string,
    Record<string, number>
  >
  for (const { key, source, id } of coins) {
    const before = seen[source]?.[id]
    if (before === undefined) continue
    await orm
      .insert(market_prices)
      .values({ coin_key: key, usd: 2, provider_time: server.clock() - DAY, fetched_at: server.clock() - before })
  }
  await server.guest().add('bitcoin', 'ethereum')
  const budget = callBudget(pool, 1000, server.clock)
  for (let calls = 0; calls < 3; calls++) await budget.spend('prices', 'polling')
  const before = callBudget(pool, 1000, () => server.clock() - 31 * DAY)
  await before.spend('prices', 'polling')
  expect((await look()).market).toEqual({
    source: 'coingecko',
    newest_price_at: ago(90_000).toISOString(),
    coins_priced: 2,
    coins_watched: 2,
    provider_calls: 3,
    provider_budget: 1000,
  })
  const simulated = await testApp({ database: server.database })
  const other = await simulated.operator()
  const { body } = await other.ask<Overview>('GET', '/admin/overview')
  expect(body.market).toMatchObject({ source: 'simulated', coins_priced: 1, provider_calls: 0, provider_budget: null })
  await simulated.close()
})

test('the admin overview counts the alerts of the last day and reports their median delivery time', async () => {
  const me = server.guest()
  const widget = (await me.add('bitcoin', 'ethereum')).id
  await me.ask('POST', '/push/subscribe', subscription('https://fcm.googleapis.com/fcm/send/overview'))
  const [browser] = await server.rows(push_subscriptions)
  type Outcome = (typeof push_deliveries.$inferInsert)['outcome']
  let epoch = 0
  const told = async (outcome: Outcome, crossedAgo: number, tookSeconds: number | null) => {
    const delivery = outcome === 'waiting' ? 'waiting' : 'fanned-out'
    const crossed = await recordCrossing(server.database, widget, server.clock() - crossedAgo, {
      epoch: epoch++,
      delivery,
    })
    await server.database.orm.insert(push_deliveries).values({
      owner_id: crossed.owner_id,
      event_id: crossed.id,
      subscription_id: browser!.id,
      outcome,
      next_attempt_at: crossed.crossed_at,
      ended_at: tookSeconds === null ? null : new Date(crossed.crossed_at.getTime() + tookSeconds * 1000),
    })
  }
  await told('sent', HOUR, 1)
  await told('sent', 2 * HOUR, 2.5)
  await told('sent', 3 * HOUR, 60)
  await told('undeliverable', HOUR, 1)
  await told('refused', HOUR, 1)
  await told('too-late', HOUR, 3600)
  for (const outcome of ['unwanted', 'unwanted', 'unwanted', 'superseded', 'superseded'] as const)
    await told(outcome, HOUR, 1)
  await told('waiting', HOUR, null)
  await told('sent', DAY + MINUTE, 7)
  const { alerts, queues } = await look()
  expect(alerts).toEqual({ crossings: 12, sent: 3, undeliverable: 3, median_seconds: 2.5 })
  expect(queues).toMatchObject({ crossings: 1, deliveries: 1 })
})

test('the admin overview counts waiting mails and billing removals, and names late and failing jobs', async () => {
  const { database, clock } = server
  await database.orm.insert(billing_removals).values({ customer_id: 'cus_gone', next_attempt_at: ago(0) })
  await server.guest().ask('POST', '/feedback', { message: 'A message of some length.' })
  const failing = { name: 'b-fails', every: HOUR, run: () => Promise.reject(new Error('no')) }
  const fine = { name: 'a-is-fine', every: HOUR, run: () => Promise.resolve() }
  const running = await startJobs({ database, clock }, [failing, fine])
  await expect.poll(async () => (await database.rows(jobs)).filter((row) => row.last_finished_at).length).toBe(2)
  await running.stop()
  await database.orm.insert(jobs).values({ name: 'c-never-ran', next_run_at: ago(0) })
  expect((await look()).queues).toMatchObject({
    mails: 1,
    billing_removals: 1,
    late_jobs: [],
    failing_jobs: ['b-fails'],
  })

  clock.advance(2 * MINUTE)
  expect((await look()).queues.late_jobs).toEqual(['c-never-ran'])
  // As /readyz has it: an hour after it was due, an hourly job is late.
  clock.advance(2 * HOUR - MINUTE)
  expect((await look()).queues.late_jobs).toEqual(['c-never-ran'])
  clock.advance(1)
  expect((await look()).queues.late_jobs).toEqual(['a-is-fine', 'b-fails', 'c-never-ran'])
  await database.orm.update(jobs).set({ claimed_until: new Date(clock() + 1) })
  expect((await look()).queues.late_jobs).toEqual([])
  await database.orm.delete(billing_removals)
})

test('the admin overview counts paid and granted Premium separately and says whether billing is available', async () => {
  const people = await Promise.all(Array.from({ length: 5 }, () => server.user()))
  const row = (who: number, id: string, status: string, days: number) => ({
    user_id: people[who]!.id,
    stripe_subscription_id: id,
    status,
    current_period_start: ago(DAY),
    current_period_end: new Date(server.clock() + days * DAY),
    created_at: ago(DAY),
  })
  await server.database.orm.insert(subscriptions).values([
    row(0, 'sub_a', 'active', 1),
    row(0, 'sub_b', 'trialing', 1),
    row(1, 'sub_c', 'past_due', -1),
    row(1, 'manual_d', 'active', 1),
    row(2, 'manual_e', 'active', 0),
    row(3, 'manual_f', 'canceled', 1),
    row(3, 'sub_g', 'canceled', 1),
    // No grant, though it looks like one to LIKE.
    row(4, 'manualXh', 'active', 1),
  ])
  await server.database.orm.insert(billing_events).values([
    { id: 'evt_1', type: 'a', received_at: ago(HOUR) },
    { id: 'evt_2', type: 'a', received_at: ago(MINUTE) },
  ])
  const { billing } = await look()
  expect(billing).toEqual({
    available: false,
    sandbox: false,
    paying: 3,
    granted: 1,
    newest_event_at: ago(MINUTE).toISOString(),
  })

  const selling = await testApp({ database: server.database, deps: { payments: fakePayments(server.clock) } })
  const { body } = await (await selling.operator()).ask<Overview>('GET', '/admin/overview')
  expect(body.billing).toMatchObject({ available: true, sandbox: false })
  await selling.close()
})
