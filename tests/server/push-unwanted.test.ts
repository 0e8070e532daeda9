import { type SQL, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { PushSender } from '../../server/adapters/push/push-sender'
import { claimDue, fanOut } from '../../server/services/push/delivery-queue'
import { deliverAlerts } from '../../server/services/push/deliver'
import { HOUR, MINUTE } from '../../src/domain/granularity'
import { recordCrossing } from './support/crossings'
import {
  browserOf,
  crossing,
  deliver,
  deliveries,
  events,
  server,
  me,
  deps,
  setPushScene,
  widget,
} from './support/push-scene'

setPushScene()

test.each([
  ['of a removed widget', 'widget-gone', () => me.remove(widget)],
  [
    'of a widget whose alerts are switched off',
    'switched-off',
    () => me.update(widget, { notifications_enabled: false }),
  ],
  ['more than an hour after its crossing', 'too-late', async () => server.clock.advance(HOUR + 1)],
])('no browser gets an alert %s', async (_when, why, happens) => {
  const browser = await browserOf()
  await crossing()
  await happens()
  await deliver()
  expect([browser.arrivals.length, (await events()).map(({ delivery }) => delivery)]).toEqual([0, [why]])
  expect(await deliveries()).toEqual([])
})

test('a deferred alert is given up as too late more than an hour after its crossing', async () => {
  const browser = await browserOf()
  await crossing()
  browser.reply({ status: 503 })
  await deliver()
  browser.reply(null)
  server.clock.advance(HOUR + 1)
  await deliver()
  expect(browser.alerts).toEqual([])
  expect((await deliveries()).map(({ outcome }) => outcome)).toEqual(['too-late'])
})

test.each([
  ['removes the widget', () => me.remove(widget)],
  ['switches the widget’s alerts off', () => me.update(widget, { notifications_enabled: false })],
])('a deferred alert ends as unwanted and is not sent once the owner %s', async (_what, happens) => {
  const browser = await browserOf()
  browser.reply({ status: 503 })
  await crossing()
  await deliver()
  await happens()
  browser.reply(null)
  server.clock.advance(MINUTE)
  await deliver()
  expect([browser.alerts, (await deliveries()).map(({ outcome }) => outcome)]).toEqual([[], ['unwanted']])
})

test('a crossing dated over an hour ahead sends no alert, and a crossing dated half an hour ahead gets a TTL of one hour', async () => {
  const browser = await browserOf()
  await recordCrossing(server.database, widget, server.clock() + HOUR + 1)
  await recordCrossing(server.database, widget, server.clock() + HOUR / 2, { epoch: 1 })
  await deliver()
  expect(browser.alerts.map(({ epoch }) => epoch)).toEqual([1])
  expect(browser.heads[0]?.['ttl']).toBe('3600')
})

test('a deferred alert is dropped when the browser subscribes for another owner, and stays dropped when the browser returns', async () => {
  const browser = await browserOf()
  browser.reply({ status: 503 })
  await crossing()
  await deliver()
  browser.reply(null)
  const next = server.guest()
  await browser.subscribe(next)
  server.clock.advance(MINUTE)
  await deliver()
  expect(browser.alerts).toEqual([])
  expect(await deliveries()).toEqual([])
  await browser.subscribe(me)
  await crossing({ epoch: 1 })
  await deliver()
  expect(browser.alerts.map(({ epoch }) => epoch)).toEqual([1])
})

test('no delivery can lead from one owner’s crossing to a browser that is another’s by now, whoever names the owner', async () => {
  const browser = await browserOf()
  const { id: event_id, owner_id } = await crossing()
  const subscription_id = await browser.subscribe(server.guest())
  const made = (owner: SQL) =>
    server.database.orm.execute(sql`INSERT INTO push_deliveries (event_id, subscription_id, next_attempt_at, owner_id)
      VALUES (${event_id}, ${subscription_id}, now(), ${owner})`)
  const refused = { cause: { constraint: 'push_deliveries_subscription_fk' } }
  await expect(made(sql`${owner_id}`)).rejects.toMatchObject(refused)
  await expect(made(sql`NULL`)).rejects.toMatchObject(refused)
})

test('a deferred alert is dropped when its browser unsubscribes', async () => {
  const browser = await browserOf()
  browser.reply({ status: 503 })
  await crossing()
  await deliver()
  await me.ask('DELETE', '/push/unsubscribe', { endpoint: browser.endpoint })
  browser.reply(null)
  server.clock.advance(MINUTE)
  await deliver()
  expect([browser.alerts, await deliveries()]).toEqual([[], []])
})

test('a claim of up to 50 takes one due delivery of each of 8 browsers, and a second claim meanwhile takes none', async () => {
  const browsers = await Promise.all(Array.from({ length: 8 }, () => browserOf()))
  for (let epoch = 0; epoch < 60; epoch++) await crossing({ epoch })
  await fanOut(server.database, server.clock())
  const claimed = await claimDue(server.database, 50, server.clock())
  expect(new Set(claimed.map(([{ endpoint }]) => endpoint)).size).toBe(browsers.length)
  expect(claimed).toHaveLength(browsers.length)
  expect(await claimDue(server.database, 50, server.clock())).toEqual([])
})

test('four concurrent delivery workers send each browser each of its six alerts exactly once', async () => {
  const browsers = await Promise.all(Array.from({ length: 10 }, () => browserOf()))
  for (let epoch = 0; epoch < 6; epoch++) await crossing({ epoch })
  await Promise.all(Array.from({ length: 4 }, () => deliver()))
  // The worker that found a browser claimed by another has ended; the next look sends the rest.
  await deliver()
  for (const { alerts } of browsers) expect(alerts.map(({ epoch }) => epoch).toSorted()).toEqual([0, 1, 2, 3, 4, 5])
})

test('a delivery claimed by a worker that died is sent by another worker after 20 seconds', async () => {
  const browser = await browserOf()
  await crossing()
  const hanging: PushSender = { send: () => new Promise(() => undefined), close: () => undefined }
  void deliverAlerts({ ...deps(), sender: hanging }, () => browser.arrivals.length > 0)
  await expect.poll(async () => (await deliveries())[0]?.attempts).toBe(1)
  server.clock.advance(19_999)
  await deliver()
  expect(browser.arrivals).toHaveLength(0)
  server.clock.advance(1)
  await deliver()
  expect(browser.alerts).toHaveLength(1)
})
