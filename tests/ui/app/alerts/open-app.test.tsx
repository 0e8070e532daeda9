import { afterEach, expect, test, vi } from 'vitest'
import { keepBadge, startToaster } from '../../../../src/app/alerts/start-alerts'
import { claimAlert } from '../../../../src/db/commands/alerts'
import { writeMeta } from '../../../../src/db/database'
import type { AlertRow } from '../../../../src/db/rows'
import type { WidgetId } from '../../../../src/domain/ids'
import { type LocalApp, seedCoins, seedWidgets, START, startLocalApp, noticesOf } from '../../support/local-app'

const MINUTE = 60_000
const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

/** BTC / ETH with both alerts on. */
async function start() {
  const app = await startLocalApp()
  await seedCoins(app, 4)
  const watched = { notifications_enabled: true, high_threshold: 3, low_threshold: 1, high_epoch: 4 }
  const [id = '' as WidgetId, other = '' as WidgetId] = await seedWidgets(app, 2, watched)
  return { app, id, other }
}
const toaster = (app: LocalApp, went: string[] = []) =>
  ends.push(
    startToaster({
      store: app.store,
      commands: app.services.commands,
      openChart: (alert) => went.push(alert.widget_id),
      openAlerts: () => went.push('alerts'),
    }),
  )
const alerts = (app: LocalApp) => app.db.alerts.toArray()
const look = (visible: boolean) => {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(visible ? 'visible' : 'hidden')
  document.dispatchEvent(new Event('visibilitychange'))
}
const toasts = (app: LocalApp) => noticesOf(app)

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

test('the toast of an alert of a way opens the alerts page, which links the ways, and no chart of a pair', async () => {
  const { app, id } = await start()
  const went: string[] = []
  look(true)
  toaster(app, went)
  await told(app, { ...row(id, 'high', 4), kind: 'way_off', note: 'your email address' })
  await vi.waitFor(() => expect(toasts(app)).toMatchObject([{ message: 'Alerts no longer reach your email address.' }]))
  const { action } = toasts(app)[0]!
  action?.run()
  expect([action?.label, went]).toEqual(['Open alerts', ['alerts']])
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
  const { app, id } = await start()
  const badge: (number | null)[] = []
  Object.assign(navigator, {
    setAppBadge: async (count: number) => void badge.push(count),
    clearAppBadge: async () => void badge.push(null),
  })
  look(false)
  ending.push(keepBadge(app.db))
  await told(app, row(id, 'high', 4))
  await vi.waitFor(() => expect(badge.at(-1)).toBe(1))
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
