import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { checkForeignPrices } from '../../../../src/app/alerts/check-foreign-prices'
import { checkOtherPrices } from '../../../../src/app/alerts/start-alerts'
import { updateWidget } from '../../../../src/db/commands/widgets'
import { writeMeta } from '../../../../src/db/database'
import { changeOwnerSyncState } from '../../../../src/db/owner-sync-state'
import { changePushRegistration } from '../../../../src/db/push-registration'
import type { WidgetId } from '../../../../src/domain/ids'
import { configAtom } from '../../../../src/state/server-settings'
import { priceRow } from '../../../support/price-row'
import { configOf } from '../../support/config'
import { type LocalApp, seedCoins, seedPrices, seedWidgets, START, startLocalApp } from '../../support/local-app'
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

const settings = (price_url: string) =>
  configOf({ market_data: { source: 'simulated', price_url, attribution: { text: 'Simulated', url: null } } })

/** BTC / ETH with both alerts on, armed at 3 and 1, at a ratio of 2, and another such pair; prices come from elsewhere. */
async function start() {
  const app = await startLocalApp()
  await seedCoins(app, 4)
  const watched = { notifications_enabled: true, high_threshold: 3, low_threshold: 1, high_epoch: 4 }
  const [id = '' as WidgetId, other = '' as WidgetId] = await seedWidgets(app, 2, watched)
  await writeMeta(app.db, 'config', { config: settings('https://prices.example/api/v3'), fetched_at: START })
  await seedPrices(app, { 0: 10, 1: 5, 2: 10, 3: 5 })
  return { app, id, other }
}
const check = (app: LocalApp) => ends.push(checkForeignPrices(app.services.commands, location.origin))
/** A look of each tab, to its end. */
async function look(app: LocalApp): Promise<void> {
  vi.advanceTimersByTime(2_000)
  // Behind the reads and claims of the look in the database's queue.
  for (let turn = 0; turn < 3; turn++) await app.db.transaction('rw', app.db.tables, () => app.db.alerts.count())
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
}
const crossed = (app: LocalApp, at = START + 1) => seedPrices(app, { 0: 16, 1: 5, 2: 10, 3: 5 }, at)
const names = async (app: LocalApp) => (await app.db.alerts.toArray()).map((row) => row.event_id)
const rung = () => browser.shown.map(({ options }) => options.tag)

test('three tabs with prices of another service announce the crossing that they see within two seconds, once an epoch', async () => {
  const { app, id } = await start()
  for (let tab = 0; tab < 3; tab++) check(app)
  await look(app)
  await crossed(app)
  expect(await names(app)).toEqual([])
  await look(app)
  expect(await app.db.alerts.toArray()).toMatchObject([
    { event_id: `${id}:high:4`, pair: 'BTC / ETH', ratio: 3.2, threshold: 3, at: START, by: 'app', toasted: false },
  ])
  // Back and beyond once more: the server alone re-arms, and names the next epoch.
  await seedPrices(app, { 0: 10, 1: 5, 2: 10, 3: 5 }, START + 2)
  await look(app)
  await crossed(app, START + 3)
  await look(app)
  expect(rung()).toEqual([`${id}:high:4`])
  // The list that says so may come before the prices that did it.
  app.setNow(START + 3)
  await app.db.widgets.update(id, { high_epoch: 5 })
  await look(app)
  expect(rung()).toEqual([`${id}:high:4`])
  await crossed(app, START + 4)
  await look(app)
  expect(rung()).toEqual([`${id}:high:4`, `${id}:high:5`])
  expect(await app.db.widgets.get(id)).toMatchObject({ high_threshold_active: true })
  expect(await app.db.outbox.count()).toBe(0)
})

const owner = async ({ db }: LocalApp) => (await db.session.get('current'))!.owner

test.each<[string, (app: LocalApp, id: WidgetId) => unknown]>([
  [
    'whose change waits',
    (app, id) => updateWidget(app.services.commands, id, { alerts: { high: { threshold: 2.5 } } }),
  ],
  ['while a pull is owed', async (app) => changeOwnerSyncState(app.db, await owner(app), { needs_pull: true })],
  [
    'while the stream has named a later list',
    async (app) => changeOwnerSyncState(app.db, await owner(app), { list_revision: 1, told_revision: 2 }),
  ],
  ['by a list from before the device slept', (app) => app.setNow(START + 4 * MINUTE)],
  [
    'by a price that is more than ten minutes old',
    async ({ db }) => {
      const row = (await db.prices.get('usd'))!
      const old = priceRow({ usd: 5, provider_time: START - 10 * MINUTE - 1 })
      await db.prices.put({ ...row, prices: { ...row.prices, ethereum: old } as typeof row.prices })
    },
  ],
  [
    'by prices that our own server has judged',
    ({ db }) => writeMeta(db, 'config', { config: settings('/api/v3'), fetched_at: START }),
  ],
])('the page’s own check judges no pair %s', async (_what, arrange) => {
  const { app, id } = await start()
  check(app)
  await look(app)
  await crossed(app)
  await arrange(app, id)
  await look(app)
  await look(app)
  expect(await names(app)).toEqual([])
})

test.each<[string, (app: LocalApp) => unknown]>([
  ['has not permitted it', () => (browser.permission = 'default')],
  ['has switched notifications off here', (app) => changePushRegistration(app.db, () => ({ off: true }))],
])('a crossing that the page sees itself is stored without a notification when the user %s', async (_why, arrange) => {
  const { app, id } = await start()
  await arrange(app)
  check(app)
  await look(app)
  await crossed(app)
  await look(app)
  expect([await names(app), rung()]).toEqual([[`${id}:high:4`], []])
})

test('the page’s own check begins only with settings that name another service for prices', async () => {
  const { app } = await start()
  app.store.set(configAtom, settings('/api/v3'))
  ends.push(checkOtherPrices(app.store, app.services.commands))
  expect(vi.getTimerCount()).toBe(0)
  app.store.set(configAtom, settings('https://prices.example/api/v3'))
  await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1))
})
