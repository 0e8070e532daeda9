import { expect, test } from 'vitest'
import type { AlertsAnswer, AlertSettings } from '../../src/contract/alerts'
import type { Config } from '../../src/contract/settings'
import { EXTREME_KINDS } from '../../src/domain/alerts'
import { recordCrossing } from './support/crossings'
import { key } from './support/person'
import {
  browserOf,
  crossing,
  deliver,
  deliveries,
  events,
  me,
  server,
  setPushScene,
  widget,
} from './support/push-scene'

setPushScene()

const KINDS = EXTREME_KINDS.join(',')
const want = (extremes: boolean, op?: string) => me.ask<AlertSettings>('PUT', '/alerts/settings', { extremes }, key(op))
const extreme = () =>
  recordCrossing(server.database, widget, server.clock(), {
    kind: 'extreme_high',
    epoch: 20_000,
    measure: 0.97,
    days: 90,
  })

test('an owner who never asked for extremes wants none, a change of it raises the revision, and an empty one leaves it', async () => {
  const revision = async () => Number((await me.ask('GET', '/widgets')).headers['x-widgets-revision'])
  const none = { extremes: false, quiet_hours: null, paused_until: null }
  expect((await server.guest().ask('GET', '/alerts/settings')).body).toEqual(none)
  const before = await revision()
  const op = crypto.randomUUID()
  expect((await want(true, op)).body).toEqual({ ...none, extremes: true })
  expect(await revision()).toBeGreaterThan(before)
  expect((await want(false)).body).toEqual(none)
  // Repeated, the first change is not made again.
  expect((await want(true, op)).body).toEqual(none)
  await want(true)
  expect((await me.ask('PUT', '/alerts/settings', {})).body).toEqual({ ...none, extremes: true })
  expect((await me.ask('GET', '/alerts/settings')).body).toEqual({ ...none, extremes: true })
  expect((await me.ask<Config>('GET', '/config')).body.alert_features).toEqual(
    expect.arrayContaining(['extremes', 'quiet']),
  )
})

test('an extreme is listed for a client that knows its kind, and for no other', async () => {
  await crossing()
  await extreme()
  const listed = async (query: string) => {
    const { body, headers } = await me.ask<AlertsAnswer>('GET', `/alerts${query}`)
    expect(Number(headers['x-total-count'])).toBe(body.alerts.length)
    return body.alerts
  }
  expect((await listed('')).map(({ event_id }) => event_id)).toEqual([`${widget}:high:0`])
  expect((await listed('?kinds=sneeze')).map(({ event_id }) => event_id)).toEqual([`${widget}:high:0`])
  const all = await listed(`?kinds=sneeze,${KINDS}`)
  const both = new Set([`${widget}:high:0`, `extreme:${widget}:high:20000`])
  expect(new Set(all.map(({ event_id }) => event_id))).toEqual(both)
  expect(all.find(({ kind }) => kind === 'extreme_high')).toMatchObject({ measure: 0.97, days: 90, side: 'high' })
})

test('an extreme is pushed while the owner wants extremes, whatever the widget’s switch says, to browsers that know it alone', async () => {
  const [older, newer] = [await browserOf(), await browserOf()]
  await newer.subscribe(me, undefined, [...EXTREME_KINDS])
  await me.update(widget, { notifications_enabled: false })
  await want(true)
  await extreme()
  await deliver()
  expect(older.alerts).toEqual([])
  expect(newer.alerts).toMatchObject([{ event_id: `extreme:${widget}:high:20000`, kind: 'extreme_high', days: 90 }])
})

test('no browser is sent an extreme once its owner wants none, neither one that waits nor a new one', async () => {
  const browser = await browserOf()
  await browser.subscribe(me, undefined, [...EXTREME_KINDS])
  await want(true)
  browser.reply({ status: 503 })
  await extreme()
  await deliver()
  await want(false)
  await recordCrossing(server.database, widget, server.clock(), { kind: 'extreme_low', side: 'low', epoch: 20_001 })
  server.clock.advance(60_000)
  browser.reply(null)
  await deliver()
  expect(browser.alerts).toEqual([])
  expect((await deliveries()).map(({ outcome }) => outcome)).toEqual(['unwanted'])
  expect((await events()).map(({ delivery }) => delivery).toSorted()).toEqual(['fanned-out', 'switched-off'])
})
