/** @module-tag both-engines */
import { expect, test } from 'vitest'
import { inTransaction } from '../../server/db/open'
import { widgets } from '../../server/db/schema/widgets'
import { fireAlerts } from '../../server/services/alerts/fire-alerts'
import type { AlertsAnswer } from '../../src/contract/alerts'
import type { Rule } from '../../src/contract/rules'
import { DAY, HOUR } from '../../src/domain/granularity'
import { listCoins } from './support/alert-prices'
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

const inTime = (ms: number) => new Date(server.clock() + ms).toISOString()
const fates = async () => (await events()).map(({ delivery }) => delivery).toSorted()
const listed = async () => (await me.ask<AlertsAnswer>('GET', '/alerts?kinds=move_up,extreme_high')).body.alerts
const snoozeOf = async () => {
  const [row] = await me.list()
  return [row?.snoozed_until, row?.snoozed_until_back]
}

test('what fires while a pair is snoozed is recorded as snoozed and never sent, whatever its kind; what waited is given up, and other pairs go on', async () => {
  const browser = await browserOf()
  await browser.subscribe(me, undefined, ['extreme_high', 'move_up', 'digest'])
  await me.ask('PUT', '/alerts/settings', { extremes: true }, key(undefined))
  const body = { kind: 'move_up', level: 5, window: '1h' }
  const rule = (await me.ask<Rule>('POST', `/widgets/${widget}/rules`, body, key(undefined))).body.id
  const other = await me.add('ethereum', 'bitcoin')
  const until = inTime(HOUR)
  expect((await me.update(widget, { snoozed_until: until })).body).toMatchObject({ snoozed_until: until })
  await crossing()
  await crossing({ kind: 'extreme_high', epoch: 20_000, measure: 0.97, days: 90 })
  await crossing({ kind: 'move_up', rule_id: rule, level: 5, measure: 5.2, rule_window: '1h' })
  await deliver()
  expect([await fates(), await deliveries()]).toEqual([['snoozed', 'snoozed', 'snoozed'], []])
  expect((await listed()).map(({ held_until, not_sent }) => [held_until, not_sent])).toEqual(
    Array.from({ length: 3 }, () => [null, 'snoozed']),
  )
  await crossing({ widget_id: other.id, kind: 'extreme_high', epoch: 20_000, measure: 0.97, days: 90 })
  await deliver()
  expect(browser.alerts.map(({ widget_id }) => widget_id)).toEqual([other.id])

  server.clock.advance(HOUR)
  await crossing({ epoch: 1 })
  await deliver()
  expect(browser.alerts.map(({ epoch }) => epoch)).toEqual([20_000, 1])

  browser.reply({ status: 503 })
  await crossing({ epoch: 2 })
  await deliver()
  await me.update(widget, { snoozed_until: inTime(HOUR) })
  browser.reply(null)
  server.clock.advance(HOUR - 1)
  await deliver()
  expect((await deliveries()).map(({ outcome }) => outcome).toSorted()).toEqual(['sent', 'sent', 'unwanted'])
  expect((await me.update(widget, { snoozed_until: null })).body).not.toHaveProperty('snoozed_until')
  await crossing({ epoch: 3 })
  await deliver()
  expect(browser.alerts.map(({ epoch }) => epoch)).toEqual([20_000, 1, 3])
})

test('a snooze until the pair is back ends with the first alert that is armed again, by the ratio and its margin or by its owner, and at once where none has fired', async () => {
  const browser = await browserOf()
  await listCoins(server.database.pool, ['bitcoin', 'ethereum'])
  await me.update(widget, { alert_margin: 0.01 })
  const [{ pair_id } = { pair_id: 0 }] = await server.rows(widgets)
  const see = async (ratio: number) => {
    server.clock.advance(60_000)
    await inTransaction(server.database.pool, (client) =>
      fireAlerts(client, 'simulated', { pairs: [pair_id], ratios: [ratio] }, server.clock()),
    )
    await deliver()
    return browser.alerts.length
  }
  const untilBack = { snoozed_until: inTime(7 * DAY), snoozed_until_back: true }
  await me.update(widget, untilBack)
  expect(await snoozeOf()).toEqual([undefined, undefined])
  expect(await see(22)).toBe(1)
  await me.update(widget, untilBack)
  expect(await snoozeOf()).toEqual([untilBack.snoozed_until, true])
  // Below the threshold, and not by the margin.
  await see(20.9)
  await crossing({ epoch: 7 })
  await deliver()
  expect([await fates(), (await snoozeOf())[1]]).toEqual([['fanned-out', 'snoozed'], true])
  await see(20.7)
  expect(await snoozeOf()).toEqual([undefined, undefined])
  expect(await see(22)).toBe(2)

  await me.update(widget, untilBack)
  await me.update(widget, { high_threshold_active: true })
  expect(await snoozeOf()).toEqual([undefined, undefined])
  expect(await see(22)).toBe(3)
})
