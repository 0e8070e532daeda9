import { createStore } from 'jotai'
import { vi } from 'vitest'
import { startToaster } from '../../../src/app/alerts/start-alerts'
import type { Crossing } from '../../../src/contract/alerts'
import { claimToasts } from '../../../src/db/commands/alerts'
import { addWidget, updateWidget } from '../../../src/db/commands/widgets'
import { readUntoasted } from '../../../src/db/queries/alerts'
import { readBoard } from '../../../src/db/board-rows'
import type { CoinId } from '../../../src/domain/ids'
import { createEngine } from '../../../src/sync/engine'
import { pushDevice } from '../../../src/sync/push/device'
import { confirmShown } from '../../../src/sync/push/confirm-shown'
import { onPush, ownerHash } from '../../../src/sync/push/on-push'
import { dropNoticeAtom, localNoticesAtom } from '../../../src/state/toasts'
import { priceStore } from '../../../server/services/market/prices/price-store'
import { idle } from '../../db/support/idle'
import type { TestApp } from '../../server/support/test-app'
import { fakePush } from './push-manager'
import { startTabs } from './tabs'

/** A pair, and the thresholds that it is watched at. */
interface Watched {
  readonly coinA: string
  readonly coinB: string
  readonly high: number
  readonly low: number
}

export interface Heard {
  /** Crossings that the server has recorded, by name. */
  readonly crossings: readonly string[]
  /** Crossings that toasts told of, over both windows. */
  readonly toasted: number
  /** Names of the notifications that made a sound. */
  readonly rung: readonly string[]
  /** Crossings of the log, by name. */
  readonly listed: readonly string[]
}

interface Options {
  readonly server: TestApp
  readonly pairs: readonly Watched[]
  readonly notifications: NotificationPermission
  /** How often each crossing's push arrives, and whether before the pull or after it; null: there is no push. */
  readonly pushes: ((crossing: Crossing) => { readonly times: number; readonly first: boolean }) | null
}

/**
 * The app of a guest, open in two visible windows beside its service worker, before the real server. Every claim and every
 * toast is the app's own; only the drawing is missing.
 */
export async function openApp({ server, pairs, notifications, pushes }: Options) {
  const push = fakePush()
  const { registration } = push
  vi.stubGlobal('Notification', { permission: notifications })
  vi.stubGlobal('window', { Notification: { permission: notifications } })
  vi.stubGlobal('navigator', { serviceWorker: { getRegistration: async () => registration } })
  vi.stubGlobal('document', { visibilityState: 'visible', addEventListener: () => {}, removeEventListener: () => {} })

  const browser = await startTabs(server)
  // Charts are no part of this.
  browser.setWay(({ path }) => (path.endsWith('/historical') ? 'lost-request' : 'arrives'))
  const worker = browser.open()
  const engine = createEngine({ ...worker.env, push: pushDevice(registration) })
  let toasted = 0
  const ends = [browser.open(), browser.open()].map(({ context: commands }) => {
    const store = createStore()
    store.sub(localNoticesAtom, () => {
      for (const { id, message } of store.get(localNoticesAtom)) {
        toasted += Number(/^(\d+) alerts fired/.exec(message)?.[1] ?? 1)
        store.set(dropNoticeAtom, id)
      }
    })
    return startToaster({ store, commands, openChart: () => undefined, openAlerts: () => undefined })
  })

  const { pool } = server.database
  await pool.query(
    `INSERT INTO market_coins (source, id, symbol, name, listed_at)
     SELECT 'simulated', id, left(id, 3), id, 0 FROM unnest($1::text[]) id ON CONFLICT DO NOTHING`,
    [[...server.market.usd.keys()]],
  )
  const store = priceStore({ pool, source: 'simulated', clock: server.clock })
  const me = server.guest(browser.guest)
  const ofServer = async (): Promise<readonly Crossing[]> => {
    const { body } = await me.ask<{ readonly alerts: readonly Crossing[] }>('GET', '/alerts?limit=500')
    return body.alerts
  }

  await engine.sync('start')
  for (const { coinA, coinB, high, low } of pairs) {
    await addWidget(worker.context, { coinA: coinA as CoinId, coinB: coinB as CoinId })
    const added = (await readBoard(worker.db))!.widgets.find((one) => one.coinA.id === coinA && one.coinB.id === coinB)
    const alerts = { high: { threshold: high }, low: { threshold: low } }
    await updateWidget(worker.context, added!.id, { notificationsEnabled: true, alerts })
  }
  await engine.sync('command')

  const show = async ({ title, options }: { readonly title: string; readonly options: NotificationOptions }) =>
    registration.showNotification(title, options)
  async function deliver(crossing: Crossing, times: number): Promise<void> {
    const text = JSON.stringify({ ...crossing, type: 'alert', owner: await ownerHash(browser.guest) })
    for (let n = 0; n < times; n++) {
      await onPush(worker.db, show, text, worker.env.now(), (ids) => confirmShown(worker.env, ids))
    }
  }
  /** Waits until no window has anything left to tell, and what was told last stands there. */
  const quiet = async (): Promise<void> => {
    do await idle(worker.db)
    while ((await readUntoasted(worker.db)).length > 0)
    // Behind the claims of the windows, so that their toasts are there once this one has ended.
    await claimToasts(worker.db, browser.guest, worker.env.now())
    for (let turns = 0; turns < 10; turns++) await new Promise((resolve) => setImmediate(resolve))
  }
  const known = new Set<string>()

  return {
    /** A price update of the server's; then the app polls, as its clock has it do. */
    async live(usd: Readonly<Record<string, number>>, after: number): Promise<void> {
      server.clock.advance(after)
      for (const [coin, price] of Object.entries(usd)) server.market.usd.set(coin, price)
      const at = server.clock()
      await store(new Map(Object.entries(usd).map(([coin, price]) => [coin, { usd: price, providerTime: at }])), {
        history: false,
      })
      const fresh = pushes === null ? [] : (await ofServer()).filter(({ event_id }) => !known.has(event_id))
      const due = fresh.map((crossing) => ({ crossing, ...pushes!(crossing) }))
      for (const { crossing, times, first } of due) if (first) await deliver(crossing, times)
      await engine.sync('tick')
      for (const { crossing, times, first } of due) if (!first) await deliver(crossing, times)
      for (const { event_id } of fresh) known.add(event_id)
      await quiet()
    },
    async heard(): Promise<Heard> {
      await quiet()
      const names = (rows: readonly { readonly event_id: string }[]) => rows.map((row) => row.event_id).toSorted()
      return {
        crossings: names(await ofServer()),
        toasted,
        rung: push.notified
          .filter(({ silent }) => !silent)
          .map(({ tag }) => tag)
          .toSorted(),
        listed: names(await worker.db.alerts.toArray()),
      }
    },
    close(): void {
      for (const end of ends) end()
      browser.close()
      vi.unstubAllGlobals()
    },
  }
}
