import { describe, expect, test } from 'vitest'
import type { PushSender } from '../../server/adapters/push/push-sender'
import { deliverAlerts } from '../../server/services/push/deliver'
import type { AlertsAnswer, AlertSettings } from '../../src/contract/alerts'
import type { ErrorBody } from '../../src/contract/errors'
import { HOUR, MINUTE } from '../../src/domain/granularity'
import type { Browser } from './support/browser'
import { key } from './support/person'
import { seeded } from './support/seeded'
import { browserOf, crossing, deliver, deliveries, deps, events, me, server, setPushScene } from './support/push-scene'

setPushScene()

const NIGHT = { from: '22:00', to: '07:00', days: [1, 2, 3, 4, 5, 6, 7], time_zone: 'UTC' }
const save = (body: object) => me.ask<AlertSettings & ErrorBody>('PUT', '/alerts/settings', body, key(undefined))
/** Later only: the tests are in the order of their times. */
const moveTo = (time: string) => server.clock.advance(Date.parse(time) - server.clock())
/** A browser whose service worker shows digests. */
async function newBrowser(): Promise<Browser> {
  const browser = await browserOf()
  await browser.subscribe(me, undefined, ['digest'])
  return browser
}
const ended = async () => (await deliveries()).map(({ outcome }) => outcome)

describe('over a change of the clock quiet hours end by the wall clock, and then bring one digest', () => {
  test.each([
    ['America/New_York', '2026-03-08T03:00Z', '2026-03-08T11:00Z'],
    ['Europe/Berlin', '2026-03-28T21:00Z', '2026-03-29T05:00Z'],
    ['Australia/Lord_Howe', '2026-04-04T11:00Z', '2026-04-04T20:30Z'],
    ['Australia/Lord_Howe', '2026-10-03T11:30Z', '2026-10-03T20:00Z'],
    ['Europe/Berlin', '2026-10-24T20:00Z', '2026-10-25T06:00Z'],
    ['America/New_York', '2026-11-01T02:00Z', '2026-11-01T12:00Z'],
  ])('%s, from %s to %s', async (time_zone, begin, end) => {
    const browser = await newBrowser()
    await save({ quiet_hours: { ...NIGHT, time_zone } })
    moveTo(begin)
    server.clock.advance(-1)
    await crossing()
    await deliver()
    expect(browser.alerts).toHaveLength(1)
    for (const epoch of [1, 2]) {
      server.clock.advance(epoch === 1 ? 1 : 4 * HOUR)
      await crossing({ epoch })
      await deliver()
    }
    moveTo(end)
    server.clock.advance(-1)
    await deliver()
    expect(browser.arrivals).toHaveLength(1)
    const { alerts } = (await me.ask<AlertsAnswer>('GET', '/alerts')).body
    expect(alerts.map(({ held_until }) => held_until && Date.parse(held_until))).toEqual([
      Date.parse(end),
      Date.parse(end),
      undefined,
    ])
    server.clock.advance(1)
    await deliver()
    expect(browser.digests.map(({ alerts: of, count }) => [count, of.map(({ epoch }) => epoch)])).toEqual([[2, [1, 2]]])
    expect(browser.arrivals).toHaveLength(2)
    expect(Number(browser.heads[1]!['ttl'])).toBe(HOUR / 1000)
  })
})

test('what quiet hours held comes in one digest exactly once, whenever the processes that send it die', async () => {
  const random = seeded(33)
  const browser = await newBrowser()
  await save({ quiet_hours: NIGHT })
  moveTo('2027-01-15T23:00Z')
  for (let epoch = 0; epoch < 5; epoch++) await crossing({ epoch })
  let deaths = 0
  /** Dies before it sends, or before it records. */
  const dying: PushSender = {
    send: async (message) => {
      deaths += 1
      if (random() < 0.5)
        return deps()
          .sender.send(message)
          .then(() => Promise.reject(new Error('killed')))
      throw new Error('killed')
    },
    close: () => undefined,
  }
  await deliver()
  moveTo('2027-01-16T07:00Z')
  for (let i = 0; i < 12; i++) {
    await deliverAlerts({ ...deps(), sender: dying })
    server.clock.advance(MINUTE)
  }
  await deliver()
  await deliver()
  expect(deaths).toBe(12)
  // Each repetition is the same digest, which the browser knows by its events.
  const sets = new Set(browser.digests.map(({ alerts }) => alerts.map(({ event_id }) => event_id).join()))
  expect([sets.size, browser.digests[0]!.alerts.length, browser.alerts]).toEqual([1, 5, []])
  expect(new Set(browser.heads.map(({ topic }) => topic)).size).toBe(1)
  expect(await ended()).toEqual(Array.from({ length: 5 }, () => 'sent'))
})

test('what quiet hours hold moves with their end, and comes at once as one digest when they are removed', async () => {
  const browser = await newBrowser()
  await save({ quiet_hours: NIGHT })
  moveTo('2027-01-20T23:00Z')
  for (const epoch of [0, 1]) await crossing({ epoch })
  await deliver()
  const heldUntil = async () =>
    new Set((await events()).map(({ held_until }) => held_until?.toISOString().slice(0, 16)))
  await save({ quiet_hours: { ...NIGHT, to: '08:30' } })
  expect(await heldUntil()).toEqual(new Set(['2027-01-21T08:30']))
  await save({ extremes: true })
  moveTo('2027-01-21T08:29Z')
  await deliver()
  expect(browser.arrivals).toEqual([])
  await save({ quiet_hours: { ...NIGHT, to: '08:00' } })
  await deliver()
  expect(browser.digests.map(({ count }) => count)).toEqual([2])

  moveTo('2027-01-21T23:00Z')
  for (const epoch of [2, 3]) await crossing({ epoch })
  await deliver()
  await save({ quiet_hours: null })
  await deliver()
  await deliver()
  expect(browser.digests.map(({ alerts }) => alerts.map(({ epoch }) => epoch))).toEqual([
    [0, 1],
    [2, 3],
  ])
  expect(browser.alerts).toEqual([])
})

test('while alerts are paused a crossing is recorded and listed, and is not sent afterwards; what waited or was held neither', async () => {
  const browser = await newBrowser()
  await save({ quiet_hours: NIGHT })
  moveTo('2027-02-16T06:59Z')
  await crossing()
  await deliver()
  const until = '2027-02-16T08:00:00.000Z'
  expect((await save({ paused_until: until })).body).toMatchObject({ paused_until: until, quiet_hours: NIGHT })
  server.clock.advance(MINUTE)
  await crossing({ epoch: 1 })
  await deliver()
  expect((await save({ paused_until: null })).body).toMatchObject({ paused_until: null, quiet_hours: NIGHT })
  await deliver()
  expect([browser.arrivals, await ended()]).toEqual([[], ['unwanted']])
  expect((await events()).map(({ delivery }) => delivery).toSorted()).toEqual(['fanned-out', 'paused'])
  const { alerts } = (await me.ask<AlertsAnswer>('GET', '/alerts')).body
  expect(alerts.map(({ held_until }) => held_until)).toEqual([null, '2027-02-16T07:00:00.000Z'])
  await save({ paused_until: until })
  moveTo(until)
  await crossing({ epoch: 2 })
  await deliver()
  expect(browser.alerts.map(({ epoch }) => epoch)).toEqual([2])
})

test.each([
  ['an unknown zone', { ...NIGHT, time_zone: 'Moon/Base' }],
  ['an offset for a zone', { ...NIGHT, time_zone: '+01:00' }],
  ['an end that is the beginning', { ...NIGHT, to: '22:00' }],
  ['no weekday', { ...NIGHT, days: [] }],
  ['an hour that no clock shows', { ...NIGHT, to: '24:00' }],
])('quiet hours with %s are refused', async (_what, quiet_hours) => {
  expect((await save({ quiet_hours })).body.error_code).toBe('VALIDATION_ERROR')
})

test('more than three alerts at once are one digest for a browser that shows digests, and one push each for an older one', async () => {
  const [older, newer] = [await browserOf(), await newBrowser()]
  for (let epoch = 0; epoch < 3; epoch++) await crossing({ epoch })
  await deliver()
  expect([older.alerts.length, newer.alerts.length]).toEqual([3, 3])
  for (let epoch = 3; epoch < 43; epoch++) await crossing({ epoch })
  await deliver()
  const [digest] = newer.digests
  expect([older.alerts.length, older.digests, newer.alerts.length, newer.digests.length]).toEqual([43, [], 3, 1])
  // The newest, as far as a push can hold them.
  expect([digest!.count, digest!.alerts.at(-1)!.epoch]).toEqual([40, 42])
  expect(digest!.alerts.length).toBeGreaterThan(5)
})
