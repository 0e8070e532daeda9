import { createStore } from 'jotai'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { keepBadge, startToaster } from '../../../../src/app/alerts/start-alerts'
import { watchAlerts } from '../../../../src/app/alerts/watch'
import { claimAlert } from '../../../../src/db/commands/alerts'
import { writeMeta } from '../../../../src/db/database'
import { changePushRegistration } from '../../../../src/db/push-registration'
import type { AlertRow } from '../../../../src/db/rows'
import type { WidgetId } from '../../../../src/domain/ids'
import { localEpochsAtom } from '../../../../src/state/local-epochs'
import { priceRow } from '../../../support/price-row'
import {
  type LocalApp,
  seedCoins,
  seedPrices,
  seedWidgets,
  START,
  startLocalApp,
  noticesOf,
} from '../../support/local-app'
import { catchReports } from '../../support/reports'
import { fakeBrowser, type FakeBrowser } from '../push/browser'

const MINUTE = 60_000
let browser: FakeBrowser
const ends: (() => void)[] = []
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  browser = fakeBrowser()
  browser.permission = 'granted'
})
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

/** BTC / ETH with both alerts on, armed at 3 and 1, at a ratio of 2. */
async function start() {
  const app = await startLocalApp()
  await seedCoins(app, 4)
  const watched = { notifications_enabled: true, high_threshold: 3, low_threshold: 1, high_epoch: 4 }
  const [id = '' as WidgetId, other = '' as WidgetId] = await seedWidgets(app, 2, watched)
  await seedPrices(app, { 0: 10, 1: 5, 2: 10, 3: 5 })
  return { app, id, other }
}
/** @param store the page's own: another tab has another */
const watch = (app: LocalApp, store = app.store) => ends.push(watchAlerts(store, app.services.commands))
const toaster = (app: LocalApp, went: string[] = []) =>
  ends.push(
    startToaster({
      store: app.store,
      commands: app.services.commands,
      openChart: (alert) => went.push(alert.widget_id),
      openAlerts: () => went.push('alerts'),
    }),
  )
/** The first look, once board, prices and alerts have been read. */
const watches = (app: LocalApp) =>
  vi.waitFor(async () => {
    await vi.advanceTimersByTimeAsync(2_000)
    expect(app.store.get(localEpochsAtom).size).toBe(2)
  })
const alerts = (app: LocalApp) => app.db.alerts.toArray()
const looked = (app: LocalApp, count: number) =>
  vi.waitFor(async () => {
    await vi.advanceTimersByTimeAsync(2_000)
    expect(await alerts(app)).toHaveLength(count)
  })
const look = (visible: boolean) => {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(visible ? 'visible' : 'hidden')
  document.dispatchEvent(new Event('visibilitychange'))
}
const toasts = (app: LocalApp) => noticesOf(app)

test('a crossing that the open app sees is stored and shown as one notification, and leaves the widget unchanged', async () => {
  const { app, id } = await start()
  watch(app)
  await watches(app)
  await seedPrices(app, { 0: 16, 1: 5, 2: 10, 3: 5 }, START + 1)
  await looked(app, 1)
  await vi.waitFor(() => expect(browser.shown).toHaveLength(1))
  expect(await alerts(app)).toMatchObject([
    {
      event_id: `${id}:high:4`,
      widget_id: id,
      pair: 'BTC / ETH',
      side: 'high',
      ratio: 3.2,
      threshold: 3,
      at: START,
      by: 'app',
      toasted: false,
      seen_at: null,
    },
  ])
  expect(browser.shown[0]).toMatchObject({ title: 'Sell alert: BTC / ETH', options: { tag: `${id}:high:4` } })
  await vi.advanceTimersByTimeAsync(10_000)
  expect(browser.shown).toHaveLength(1)
  // The server alone changes the flags.
  expect(await app.db.widgets.get(id)).toMatchObject({ high_threshold_active: true, high_epoch: 4 })
  expect(await app.db.outbox.count()).toBe(0)
})

test('the open app checks for crossings every two seconds, also when nothing changes', async () => {
  const { app } = await start()
  const set = vi.spyOn(app.store, 'set')
  watch(app)
  await watches(app)
  const looks = () => set.mock.calls.filter(([atom]) => Object.is(atom, localEpochsAtom)).length
  const before = looks()
  // At one go, so that nothing that is read meanwhile has a look of its own.
  vi.advanceTimersByTime(MINUTE)
  expect(looks() - before).toBe(30)
})

test('three tabs that see the same crossing show a single notification', async () => {
  const { app, id } = await start()
  watch(app)
  const others = [createStore(), createStore()]
  for (const store of others) watch(app, store)
  await watches(app)
  await seedPrices(app, { 0: 16, 1: 5, 2: 16, 3: 5 }, START + 1)
  await looked(app, 2)
  await vi.waitFor(async () => {
    await vi.advanceTimersByTimeAsync(2_000)
    for (const store of [app.store, ...others])
      expect(store.get(localEpochsAtom).get(id)?.alerts.high.armed).toBe(false)
  })
  await vi.waitFor(() => expect(browser.shown).toHaveLength(2))
  await vi.advanceTimersByTimeAsync(4_000)
  expect(new Set(browser.shown.map(({ options }) => options.tag)).size).toBe(2)
  expect(browser.shown).toHaveLength(2)
  expect((await alerts(app)).map(({ widget_id }) => widget_id)).toContain(id)
})

test('a crossing that a push message has announced is not announced again by the open app', async () => {
  const { app, id } = await start()
  const [{ owner } = {}] = await app.db.widgets.toArray()
  await claimAlert(app.db, { ...row(id, 'high', 4), owner: owner!, by: 'push' })
  watch(app)
  await watches(app)
  await seedPrices(app, { 0: 16, 1: 5, 2: 10, 3: 5 }, START + 1)
  await vi.advanceTimersByTimeAsync(4_000)
  expect(browser.shown).toEqual([])
  expect(await alerts(app)).toMatchObject([{ by: 'push' }])
})

test('the open app fires no alert while the price of one coin of the pair is more than ten minutes old', async () => {
  const { app } = await start()
  watch(app)
  await watches(app)
  const { prices, ...rest } = (await app.db.prices.get('usd'))!
  await app.db.prices.put({
    ...rest,
    polled_at: START + 1,
    prices: {
      bitcoin: priceRow({ usd: 16, first_seen_at: START }),
      ethereum: priceRow({ usd: 5, first_seen_at: START, provider_time: START - 10 * MINUTE - 1 }),
      'coin-2': { ...prices['coin-2' as keyof typeof prices], usd: 16 },
    } as typeof prices,
  })
  await vi.advanceTimersByTimeAsync(6_000)
  expect(await alerts(app)).toEqual([])
})

test('a crossing that cannot be stored is still shown as a notification and a toast', async () => {
  const { app } = await start()
  const reports = catchReports()
  watch(app)
  await watches(app)
  await seedPrices(app, { 0: 16, 1: 5, 2: 10, 3: 5 }, START + 1)
  vi.spyOn(app.db.alerts, 'bulkPut').mockRejectedValue(new Error('The disk is full.'))
  await vi.waitFor(async () => {
    await vi.advanceTimersByTimeAsync(2_000)
    expect(browser.shown).toHaveLength(1)
  })
  await vi.waitFor(() => expect(toasts(app)).toMatchObject([{ kind: 'alert' }]))
  expect(reports).toHaveLength(1)
})

test.each<[string, (app: LocalApp) => unknown]>([
  ['has not permitted it', () => (browser.permission = 'default')],
  ['has switched notifications off here', (app) => changePushRegistration(app.db, () => ({ off: true }))],
])('a crossing is stored and shown in a toast, without a notification, when the user %s', async (_why, arrange) => {
  const { app } = await start()
  await arrange(app)
  watch(app)
  toaster(app)
  look(true)
  await watches(app)
  await seedPrices(app, { 0: 16, 1: 5, 2: 10, 3: 5 }, START + 1)
  await looked(app, 1)
  await vi.waitFor(() => expect(toasts(app)).toHaveLength(1))
  expect(browser.shown).toEqual([])
})

const row = (widget: WidgetId, side: AlertRow['side'], epoch: number): Omit<AlertRow, 'owner'> => ({
  event_id: `${widget}:${side}:${epoch}`,
  widget_id: widget,
  coin_a_id: 'bitcoin' as AlertRow['coin_a_id'],
  coin_b_id: 'ethereum' as AlertRow['coin_b_id'],
  pair: 'BTC / ETH',
  side,
  ratio: 3.2,
  threshold: 3,
  at: START,
  by: 'push',
  toasted: false,
  seen_at: null,
  rearm_later: false,
})

async function told(app: LocalApp, ...rows: Omit<AlertRow, 'owner'>[]) {
  const { owner } = (await app.db.session.get('current'))!
  for (const one of rows) await claimAlert(app.db, { ...one, owner })
}

test('an alert’s toast is shown once over two tabs, opens the chart, and marks the alert as seen when followed', async () => {
  const { app, id } = await start()
  const went: string[] = []
  look(true)
  toaster(app, went)
  toaster(app, went)
  await told(app, row(id, 'high', 4))
  await vi.waitFor(() => expect(toasts(app)).toHaveLength(1))
  expect(await alerts(app)).toMatchObject([{ toasted: true, seen_at: null }])
  expect(toasts(app)).toMatchObject([
    { kind: 'alert', message: 'Sell alert: BTC / ETH. Ratio 3.2000 is above 3.0000.' },
  ])
  expect(toasts(app)[0]!.action?.label).toBe('Open chart')
  toasts(app)[0]!.action?.run()
  expect(went).toEqual([id])
  await vi.waitFor(async () => expect(await alerts(app)).toMatchObject([{ seen_at: START }]))
})

test('the toast of an alert waits until the page is visible', async () => {
  const { app, id } = await start()
  look(false)
  toaster(app)
  await told(app, row(id, 'high', 4))
  await vi.waitFor(async () => expect(await alerts(app)).toHaveLength(1))
  await vi.waitFor(() => {
    look(true)
    expect(toasts(app)).toHaveLength(1)
  })
})

test('an alert that is ten minutes old when the page sees it gets no toast', async () => {
  const { app, id } = await start()
  look(true)
  app.setNow(START + 10 * MINUTE)
  toaster(app)
  await told(app, row(id, 'high', 4))
  await vi.waitFor(async () => expect(await alerts(app)).toMatchObject([{ toasted: true, seen_at: null }]))
  expect(toasts(app)).toEqual([])
})

test('several alerts that fire while the page is hidden share one toast, which opens the alerts page', async () => {
  const { app, id, other } = await start()
  const went: string[] = []
  look(false)
  toaster(app, went)
  await told(app, ...[4, 5, 6].map((epoch) => row(id, 'high', epoch)), row(other, 'low', 0))
  look(false)
  await vi.waitFor(() => {
    look(true)
    expect(toasts(app)).toMatchObject([
      { kind: 'alert', message: '4 alerts fired: BTC / ETH, BTC / ETH, BTC / ETH and 1 more.' },
    ])
  })
  toasts(app)[0]!.action?.run()
  expect(went).toEqual(['alerts'])
})

const ending: (() => void)[] = []
afterEach(() => {
  for (const end of ending.splice(0)) end()
})

test('the app icon’s badge counts alerts that fire while the page is hidden, and clears once the page is visible', async () => {
  const { app } = await start()
  const badge: (number | null)[] = []
  Object.assign(navigator, {
    setAppBadge: async (count: number) => void badge.push(count),
    clearAppBadge: async () => void badge.push(null),
  })
  look(false)
  ending.push(keepBadge(app.db))
  watch(app)
  await watches(app)
  await seedPrices(app, { 0: 16, 1: 5, 2: 10, 3: 5 }, START + 1)
  await vi.waitFor(async () => {
    await vi.advanceTimersByTimeAsync(2_000)
    expect(badge.at(-1)).toBe(1)
  })
  look(true)
  await vi.waitFor(() => expect(badge.at(-1)).toBeNull())
})

test('the app icon’s badge counts pairs at an extreme once the page is hidden and no alert is unseen', async () => {
  const { app } = await start()
  const badge: (number | null)[] = []
  Object.assign(navigator, {
    setAppBadge: async (count: number) => void badge.push(count),
    clearAppBadge: async () => void badge.push(null),
  })
  look(true)
  const owner = (await app.db.session.toCollection().first())!.owner
  await writeMeta(app.db, 'extremes', { owner, count: 2 })
  ending.push(keepBadge(app.db))
  await vi.waitFor(() => expect(badge.at(-1)).toBeNull())
  look(false)
  await vi.waitFor(() => expect(badge.at(-1)).toBe(2))
  await writeMeta(app.db, 'extremes', { owner: 'somebody-else' as typeof owner, count: 3 })
  await vi.waitFor(() => expect(badge.at(-1)).toBeNull())
})
