import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { push_deliveries } from '../../server/db/schema/alerts'
import type { PushSender } from '../../server/adapters/push/push-sender'
import { deliverAlerts } from '../../server/services/push/deliver'
import { fanOut } from '../../server/services/push/delivery-queue'
import { retention_clock } from '../../server/db/schema/jobs'
import { hashOfSecret } from '../../server/services/secrets'
import { DAY, HOUR, MINUTE } from '../../src/domain/granularity'
import type { PushReply } from '../support/push-service'
import { type Browser, browserAt } from './support/browser'
import { recordCrossing } from './support/crossings'
import {
  browserOf,
  crossing,
  deliver,
  deliveries,
  deps,
  events,
  server,
  me,
  service,
  setPushScene,
  subscriptions,
  widget,
} from './support/push-scene'
import { trustClock } from './support/trusted-clock'

setPushScene()

test('an alert reaches every browser of its owner once, encrypted and VAPID-signed, and no browser of another owner', async () => {
  const [phone, desk] = [await browserOf(), await browserOf()]
  const other = await browserOf(server.guest())
  const { crossed_at } = await crossing({ epoch: 3 })
  server.clock.advance(90_500)
  await deliver()
  const message = {
    type: 'alert',
    event_id: `${widget}:high:3`,
    owner: hashOfSecret(me.id),
    widget_id: widget,
    coin_a_id: 'bitcoin',
    coin_b_id: 'ethereum',
    pair: 'BTC / ETH',
    side: 'high',
    epoch: 3,
    ratio: 21.5,
    threshold: 21,
    crossed_at: crossed_at.toISOString(),
  }
  expect([phone.alerts, desk.alerts, other.alerts]).toEqual([[message], [message], []])
  expect([phone.answers, desk.answers, other.answers]).toEqual([[201], [201], []])
  expect(phone.heads).toMatchObject([{ urgency: 'high', ttl: String(3600 - 91), 'content-encoding': 'aes128gcm' }])
  expect(phone.heads[0]?.['topic']).toMatch(/^[\w-]{32}$/)
  expect(await deliveries()).toMatchObject([
    { outcome: 'sent', attempts: 1 },
    { outcome: 'sent', attempts: 1 },
  ])
  expect(await events()).toMatchObject([{ delivery: 'fanned-out' }])
  await deliver()
  expect(phone.arrivals).toHaveLength(1)
})

test('a push says how far each coin moved since an earlier checkpoint, as long as the stored prices make its ratio', async () => {
  const browser = await browserOf()
  const now = server.clock()
  const { orm } = server.database
  const stored = async (bitcoin: number) => {
    await orm.execute(sql`INSERT INTO market_coins (source, id, symbol, name, listed_at)
      VALUES ('simulated', 'bitcoin', 'btc', '', 1), ('simulated', 'ethereum', 'eth', '', 1) ON CONFLICT DO NOTHING`)
    await orm.execute(sql`INSERT INTO market_prices (coin_key, usd, at, seen_at)
      SELECT key, CASE id WHEN 'bitcoin' THEN ${bitcoin}::float8 ELSE 2000 END, ${now}::bigint, ${now}::bigint FROM market_coins
      WHERE source = 'simulated' AND id IN ('bitcoin', 'ethereum')
      ON CONFLICT (coin_key) DO UPDATE SET usd = excluded.usd`)
    await orm.execute(sql`INSERT INTO alert_source (id, source) VALUES (1, 'simulated') ON CONFLICT DO NOTHING`)
  }
  const save = (at: number) =>
    me.ask('POST', `/widgets/${widget}/checkpoints/anonymous`, {
      ratio: 20,
      prices: { a: 50_000, b: 2_500 },
      timestamp: new Date(at).toISOString(),
    })
  await stored(43_000)
  await save(now + MINUTE)
  await crossing({ epoch: 1 })
  await deliver()
  await save(now - HOUR)
  await crossing({ epoch: 2 })
  await deliver()
  await stored(43_100)
  await crossing({ epoch: 3 })
  await deliver()
  expect(browser.alerts.map((alert) => 'since_checkpoint' in alert)).toEqual([false, true, false])
  expect(browser.alerts[1]).toMatchObject({
    since_checkpoint: { a: expect.closeTo(-0.14, 9), b: expect.closeTo(-0.2, 9) },
  })
})

test('the push message of a registered user’s alert names its owner by a hash of the account id', async () => {
  const account = await server.user()
  const theirs = (await account.add('bitcoin', 'ethereum')).id
  await account.update(theirs, { notifications_enabled: true })
  const browser = browserAt(service)
  await browser.subscribe(account)
  await recordCrossing(server.database, theirs, server.clock())
  await deliver()
  expect(browser.alerts).toMatchObject([{ owner: hashOfSecret(account.id) }])
})

test('alerts of one threshold side share a push topic, and alerts of the other side use a different topic', async () => {
  const browser = await browserOf()
  for (const change of [{ epoch: 1 }, { epoch: 2 }, { epoch: 2, side: 'low' as const }]) await crossing(change)
  await deliver()
  const topics = browser.heads.map((head) => head['topic'])
  expect(new Set(browser.alerts.map(({ event_id }) => event_id)).size).toBe(3)
  expect(new Set(topics).size).toBe(2)
})

test('an alert for a ratio that fell to 0 is delivered', async () => {
  const browser = await browserOf()
  await crossing({ side: 'low', ratio: 0 })
  await deliver()
  expect(browser.alerts).toMatchObject([{ ratio: 0 }])
})

const outcome = async () => (await deliveries()).map(({ outcome }) => outcome)
const replying = async (reply: PushReply): Promise<Browser> => {
  const browser = await browserOf()
  browser.reply(reply)
  await crossing()
  await deliver()
  return browser
}

test.each([404, 410])('a push service answer of %i removes the subscription of that browser alone', async (status) => {
  const [left] = [await browserOf()]
  await replying({ status })
  expect((await subscriptions()).map(({ endpoint }) => endpoint)).toEqual([left.endpoint])
  expect(await outcome()).toEqual(['sent'])
})

test('a browser whose push service answers 403 gets no further request until the browser subscribes again', async () => {
  const browser = await replying({ status: 403 })
  expect(await outcome()).toEqual(['refused'])
  expect((await subscriptions())[0]?.refused_at).toEqual(new Date(server.clock()))
  browser.reply(null)
  await crossing({ epoch: 1 })
  await deliver()
  expect(browser.arrivals).toHaveLength(1)
  await browser.subscribe(me)
  await crossing({ epoch: 2 })
  await deliver()
  expect(browser.alerts.map(({ epoch }) => epoch)).toEqual([2])
})

test('a delivery that a fan-out makes beside the 403 of its browser ends as refused without another request', async () => {
  const browser = await replying({ status: 403 })
  await server.database.orm.update(push_deliveries).set({ outcome: 'waiting', ended_at: null })
  await deliver()
  expect([browser.arrivals.length, await outcome()]).toEqual([1, ['refused']])
})

test('an alert that comes once a browser has subscribed anew is sent, though an earlier push to the browser is answered 403', async () => {
  const browser = await browserOf()
  await crossing()
  let asked = 0
  const send: PushSender['send'] = async (message) => {
    asked += 1
    if (asked > 1) return deps().sender.send(message)
    server.clock.advance(MINUTE)
    await browser.subscribe(me)
    await crossing({ epoch: 1 })
    await fanOut(server.database, server.clock())
    return { kind: 'answered', status: 403, retryAfter: null }
  }
  await deliverAlerts({ ...deps(), sender: { ...deps().sender, send } })
  expect([browser.alerts.map(({ epoch }) => epoch), (await outcome()).toSorted()]).toEqual([[1], ['refused', 'sent']])
})

test.each([400, 401, 413, 414, 422])(
  'an alert answered with %i is given up, and the next delivered',
  async (status) => {
    const browser = await replying({ status })
    expect(await outcome()).toEqual(['undeliverable'])
    browser.reply(null)
    await crossing({ epoch: 1 })
    server.clock.advance(HOUR / 2)
    await deliver()
    expect(browser.alerts.map(({ epoch }) => epoch)).toEqual([1])
  },
)

test.each<[string, PushReply]>([
  ['answers 406', { status: 406 }],
  ['answers 429', { status: 429 }],
  ['answers 500', { status: 500 }],
  ['answers 503', { status: 503 }],
  ['answers with a redirect', { status: 307, headers: { location: 'https://elsewhere.example/' } }],
  ['hangs up', 'hang-up'],
])('an alert is retried after growing pauses for at most an hour while its push service %s', async (_what, reply) => {
  const begun = server.clock()
  const browser = await replying(reply)
  const pauses: number[] = []
  for (;;) {
    const [row] = await deliveries()
    if (row?.outcome !== 'waiting') break
    const pause = row.next_attempt_at.getTime() - server.clock()
    pauses.push(pause)
    server.clock.advance(pause - 1)
    await deliver()
    expect(browser.arrivals).toHaveLength(pauses.length)
    server.clock.advance(1)
    await deliver()
    expect(browser.arrivals).toHaveLength(pauses.length + 1)
  }
  expect(pauses).toEqual([5_000, 15_000, 45_000, 135_000, 405_000, 15 * MINUTE, 15 * MINUTE, 15 * MINUTE])
  expect(server.clock() - begun).toBeLessThanOrEqual(HOUR)
  expect(await outcome()).toEqual(['too-late'])
  expect(await subscriptions()).toHaveLength(1)
})

test('an alert deferred by a 503 is delivered after recovery, with its original crossing time and the remaining TTL', async () => {
  const browser = await replying({ status: 503 })
  const at = server.clock()
  browser.reply(null)
  server.clock.advance(30 * MINUTE)
  await deliver()
  expect(browser.alerts.map(({ crossed_at }) => Date.parse(crossed_at))).toEqual([at])
  expect(browser.heads[0]?.['ttl']).toBe('1800')
})

test.each([
  ['seconds', () => '120'],
  ['a date', () => new Date(server.clock() + 120_000).toUTCString()],
])('a Retry-After of 120 s, given as %s, defers all alerts of that browser alone', async (_form, after) => {
  const other = await browserOf()
  const browser = await replying({ status: 429, headers: { 'retry-after': after() } })
  await crossing({ epoch: 1 })
  server.clock.advance(119_000)
  await deliver()
  expect([browser.arrivals.length, other.alerts.length]).toEqual([1, 2])
  browser.reply(null)
  server.clock.advance(1_000)
  await deliver()
  expect(browser.alerts.map(({ epoch }) => epoch).toSorted()).toEqual([0, 1])
})

test('the server gives up an alert that expires before Retry-After ends, and sends that browser nothing until then', async () => {
  const browser = await replying({ status: 503, headers: { 'retry-after': '7200' } })
  expect(await outcome()).toEqual(['too-late'])
  server.clock.advance(2 * HOUR - 1_000)
  browser.reply(null)
  await crossing({ epoch: 1 })
  await deliver()
  expect(browser.arrivals).toHaveLength(1)
  server.clock.advance(1_000)
  await deliver()
  expect(browser.alerts.map(({ epoch }) => epoch)).toEqual([1])
})

test('alerts deferred by a Retry-After are delivered in the order of their crossings', async () => {
  const browser = await replying({ status: 429, headers: { 'retry-after': '120' } })
  browser.reply(null)
  for (const epoch of [1, 2]) {
    server.clock.advance(30_000)
    await crossing({ epoch })
    await deliver()
  }
  server.clock.advance(60_000)
  await deliver()
  expect(browser.alerts.map(({ epoch }) => epoch)).toEqual([0, 1, 2])
})

test('a deferred alert is superseded once a later alert of its side was sent, and the other side’s alert is still sent', async () => {
  const browser = await replying({ status: 500 })
  await crossing({ side: 'low' })
  await deliver()
  browser.reply(null)
  server.clock.advance(1_000)
  await crossing({ epoch: 1 })
  await deliver()
  server.clock.advance(MINUTE)
  await deliver()
  expect(browser.alerts.map(({ side, epoch }) => `${side} ${epoch}`)).toEqual(['high 1', 'low 0'])
  expect((await outcome()).toSorted()).toEqual(['sent', 'sent', 'superseded'])
})

test.each([
  ['ahead', 2 * HOUR],
  ['behind', -2 * HOUR],
])(
  'a crossing, and a push under way, that are too late to a clock which has jumped %s wait for it to be set right',
  async (_, jump) => {
    await trustClock(server)
    const browser = await replying({ status: 503 })
    browser.reply(null)
    await crossing({ epoch: 1 })
    server.clock.advance(jump)
    await deliver()
    expect((await events()).map(({ delivery }) => delivery).toSorted()).toEqual(['fanned-out', 'waiting'])
    server.clock.advance(MINUTE - jump)
    await deliver()
    expect(browser.alerts.map(({ epoch }) => epoch).toSorted()).toEqual([0, 1])
    await server.database.orm.delete(retention_clock)
  },
)

test('a Retry-After of years is cut to one day', async () => {
  const browser = await replying({ status: 503, headers: { 'retry-after': '9'.repeat(400) } })
  browser.reply(null)
  server.clock.advance(DAY)
  await crossing({ epoch: 1 })
  await deliver()
  expect(browser.alerts).toHaveLength(1)
})

test(
  'a request to a silent push service times out after ten seconds, and delivery to other browsers does not wait',
  { tags: ['full'], timeout: 60_000 },
  async () => {
    const [silent, quick] = [await browserOf(), await browserOf()]
    silent.reply('nothing')
    await crossing()
    const begun = Date.now()
    const all = deliver()
    await expect.poll(() => quick.alerts.length, { timeout: 5_000 }).toBe(1)
    await crossing({ epoch: 1 })
    await expect.poll(() => quick.alerts.length, { timeout: 5_000 }).toBe(2)
    // Ten seconds, or twice as many: the silent one's second alert is sent once the first is given up.
    await all
    expect(Date.now() - begun).toBeGreaterThan(9_500)
    expect((await deliveries()).filter(({ outcome }) => outcome === 'waiting')).toHaveLength(2)
  },
)
