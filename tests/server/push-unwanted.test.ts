import { describe, expect, test } from 'vitest'
import type { PushSender } from '../../server/adapters/push/push-sender'
import { push_deliveries } from '../../server/db/schema/push'
import { claimDue } from '../../server/services/push/claim-due'
import { deliverAlerts } from '../../server/services/push/deliver'
import { fanOut } from '../../server/services/push/fan-out'
import { HOUR, MINUTE } from '../../src/domain/granularity'
import { recordCrossing } from './support/crossings'
import { guest } from './support/guest'
import {
  browserOf,
  crossing,
  deliver,
  deliveries,
  events,
  server,
  me,
  parts,
  setPushScene,
  widget,
} from './support/push-scene'

setPushScene()

describe('nobody is told', () => {
  test.each([
    ['of a widget that is gone', 'widget-gone', () => me.remove(widget)],
    ['once its alerts are switched off', 'switched-off', () => me.update(widget, { notifications_enabled: false })],
    ['after an hour', 'too-late', async () => server.clock.advance(HOUR + 1)],
  ])('%s', async (_when, why, happens) => {
    const browser = await browserOf()
    await crossing()
    await happens()
    await deliver()
    expect([browser.arrivals.length, (await events()).map(({ delivery }) => delivery)]).toEqual([0, [why]])
    expect(await deliveries()).toEqual([])
  })

  test('of what waited for longer than an hour for a process that could tell', async () => {
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
    ['switches its alerts off', () => me.update(widget, { notifications_enabled: false })],
  ])('once the owner %s, though it was on its way', async (_what, happens) => {
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

  test('of a crossing of the future; one that is a little ahead is kept for an hour at most', async () => {
    const browser = await browserOf()
    await recordCrossing(server.database, widget, server.clock() + HOUR + 1)
    await recordCrossing(server.database, widget, server.clock() + HOUR / 2, { epoch: 1 })
    await deliver()
    expect(browser.alerts.map(({ epoch }) => epoch)).toEqual([1])
    expect(browser.heads[0]?.['ttl']).toBe('3600')
  })

  test('whose browser has become somebody else’s meanwhile', async () => {
    const browser = await browserOf()
    browser.reply({ status: 503 })
    await crossing()
    await deliver()
    browser.reply(null)
    const next = guest(server.app)
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

  test('whose browser was becoming somebody else’s while the alert was handed out', async () => {
    const browser = await browserOf()
    const { id: event_id } = await crossing()
    const subscription_id = await browser.subscribe(guest(server.app))
    await server.database.orm
      .insert(push_deliveries)
      .values({ event_id, subscription_id, next_attempt_at: new Date(0) })
    await deliver()
    expect([browser.arrivals.length, (await deliveries()).map(({ outcome }) => outcome)]).toEqual([0, ['unwanted']])
  })

  test('who has unsubscribed, though it was on its way', async () => {
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
})

test('a claim is full, however much waits for one browser', async () => {
  const browsers = await Promise.all(Array.from({ length: 8 }, () => browserOf()))
  for (let epoch = 0; epoch < 60; epoch++) await crossing({ epoch })
  await fanOut(server.database, server.clock())
  const claimed = await claimDue(server.database, 50, server.clock())
  expect(new Set(claimed.map(({ endpoint }) => endpoint)).size).toBe(browsers.length)
  expect(claimed).toHaveLength(browsers.length)
  expect(await claimDue(server.database, 50, server.clock())).toEqual([])
})

test('several workers at once tell each browser once, and one thing at a time', async () => {
  const browsers = await Promise.all(Array.from({ length: 10 }, () => browserOf()))
  for (let epoch = 0; epoch < 6; epoch++) await crossing({ epoch })
  await Promise.all(Array.from({ length: 4 }, () => deliver()))
  // Whoever found a browser taken by another has gone; what was left of it is for the next look.
  await deliver()
  for (const { alerts } of browsers) expect(alerts.map(({ epoch }) => epoch).toSorted()).toEqual([0, 1, 2, 3, 4, 5])
})

test('what a worker was telling when it died is told by another, a little later', async () => {
  const browser = await browserOf()
  await crossing()
  const hanging: PushSender = { send: () => new Promise(() => undefined), close: () => undefined }
  void deliverAlerts({ ...parts(), sender: hanging }, () => browser.arrivals.length > 0)
  await expect.poll(async () => (await deliveries())[0]?.attempts).toBe(1)
  server.clock.advance(19_999)
  await deliver()
  expect(browser.arrivals).toHaveLength(0)
  server.clock.advance(1)
  await deliver()
  expect(browser.alerts).toHaveLength(1)
})
