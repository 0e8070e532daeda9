import { beforeEach, expect, test, vi } from 'vitest'
import { LARGEST_ALERTS_PAGE } from '../../src/contract/alerts'
import { claimToasts } from '../../src/db/commands/alerts'
import { logOut } from '../../src/db/leave-owner'
import { updateWidget } from '../../src/db/commands/widgets'
import { changePushRegistration } from '../../src/db/push-registration'
import { readAlerts } from '../../src/db/queries/alerts'
import { readBoard } from '../../src/db/board-rows'
import { readMeta } from '../../src/db/database'
import { DAY, HOUR, MINUTE } from '../../src/domain/granularity'
import type { WidgetId } from '../../src/domain/ids'
import { createEngine, type Engine } from '../../src/sync/engine'
import { pushDevice } from '../../src/sync/push/device'
import { applyEvent } from '../../src/sync/stream/apply-event'
import { onPush, ownerHash } from '../../src/sync/push/on-push'
import { recordCrossings } from '../server/support/crossings'
import { messageOf } from '../db/support/alerts'
import { oneTab } from './support/one-tab'
import { type FakePush, fakePush } from './support/push-manager'
import { priceUpdate } from './support/price-update'
import type { Tab } from './support/tabs'
import { json } from './support/wire'

const scene = oneTab()
const { later, notices, logInHere, memberHere } = scene

let push: FakePush
let engine: Engine
beforeEach(() => {
  vi.stubGlobal('Notification', { permission: 'granted' })
  push = fakePush()
  engine = engineOf(scene.tab)
})
const engineOf = (tab: Tab) => createEngine({ ...tab.env, push: pushDevice(push.registration) })
const see = (ratio: number) => priceUpdate(scene.server, 'bitcoin/ethereum', ratio)
/** BTC / ETH, watched at 20 and 10, and known to the server. */
async function watchedPair(): Promise<WidgetId> {
  await scene.addPair('ethereum')
  const [added] = (await readBoard(scene.tab.db))!.widgets
  const alerts = { high: { threshold: 20 }, low: { threshold: 10 } }
  await updateWidget(scene.tab.context, added!.id, { notificationsEnabled: true, alerts })
  await engine.sync('command')
  return (await scene.tab.db.widgets.toArray())[0]!.id
}
/** A pull that is due, a minute after the one before. */
const pull = async (by = engine) => {
  later(MINUTE)
  await by.sync('tick')
}
const rows = () => readAlerts(scene.tab.db)
const asked = () => scene.browser.sent.filter(({ path }) => path === '/alerts').length
const heard = () => push.notified.filter(({ silent }) => !silent).map(({ tag }) => tag)
const owner = async () => (await scene.browser.session()).owner
const toasts = async () =>
  (await claimToasts(scene.tab.db, await owner(), scene.tab.env.now())).map((row) => row.event_id)
const answerAlerts = (status: number, body: object) =>
  scene.browser.setWay(({ path }) => (path === '/alerts' ? json(status, body) : 'arrives'))
const problem = async () => (await readMeta(scene.tab.db, 'sync_state'))?.problem
/** The server's push arrives, about the newest crossing known here, or one after it. */
const pushed = async (change: object = {}) => {
  const [newest] = await rows()
  const known = messageOf({ ...newest!, at: Date.parse(newest!.crossed_at!) }, await ownerHash(await owner()))
  const message = { ...known, ...change }
  const { registration } = push
  const show = ({ title, options }: { readonly title: string; readonly options: NotificationOptions }) =>
    registration.showNotification(title, options)
  await onPush(scene.tab.db, show, JSON.stringify(message), scene.tab.env.now(), async () => undefined)
}

test('a crossing that only the server saw is listed, notified and offered to one toast; further pulls tell nothing again', async () => {
  const id = await watchedPair()
  await see(21)
  const at = scene.server.clock()
  await pull()
  const crossing = { event_id: `${id}:high:0`, pair: 'BIT / ETH', side: 'high', ratio: 21, threshold: 20 }
  expect(await rows()).toMatchObject([{ ...crossing, at, by: 'sync', seen_at: null }])
  expect(heard()).toEqual([`${id}:high:0`])
  expect(await toasts()).toEqual([`${id}:high:0`])
  await pull()
  await pull()
  expect([heard().length, await toasts(), asked()]).toEqual([1, [], 1])
})

test('a ratio that is back is noted in its crossing, without another word', async () => {
  await watchedPair()
  await see(21)
  await pull()
  await see(15)
  const back = scene.server.clock()
  await pull()
  expect(await rows()).toMatchObject([{ side: 'high', at: back - MINUTE, back_at: back }])
  expect([heard().length, asked()]).toEqual([1, 2])
})

test('crossings are asked for when the list of pairs shows one, else once an hour, and never for a guest without any', async () => {
  await engine.sync('start')
  await pull()
  expect(asked()).toBe(0)
  await watchedPair()
  await pull()
  expect(asked()).toBe(0)
  await see(21)
  await pull()
  expect(asked()).toBe(1)
  for (let minute = 0; minute < 59; minute++) await pull()
  expect(asked()).toBe(1)
  await pull()
  expect(asked()).toBe(2)
})

test('a crossing of a pair whose alerts another device has switched off meanwhile is listed and not announced', async () => {
  await watchedPair()
  await see(21)
  await scene.server.database.pool.query('UPDATE widgets SET notifications_enabled = false')
  await pull()
  expect([(await rows()).length, push.notified, await toasts()]).toEqual([1, [], []])
})

test('a crossing of a pair that another device removed meanwhile is brought home within the hour', async () => {
  const id = await watchedPair()
  await see(21)
  await see(15)
  await pull()
  await scene.tab.db.alerts.clear()
  await scene.server.database.pool.query('DELETE FROM widgets')
  await recordCrossingOf(id)
  later(HOUR)
  await pull()
  expect((await rows()).map(({ event_id }) => event_id)).toContain(`${id}:low:5`)
})

test('a crossing of more than ten minutes ago is listed as new and announced by nobody, but a push that comes later is heard', async () => {
  const id = await watchedPair()
  await see(21)
  await pull()
  expect(heard()).toHaveLength(1)
  await see(9)
  later(11 * MINUTE)
  await pull()
  expect((await rows()).map(({ side, seen_at }) => `${side} ${seen_at}`)).toEqual(['low null', 'high null'])
  expect([heard().length, await toasts()]).toEqual([1, []])
  await pushed()
  await pushed()
  expect(heard()).toEqual([`${id}:high:0`, `${id}:low:0`])
})

test('a guest’s first crossing that fires at night with the app closed is listed as new in the morning', async () => {
  await watchedPair()
  await pull()
  later(8 * HOUR)
  await see(21)
  later(8 * HOUR)
  await pull()
  expect((await rows()).map(({ side, seen_at }) => [side, seen_at])).toEqual([['high', null]])
  expect([heard(), await toasts()]).toEqual([[], []])
})

test('of a pull and a push about one crossing, whichever comes second makes no sound', async () => {
  const id = await watchedPair()
  await see(21)
  await pull()
  await pushed()
  expect(push.notified.map(({ silent }) => silent)).toEqual([false, true])
  await see(15)
  await see(22)
  const crossed_at = new Date(scene.server.clock()).toISOString()
  await pushed({ event_id: `${id}:high:1`, epoch: 1, crossed_at })
  await pull()
  expect(heard()).toEqual([`${id}:high:0`, `${id}:high:1`])
  expect(push.notified).toHaveLength(3)
  expect((await rows()).map(({ by }) => by)).toEqual(['push', 'sync'])
})

test('two tabs that pull at the same time announce a crossing once', async () => {
  await watchedPair()
  const other = scene.browser.open()
  await see(21)
  later(MINUTE)
  await Promise.all([engine.sync('online'), engineOf(other).sync('online')])
  expect(heard()).toHaveLength(1)
  expect([...(await toasts()), ...(await claimToasts(other.db, await owner(), other.env.now()))]).toHaveLength(1)
})

test('a crossing of a restored server, whose name and flags this device had already, is announced once', async () => {
  const id = await watchedPair()
  await see(21)
  await pull()
  const name = `${id}:high:0`
  expect([heard(), await toasts()]).toEqual([[name], [name]])
  // The backup is of before the crossing.
  const { pool } = scene.server.database
  await pool.query('DELETE FROM alert_events')
  await pool.query('UPDATE widgets SET high_threshold_active = true')
  later(11 * MINUTE)
  await see(21)
  const target = { owner: await owner(), coins: [] }
  await applyEvent(scene.tab.env, target, { name: 'alert', data: { event_id: name } })
  await engine.sync('command')
  await pull()
  expect([heard(), await toasts()]).toEqual([[name, name], [name]])
})

test('a tab that is killed between the row and its notification leaves the toast to the next page', async () => {
  const id = await watchedPair()
  await see(21)
  later(MINUTE)
  const show = () => {
    scene.browser.kill(scene.tab)
    return new Promise<never>(() => undefined)
  }
  void createEngine({ ...scene.tab.env, push: { ...pushDevice(push.registration), show } }).sync('tick')
  const next = scene.browser.open()
  await vi.waitFor(async () => expect(await next.db.alerts.count()).toBe(1))
  await engineOf(next).sync('online')
  expect(await claimToasts(next.db, await owner(), next.env.now())).toMatchObject([{ event_id: `${id}:high:0` }])
  expect(heard()).toEqual([])
})

test.each([
  ['three hours ahead', 3 * HOUR],
  ['two days behind', -2 * DAY],
])('on a device whose clock is %s, a crossing is announced once, at the device’s own time', async (_what, error) => {
  const id = await watchedPair()
  scene.browser.setClockError(error)
  await pull()
  await see(21)
  const at = scene.server.clock()
  await pull()
  expect(await rows()).toMatchObject([{ at: at + error }])
  expect([heard(), await toasts()]).toEqual([[`${id}:high:0`], [`${id}:high:0`]])
  // The clock is set right.
  scene.browser.setClockError(0)
  await see(15)
  await pull()
  expect(await rows()).toMatchObject([{ at, back_at: at + MINUTE }])
  expect(heard()).toHaveLength(1)
})

test('a clock set right that the list of crossings is the first to show moves the times of earlier crossings at the pull after it', async () => {
  await watchedPair()
  scene.browser.setClockError(3 * HOUR)
  await pull()
  await see(21)
  const at = scene.server.clock()
  await pull()
  later(HOUR)
  await pull()
  scene.browser.setClockError(0)
  // No prices, so that the list is the first answer that tells the time.
  scene.browser.setWay(({ path }) => (path === '/alerts' || path.startsWith('/widgets') ? 'arrives' : 'lost-request'))
  later(HOUR)
  await pull()
  later(HOUR)
  await pull()
  expect([(await rows()).map((row) => row.at), asked()]).toEqual([[at], 4])
})

test('offline nothing is lost: the crossing is announced when the network is back within ten minutes', async () => {
  await watchedPair()
  await see(21)
  scene.offline()
  await pull()
  expect(await rows()).toEqual([])
  scene.online()
  later(8 * MINUTE)
  await engine.sync('online')
  expect([heard().length, await notices()]).toEqual([1, []])
})

test('without the permission, or with notifications switched off here, only the toast tells', async () => {
  await watchedPair()
  vi.stubGlobal('Notification', { permission: 'default' })
  await see(21)
  await pull()
  expect([push.notified, await toasts()]).toMatchObject([[], [expect.stringContaining('high:0')]])
  vi.stubGlobal('Notification', { permission: 'granted' })
  await changePushRegistration(scene.tab.db, () => ({ off: true }))
  await see(9)
  await pull()
  expect([push.notified, await toasts()]).toMatchObject([[], [expect.stringContaining('low:0')]])
})

test('a server of an earlier version, which has no such route, is no trouble', async () => {
  await watchedPair()
  await see(21)
  answerAlerts(404, { detail: 'There is no such route.', error_code: 'NO_SUCH_ROUTE' })
  await pull()
  expect([await rows(), await notices(), await problem()]).toEqual([[], [], null])
  scene.online()
  await pull()
  expect(heard()).toHaveLength(1)
})

test('a server that goes back to an earlier version, without the list of crossings, ends the trouble with the list', async () => {
  await watchedPair()
  await see(21)
  answerAlerts(500, {})
  await pull()
  expect(await problem()).toBe('Could not load your alerts.')
  answerAlerts(404, { detail: 'There is no such route.', error_code: 'NO_SUCH_ROUTE' })
  await pull()
  expect(await problem()).toBeNull()
})

test('trouble with the list of crossings is said once, and the list is asked for again', async () => {
  await watchedPair()
  await see(21)
  answerAlerts(500, {})
  await pull()
  await pull()
  expect(await notices()).toEqual(['Could not load your alerts.'])
  scene.online()
  await pull()
  expect([(await rows()).length, await problem()]).toEqual([1, null])
})

/** A crossing of the guest's pair, whether or not the pair is still there. */
async function recordCrossingOf(widget: WidgetId) {
  await scene.server.database.pool.query(
    `INSERT INTO alert_events (owner_id, widget_id, coin_a_id, coin_b_id, coin_a_symbol, coin_b_symbol, side, epoch, ratio, threshold, crossed_at)
     SELECT id, $1, 'bitcoin', 'ethereum', 'btc', 'eth', 'low', 5, 9, 10, $2 FROM owners ORDER BY created_at DESC LIMIT 1`,
    [widget, new Date(scene.server.clock())],
  )
}

test('the first pull after a login lists 90 days of crossings as seen and announces none; a logout takes them along', async () => {
  const email = await memberHere()
  const id = await watchedPair()
  const count = LARGEST_ALERTS_PAGE + 60
  await logOut(scene.tab.context)
  await engine.sync('start')
  const newest = scene.server.clock() - HOUR
  await recordCrossings(
    scene.server.database,
    id,
    Array.from({ length: count }, (_, n) => ({ epoch: n, crossed_at: new Date(newest - n * 4 * HOUR) })),
  )
  await logInHere(email)
  await pull()
  const listed = await rows()
  // The very first login asked once, this one for two pages.
  expect(asked()).toBe(3)
  const oldest = scene.server.clock() - 90 * DAY
  expect(listed.map(({ at }) => at > oldest)).not.toContain(false)
  expect(listed.length).toBe(Math.ceil((90 * DAY - HOUR - MINUTE) / (4 * HOUR)))
  expect(new Set(listed.map(({ seen_at }) => seen_at !== null))).toEqual(new Set([true]))
  expect([push.notified, await toasts()]).toEqual([[], []])
  await logOut(scene.tab.context)
  expect(await scene.tab.db.alerts.count()).toBe(0)
  await engine.sync('start')
  await logInHere(email)
  await pull()
  expect(await rows()).toHaveLength(listed.length)
})

test('a user who comes back hears how open deliveries have ended, by one request that lists only what went on, and none once all have ended', async () => {
  const id = await watchedPair()
  await see(21)
  await pull()
  const [row] = await rows()
  const told = { ...row!, epoch: 0, back_at: null }
  const answer = (deliveries: object[]) => {
    const as_of = new Date(scene.server.clock()).toISOString()
    const body = { as_of, alerts: [{ ...told, deliveries }] }
    scene.browser.setWay(({ path }) => (path === '/alerts' ? json(200, body, { 'x-total-count': '1' }) : 'arrives'))
  }
  const come = async () => {
    later(20 * MINUTE)
    await engine.sync('visible')
    return [asked(), (await rows())[0]!.deliveries?.map(({ state }) => state)]
  }
  const push = { channel: 'push', name: null, at: null }
  answer([{ ...push, state: 'waiting' }])
  expect(await come(), 'it fired just before the last pull').toEqual([2, ['waiting']])
  answer([{ ...push, state: 'shown' }])
  expect(await come()).toEqual([3, ['shown']])
  expect(await come()).toEqual([3, ['shown']])
  expect((await rows())[0]).toMatchObject({ event_id: `${id}:high:0`, by: 'sync' })
})
