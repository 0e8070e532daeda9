import { beforeEach, expect, test } from 'vitest'
import { inTransaction } from '../../server/db/open'
import { widgets } from '../../server/db/schema/widgets'
import { fireAlerts } from '../../server/services/alerts/fire-alerts'
import { MINUTE } from '../../src/domain/granularity'
import { listCoins } from './support/alert-prices'
import { withServer } from './support/for-file'
import type { Person } from './support/person'
import { START } from './support/test-clock'

/* Margin and hold of a widget's thresholds, from the request that sets them to the price update that judges by them. */

const server = withServer()
let me: Person
let id: string
let pair: number
beforeEach(async () => {
  await server.reset()
  await listCoins(server.database.pool, ['bitcoin', 'ethereum'])
  me = server.guest()
  id = (await me.add('bitcoin', 'ethereum')).id
  pair = (await server.rows(widgets))[0]!.pair_id
})

const watch = (settings: object) => me.update(id, { notifications_enabled: true, high_threshold: 20, ...settings })
/** A price update so many minutes after the first. */
const see = (ratio: number, minute: number) =>
  inTransaction(server.database.pool, (client) =>
    fireAlerts(client, 'simulated', { pairs: [pair], ratios: [ratio] }, START + minute * MINUTE),
  )
const high = async () => {
  const [row] = await server.rows(widgets)
  const { high_threshold_active: armed, high_epoch: epoch, high_due_at: dueAt } = row!
  return { armed, epoch, due: dueAt === null ? null : (dueAt.getTime() - START) / MINUTE }
}

test('a ratio that trembles by a thousandth around a threshold for a day fires once with a margin of half a per cent', async () => {
  await watch({ alert_margin: 0.005 })
  let crossings = 0
  for (let minute = 0; minute < 24 * 60; minute += 5) {
    crossings += (await see(20 * (1 + 0.001 * Math.sin(minute)), minute)).crossings.high
  }
  expect([crossings, await high()]).toEqual([1, { armed: false, epoch: 0, due: null }])
})

test('a side that has to stay beyond its threshold raises no revision and reports no change until it fires', async () => {
  await watch({ alert_hold_minutes: 60 })
  const waiting = { crossings: { high: 0, low: 0 }, changes: [], more: false, rest: null }
  expect(await see(21, 0)).toEqual(waiting)
  expect(await high()).toEqual({ armed: true, epoch: 0, due: 60 })
  expect(await see(20, 1)).toEqual(waiting)
  expect(await high()).toEqual({ armed: true, epoch: 0, due: null })
  await see(22, 2)
  expect(await see(23, 61)).toEqual(waiting)
  expect(await see(21, 62)).toMatchObject({ crossings: { high: 1, low: 0 }, changes: [{ kind: 'widgets' }, {}] })
  expect(await high()).toEqual({ armed: false, epoch: 0, due: null })
})

test('a side that waits begins to wait anew where its threshold, arming, margin, hold or alerts change, and at nothing else', async () => {
  await watch({ alert_hold_minutes: 60, low_threshold: 5 })
  const waitsAfter = async (settings: object) => {
    await see(30, 0)
    await me.update(id, settings)
    const { due } = await high()
    await see(10, 0)
    return due !== null
  }
  expect(await waitsAfter({ low_threshold: 6, high_threshold: 20, alert_hold_minutes: 60 })).toBe(true)
  for (const settings of [
    { high_threshold: 21 },
    { high_threshold_active: false },
    { high_threshold_active: true, alert_margin: 0.1 },
    { alert_hold_minutes: 30 },
    { notifications_enabled: false },
  ])
    expect(await waitsAfter(settings), JSON.stringify(settings)).toBe(false)
})

test('a side that a release without holds has fired while it waited waits no longer, and fires again once it was back', async () => {
  await watch({ alert_hold_minutes: 60, alert_margin: 0.1 })
  await see(21, 0)
  await server.database.pool.query('UPDATE widgets SET high_threshold_active = false')
  expect((await see(19, 60)).changes).toEqual([])
  expect(await high()).toEqual({ armed: false, epoch: 0, due: null })
  await see(18, 61)
  await see(21, 62)
  expect(await high()).toEqual({ armed: true, epoch: 1, due: 122 })
  expect((await see(21, 122)).crossings).toEqual({ high: 1, low: 0 })
})
