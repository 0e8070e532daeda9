import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { setExtremes } from '../../src/db/commands/alert-settings'
import { bringPairsAlong } from '../../src/db/commands/bring-guest-pairs'
import { readAlerts } from '../../src/db/queries/alerts'
import { readOwnAlerts } from '../../src/db/own-alerts'
import { claimToasts } from '../../src/db/commands/alerts'
import { alertSentence } from '../../src/domain/alert-notification'
import { EXTREME_KINDS, UNJUDGED } from '../../src/domain/alerts'
import { RULE_KIND_NAMES } from '../../src/domain/rule-kinds'
import { RULE_EXPIRED } from '../../src/domain/rule-words'
import { WAY_KINDS } from '../../src/domain/way-alerts'
import { MINUTE } from '../../src/domain/granularity'
import { createEngine, type Engine } from '../../src/sync/engine'
import { bodyOf, pushDevice, subscribeTo } from '../../src/sync/push/device'
import { alert_settings, push_subscriptions } from '../../server/db/schema/alerts'
import { PASSWORD } from '../server/support/accounts'
import { recordCrossing } from '../server/support/crossings'
import { TEST_VAPID } from '../server/support/test-vapid'
import { oneTab } from './support/one-tab'
import { type FakePush, fakePush } from './support/push-manager'
import { startTabs, type Tab } from './support/tabs'
import { json } from './support/wire'

const scene = oneTab()
let push: FakePush
let engine: Engine
beforeEach(() => {
  vi.stubGlobal('Notification', { permission: 'granted' })
  push = fakePush()
  engine = createEngine({ ...scene.tab.env, push: pushDevice(push.registration) })
})
afterEach(() => scene.server.reset())

const wants = async ({ db }: Pick<Tab, 'db'>) => (await readOwnAlerts(db))?.extremes
const stored = async () => (await scene.server.rows(alert_settings)).map(({ extremes }) => extremes)
const sentTo = (path: string) => scene.browser.sent.filter((sent) => sent.path === path).length
/** The pair of the board has come to an extreme. */
async function cross() {
  const [widget] = await scene.tab.db.widgets.toArray()
  const fields = { kind: 'extreme_high', epoch: 20_000, measure: 0.97, days: 90 } as const
  await recordCrossing(scene.server.database, widget!.id, scene.server.clock(), fields)
  return `extreme:${widget!.id}:high:20000`
}
const pull = async () => {
  scene.later(MINUTE)
  await engine.sync('tick')
}

test('extremes that are switched on without a network reach the server and the user’s other devices, and go off again there', async () => {
  const email = await scene.memberHere()
  await engine.sync('start')
  scene.offline()
  await setExtremes(scene.tab.context, true)
  await engine.sync('command')
  expect([await wants(scene.tab), await stored()]).toEqual([true, []])
  scene.online()
  scene.later(MINUTE)
  await engine.sync('online')
  expect([await wants(scene.tab), await stored(), await scene.tab.db.outbox.count()]).toEqual([true, [true], 0])

  const elsewhere = await startTabs(scene.server, { market: false })
  const other = elsewhere.open()
  await other.engine.call('logIn', { username: email, password: PASSWORD })
  await other.engine.sync('start')
  expect(await wants(other)).toBe(true)
  await setExtremes(other.context, false)
  await other.engine.sync('command')
  await pull()
  expect([await wants(scene.tab), await stored()]).toEqual([false, [false]])
  elsewhere.close()
})

test('a guest’s extreme is pulled and announced once though the pair’s own alerts are off, in the words of its badge', async () => {
  await scene.addPair('ethereum')
  await setExtremes(scene.tab.context, true)
  await engine.sync('start')
  await engine.sync('command')
  const event_id = await cross()
  await pull()
  await pull()
  const [row] = await readAlerts(scene.tab.db)
  expect(row).toMatchObject({ event_id, kind: 'extreme_high', measure: 0.97, days: 90 })
  expect(push.notified).toMatchObject([{ tag: event_id, silent: false }])
  const [toast] = await claimToasts(scene.tab.db, row!.owner, scene.tab.env.now())
  expect(alertSentence(toast!)).toBe('BTC / ETH is at a high of 90 days: 97th percentile.')
  // No side of the pair has fired.
  expect(await scene.tab.db.widgets.toArray()).toMatchObject([{ high_threshold_active: true, high_epoch: 0 }])
})

test('a browser tells the server which kinds it can show, and anew once a server of an earlier version is replaced', async () => {
  const config = await scene.server.app.inject('/api/v1/config')
  const { alert_features: _, ...older } = config.json<Record<string, unknown>>()
  scene.browser.setWay(({ path }) => (path === '/config' ? json(200, older) : 'arrives'))
  await engine.sync('start')
  await engine.call('subscribePush', bodyOf(await subscribeTo(push.registration, TEST_VAPID.VAPID_PUBLIC_KEY))!)
  const kinds = async () => (await scene.server.rows(push_subscriptions)).map((row) => row.kinds)
  expect([await kinds(), sentTo('/alerts/settings')]).toEqual([[[]], 0])
  scene.online()
  scene.later(20 * MINUTE)
  await engine.sync('tick')
  await engine.sync('tick')
  expect(await kinds()).toEqual([
    [...EXTREME_KINDS, ...RULE_KIND_NAMES, RULE_EXPIRED, UNJUDGED, ...WAY_KINDS, 'digest'],
  ])
})

test('extremes that a guest has switched on come along to the account with the guest’s pairs', async () => {
  await scene.addPair('ethereum')
  await setExtremes(scene.tab.context, true)
  await engine.sync('start')
  await engine.sync('command')
  await scene.memberHere()
  await engine.sync('start')
  expect(await wants(scene.tab)).toBe(false)
  await bringPairsAlong(scene.tab.context)
  await engine.sync('command')
  expect(await wants(scene.tab)).toBe(true)
  expect(await stored()).toContain(true)
})
