import { expect } from 'vitest'
import { pushHosts } from '../../../server/adapters/push/push-hosts'
import { pushSender } from '../../../server/adapters/push/push-sender'
import { push_deliveries, push_subscriptions } from '../../../server/db/schema/alerts'
import { deliverAlerts } from '../../../server/services/push/deliver'
import { vapidOf } from '../../../server/services/push/vapid-keys'
import { HOUR } from '../../../src/domain/granularity'
import { type PushReply, startPushService } from '../../support/push-service'
import { type Browser, browserAt } from './browser'
import { recordCrossing } from './crossings'
import { testApp } from './test-app'
import type { TestClock } from './test-clock'

interface Storm {
  readonly owners: number
  /** Of each owner. */
  readonly browsers: number
  /** One in so many does not answer at first. */
  readonly silentEvery: number
  /** Of each owner, at different times; of a pair of them the second comes while the first is under way. */
  readonly crossings: number
  /** Deliverers at once. */
  readonly workers: number
}

interface Heard {
  readonly requests: number
  readonly deliveries: number
  readonly seconds: number
}

/** Seconds that push services ask for. */
const PAUSE = 40
/** Milliseconds from one look at what is due to the next. */
const ROUND_MS = 7_000

/** A push service's answer to the nth request for a browser (from 0); null: the answer that the request deserves. */
type Nature = (n: number, now: number) => PushReply | null
const asking =
  (status: number): Nature =>
  (n) =>
    n < 2 ? { status, headers: { 'retry-after': String(PAUSE) } } : null
const atFirst =
  (reply: PushReply): Nature =>
  (n) =>
    n === 0 ? reply : null
// oxfmt-ignore
const NATURES = {
  good: () => null,
  '403': () => ({ status: 403 }),
  '404': () => ({ status: 404 }),
  '406': asking(406),
  '410': () => ({ status: 410 }),
  '413': () => ({ status: 413 }),
  '429': asking(429),
  '429 until': (n, now) => n < 2 ? { status: 429, headers: { 'retry-after': new Date(now + PAUSE * 1000).toUTCString() } } : null,
  '500': atFirst({ status: 500 }),
  '503': asking(503),
  redirect: atFirst({ status: 307, headers: { location: 'http://127.0.0.1:1/' } }),
  'hang-up': atFirst('hang-up'),
  nothing: atFirst('nothing'),
} satisfies Record<string, Nature>
type Kind = keyof typeof NATURES
const QUICK = (Object.keys(NATURES) as Kind[]).filter((kind) => kind !== 'nothing')

interface Watched extends Browser {
  readonly kind: Kind
  readonly owner: number
  /** When each request came, and when the next one may. */
  readonly asked: { readonly at: number; readonly next: number }[]
}

function watch(browser: Browser, kind: Kind, owner: number, clock: TestClock): Watched {
  const asked: Watched['asked'] = []
  browser.reply(() => {
    const at = clock()
    const reply: PushReply | null = NATURES[kind](asked.length, at)
    const deferred = typeof reply === 'object' && reply?.headers?.['retry-after'] !== undefined
    asked.push({ at, next: deferred ? at + PAUSE * 1000 : at })
    return reply
  })
  return { ...browser, kind, owner, asked }
}

/** Many crossings for many browsers whose push services answer in every way; expects of each what it deserves. */
export async function weatherStorm(storm: Storm): Promise<Heard> {
  const service = await startPushService()
  const server = await testApp({ env: { PUSH_ALLOWED_HOSTS: service.host } })
  const sender = pushSender({ vapid: vapidOf(server.env), hosts: pushHosts([service.host]), clock: Date.now })
  const browsers: Watched[] = []
  const widgets: string[] = []
  for (let owner = 0; owner < storm.owners; owner++) {
    const me = server.guest()
    const widget = (await me.add('bitcoin', 'ethereum')).id
    await me.update(widget, { notifications_enabled: true })
    widgets.push(widget)
    for (let i = 0; i < storm.browsers; i++) {
      const number = owner * storm.browsers + i
      const kind = (number + 1) % storm.silentEvery === 0 ? 'nothing' : (QUICK[number % QUICK.length] ?? 'good')
      const browser = watch(browserAt(service), kind, owner, server.clock)
      await browser.subscribe(me)
      browsers.push(browser)
    }
  }
  const begun = performance.now()
  const look = () =>
    Promise.all(
      Array.from({ length: storm.workers }, () =>
        deliverAlerts({ database: server.database, env: server.env, sender, clock: server.clock }),
      ),
    )
  const cross = (epoch: number) =>
    Promise.all(widgets.map((widget) => recordCrossing(server.database, widget, server.clock(), { epoch })))
  for (let epoch = 0; epoch < storm.crossings; epoch += 2) {
    await cross(epoch)
    await Promise.all([look(), epoch + 1 < storm.crossings ? cross(epoch + 1) : null])
    server.clock.advance(ROUND_MS)
  }
  const deliveries = () => server.rows(push_deliveries)
  const end = server.clock() + HOUR
  while ((await deliveries()).some(({ outcome }) => outcome === 'waiting') && server.clock() < end) {
    await look()
    server.clock.advance(ROUND_MS)
  }
  const seconds = (performance.now() - begun) / 1000

  const rows = new Map((await server.rows(push_subscriptions)).map((row) => [row.endpoint, row]))
  const outcomes = new Map<string, string[]>()
  for (const { subscription_id, outcome } of await deliveries())
    outcomes.set(subscription_id, [...(outcomes.get(subscription_id) ?? []), outcome])
  const all = Array.from({ length: storm.crossings }, (_, epoch) => epoch)
  for (const browser of browsers) expectItsDue(browser, rows.get(browser.endpoint), outcomes, all)
  sender.close()
  await Promise.all([server.close(), service.stop()])
  const requests = browsers.reduce((sum, { asked }) => sum + asked.length, 0)
  return { requests, deliveries: browsers.length * storm.crossings, seconds }
}

type Row = typeof push_subscriptions.$inferSelect

function expectItsDue(browser: Watched, row: Row | undefined, outcomes: ReadonlyMap<string, string[]>, all: number[]) {
  const { kind, asked, alerts } = browser
  const early = asked.filter(({ at }, i) => i > 0 && at < (asked[i - 1]?.next ?? 0))
  expect(early, `${kind}: nothing before Retry-After`).toEqual([])
  expect(row === undefined, `${kind}: only 404 and 410 remove`).toBe(kind === '404' || kind === '410')
  expect(row?.refused_at != null, `${kind}: only 403 puts aside`).toBe(kind === '403')
  const ended = new Set(row && outcomes.get(row.id))
  if (kind === '403' || kind === '404' || kind === '410') {
    expect([asked.length, alerts.length], kind).toEqual([1, 0])
    if (kind === '403') expect(ended, kind).toEqual(new Set(['refused']))
  } else if (kind === '413') {
    expect([asked.length, alerts.length, ended], kind).toEqual([all.length, 0, new Set(['undeliverable'])])
  } else {
    // Each once, none after a later one, the latest in any case; what is left was given up for a later one.
    const notified = alerts.map(({ epoch }) => epoch)
    expect(notified, kind).toEqual([...new Set(notified)].toSorted((a, b) => a - b))
    expect(notified.at(-1), kind).toBe(all.at(-1))
    const endings = (row && outcomes.get(row.id)) ?? []
    expect(
      endings.filter((outcome) => outcome === 'sent'),
      kind,
    ).toHaveLength(notified.length)
    expect(
      endings.filter((outcome) => outcome === 'superseded'),
      kind,
    ).toHaveLength(all.length - notified.length)
  }
}
