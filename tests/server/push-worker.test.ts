import { Registry } from 'prom-client'
import { afterEach, expect, test } from 'vitest'
import { pushHosts } from '../../server/adapters/push/push-hosts'
import { pushSender } from '../../server/adapters/push/push-sender'
import { alert_events, push_deliveries, push_subscriptions } from '../../server/db/schema/alerts'
import { deliveryCounter, pushMetrics } from '../../server/services/alerts/metrics'
import { removeOutdated } from '../../server/services/retention'
import { startPushWorker } from '../../server/services/push/push-worker'
import { vapidOf } from '../../server/services/push/vapid-keys'
import { DAY, HOUR } from '../../src/domain/granularity'
import { startPushService } from '../support/push-service'
import { browserAt } from './support/browser'
import { recordCrossing } from './support/crossings'
import { forFile, withServer } from './support/for-file'

const metrics = new Registry()
const service = forFile(startPushService, (made) => made.stop())
const server = withServer(() => ({ env: { PUSH_ALLOWED_HOSTS: service.host }, deps: { metrics } }))

let worker: ReturnType<typeof startPushWorker> | null = null
afterEach(async () => {
  await worker?.stop()
  worker = null
  await server.reset()
})

const start = () => {
  const sender = pushSender({ vapid: vapidOf(server.env), hosts: pushHosts([service.host]), clock: Date.now })
  worker = startPushWorker({
    database: server.database,
    env: server.env,
    sender,
    clock: server.clock,
    metrics: pushMetrics(metrics, server.database, deliveryCounter(metrics)),
  })
}

async function owner() {
  const me = server.guest()
  const widget = (await me.add('bitcoin', 'ethereum')).id
  await me.update(widget, { notifications_enabled: true })
  const browser = browserAt(service)
  await browser.subscribe(me)
  return { me, widget, browser }
}

test('the push worker finds new crossings by itself, and /metrics counts delivery outcomes, latency and backlog', async () => {
  const [happy, refusing] = [await owner(), await owner()]
  refusing.browser.reply({ status: 503 })
  start()
  for (const { widget } of [happy, refusing]) await recordCrossing(server.database, widget, server.clock() - 2_000)
  await expect.poll(() => happy.browser.alerts.length).toBe(1)
  await expect
    .poll(async () => (await server.app.inject('/metrics')).payload)
    .toMatch(/push_deliveries_total\{outcome="again"\} 1\n/)
  await recordCrossing(server.database, happy.widget, server.clock(), { epoch: 1 })
  await expect
    .poll(async () => (await server.app.inject('/metrics')).payload)
    .toMatch(/push_deliveries_total\{outcome="sent"\} 2\n/)
  const { payload } = await server.app.inject('/metrics')
  for (const line of [
    'push_deliveries_total{outcome="gone"} 0',
    'push_latency_seconds_bucket{le="1"} 1',
    'push_latency_seconds_bucket{le="2.5"} 2',
    'push_waiting{what="deliveries"} 1',
    'push_waiting{what="crossings"} 0',
    'http_request_duration_seconds_count',
  ])
    expect(payload).toContain(line)
  expect(payload).not.toContain(service.host)
  await server.database.pool.query('ALTER TABLE push_deliveries RENAME TO push_deliveries_away')
  const without = await server.app.inject('/metrics')
  await server.database.pool.query('ALTER TABLE push_deliveries_away RENAME TO push_deliveries')
  expect([without.statusCode, without.payload.includes('push_waiting{what="deliveries"} Nan')]).toEqual([200, true])
})

test('stopping the push worker lets the delivery in progress finish and starts no further delivery', async () => {
  const { widget, browser } = await owner()
  let release = (): void => undefined
  const held = new Promise<void>((resolve) => (release = resolve))
  let asked = 0
  worker = startPushWorker({
    database: server.database,
    env: server.env,
    clock: server.clock,
    sender: {
      send: async () => {
        asked++
        await held
        return { kind: 'answered', status: 201, retryAfter: null }
      },
      close: () => undefined,
    },
  })
  await recordCrossing(server.database, widget, server.clock())
  await expect.poll(() => asked).toBe(1)
  const stopped = worker.stop()
  await recordCrossing(server.database, widget, server.clock(), { epoch: 1 })
  release()
  await stopped
  expect((await server.rows(push_deliveries)).map(({ outcome }) => outcome)).toEqual(['sent'])
  expect((await server.rows(alert_events)).map(({ delivery }) => delivery).toSorted()).toEqual([
    'fanned-out',
    'waiting',
  ])
  expect([asked, browser.arrivals.length]).toEqual([1, 0])
})

test('the push worker retries after database errors and delivers the alert once the database works again', async () => {
  const { widget, browser } = await owner()
  await server.database.pool.query('ALTER TABLE push_deliveries RENAME TO push_deliveries_away')
  await recordCrossing(server.database, widget, server.clock())
  const said: unknown[] = []
  const sender = pushSender({ vapid: vapidOf(server.env), hosts: pushHosts([service.host]), clock: Date.now })
  const logger = { error: (about: unknown) => said.push(about) } as never
  worker = startPushWorker({ database: server.database, env: server.env, sender, clock: server.clock, logger })
  await expect.poll(() => said.length, { timeout: 10_000 }).toBeGreaterThan(1)
  await server.database.pool.query('ALTER TABLE push_deliveries_away RENAME TO push_deliveries')
  await expect.poll(() => browser.arrivals.length, { timeout: 10_000 }).toBe(1)
})

test('retention removes crossings after 400 days and deliveries 30 days after their end, but no subscription', async () => {
  const { widget } = await owner()
  const [subscription] = await server.rows(push_subscriptions)
  const now = server.clock()
  const deliver = async (epoch: number, crossedAt: number, endedAt: number) => {
    const crossed = { epoch, delivery: 'fanned-out' } as const
    const { id: event_id, owner_id } = await recordCrossing(server.database, widget, crossedAt, crossed)
    const [subscription_id, next_attempt_at] = [subscription!.id, new Date(now)]
    const ended = { owner_id, outcome: 'sent', ended_at: new Date(endedAt) } as const
    await server.database.orm.insert(push_deliveries).values({ event_id, subscription_id, next_attempt_at, ...ended })
  }
  for (const [epoch, age] of [399, 401].entries()) await deliver(epoch, now - age * DAY, now)
  for (const [i, age] of [30 * DAY - HOUR, 30 * DAY + HOUR].entries()) await deliver(10 + i, now, now - age)
  await removeOutdated(server.database, 'remove-old-alerts', now)
  const events = await server.rows(alert_events)
  expect(events.map(({ epoch }) => epoch).toSorted()).toEqual([0, 10, 11])
  const left = await server.rows(push_deliveries)
  expect(left.map(({ event_id }) => events.find(({ id }) => id === event_id)?.epoch).toSorted()).toEqual([0, 10])
  expect(await server.rows(push_subscriptions)).toHaveLength(1)
})
