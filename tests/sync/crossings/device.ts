import { randomBytes, randomUUID } from 'node:crypto'
import { liveQuery } from 'dexie'
import { IDBFactory } from 'fake-indexeddb'
import { createStore } from 'jotai'
import { claimToasts } from '../../../src/db/commands/alerts'
import { ensureIdentity } from '../../../src/db/identity'
import { readUntoasted } from '../../../src/db/queries/alerts'
import { readWork } from '../../../src/db/queries/waiting'
import type { OwnerId } from '../../../src/domain/ids'
import { POLL_INTERVAL } from '../../../src/domain/live-prices'
import type { SyncReason } from '../../../src/domain/sync-reason'
import type { AlertRow, PricesRow } from '../../../src/db/rows'
import type { Store } from '../../../src/state/services'
import { createEngine } from '../../../src/sync/engine'
import type { EngineEnv } from '../../../src/sync/env'
import type { PushDevice } from '../../../src/sync/push/device'
import { onPush } from '../../../src/sync/push/on-push'
import { ownStream } from '../../../src/sync/stream/own-stream'
import { userRecord } from '../../db/support/people'
import type { Activity } from '../support/activity'
import { fakeLocks } from '../support/fake-locks'
import { mortalDatabase } from '../support/mortal-database'
import type { Random } from '../support/random'
import { signIn } from '../support/sign-in'
import type { VirtualTime } from '../support/virtual-time'
import { deviceNetwork, type NetworkDeps } from './device-network'

const SHORTEST_TIMER = 100

/** A page's work on alerts beside the toasts. */
export type PageAlerts = (store: Store, commands: { readonly db: EngineEnv['db']; readonly now: () => number }) => void

interface DeviceDeps extends Omit<NetworkDeps, 'whenAwake'> {
  readonly user: OwnerId
  readonly random: Random
  readonly time: VirtualTime
  readonly activity: Activity
  readonly page: PageAlerts
  readonly onDefect: (error: unknown) => void
  /** Called with all prices as often as they change on the screen. */
  readonly onPrices: (prices: PricesRow['prices']) => void
}

/** An announcement of a crossing: when, in true time (milliseconds), and its name. */
interface Announcement {
  readonly at: number
  readonly name: string
}
interface Toast extends Announcement, Pick<AlertRow, 'ratio' | 'threshold'> {}

export type Device = Awaited<ReturnType<typeof openDevice>>

/** A visible page of a user with its service worker and its stream, on a device whose lid may be closed. */
export async function openDevice(deps: DeviceDeps) {
  const { user, random, time, activity, page, onDefect, onPrices } = deps
  const { db } = mortalDatabase(`crossings-${randomUUID()}`, new IDBFactory(), activity)
  const toasts: Toast[] = []
  const rung: Announcement[] = []
  let clockError = 0
  let asleep = false
  let held: (() => void)[] = []
  const now = (): number => time.now() + clockError
  const whenAwake = (run: () => void): void => void (asleep ? held.push(run) : run())
  const network = deviceNetwork({ ...deps, whenAwake })

  const show: PushDevice['show'] = async ({ options }) => {
    if (options.silent) return
    const names = (options.data && 'event_ids' in options.data && options.data.event_ids) || [options.tag ?? '']
    rung.push(...names.map((name) => ({ at: time.now(), name })))
  }
  const push: PushDevice = {
    permission: () => 'granted',
    current: async () => null,
    shown: async () => [],
    show,
    subscribe: () => Promise.reject(new Error('It has no push service.')),
  }
  let tokens = 0
  const env: EngineEnv = {
    db,
    now,
    random: random.next,
    token: () => `lease-${tokens++}`,
    locks: fakeLocks().forContext('browser'),
    timer: (ms, run) => time.timer(ms, () => whenAwake(run)),
    origin: 'http://localhost',
    fetch: network.fetch,
  }
  const context = { db, now, uuid: randomUUID }
  await ensureIdentity(context, randomBytes(24))
  await signIn(db, userRecord(user, true), { access: 'access', refresh: 'refresh' }, now())

  const engine = createEngine({ ...env, push })
  let closed = false
  let cancelDue = (): void => undefined
  const ask = (reason: SyncReason): void => {
    if (closed || asleep) return
    engine.sync(reason).then((due) => {
      if (due === null || closed) return
      cancelDue()
      cancelDue = env.timer(Math.max(SHORTEST_TIMER, due - now()), () => ask('due'))
    }, onDefect)
  }
  const tick = (): void => {
    if (closed) return
    ask('tick')
    env.timer(POLL_INTERVAL, tick)
  }
  let wanted: string | null = null
  const ends = [
    liveQuery(() => readWork(db)).subscribe((work) => {
      const isNew = work.waiting.length > 0 || (work.wanted !== null && work.wanted !== wanted)
      wanted = work.wanted
      if (isNew) whenAwake(() => ask('command'))
    }),
    liveQuery(() => readUntoasted(db)).subscribe((rows) => {
      if (rows.length === 0) return
      const claim = async (): Promise<void> => {
        for (const { event_id: name, ratio, threshold } of await claimToasts(db, user, now()))
          toasts.push({ at: time.now(), name, ratio, threshold })
      }
      whenAwake(() => void claim().catch(onDefect))
    }),
  ]
  ends.push(liveQuery(() => db.prices.get('usd')).subscribe((row) => onPrices(row?.prices ?? {})))
  page(createStore(), context)
  const see = ownStream({ env, onPolling: () => ask('tick'), onFailure: onDefect })
  see('visible')
  ask('start')
  env.timer(POLL_INTERVAL, tick)

  return {
    db,
    context,
    network,
    toasts,
    rung,
    isAsleep: () => asleep,
    sleep(): void {
      asleep = true
      network.sleeps()
    },
    wake(): void {
      asleep = false
      const waiting = held
      held = []
      for (const run of waiting) run()
      see('visible')
      ask('visible')
    },
    /** @param noticed whether the browser says that the network is back */
    setOffline(offline: boolean, noticed: boolean): void {
      network.setOffline(offline)
      if (offline || !noticed) return
      whenAwake(() => {
        see('online')
        ask('online')
      })
    },
    setClockError: (ms: number): void => {
      clockError = ms
    },
    push: (text: string): void =>
      whenAwake(() => void activity.track(onPush(db, show, text, now(), async () => undefined).catch(onDefect))),
    close(): void {
      closed = true
      for (const end of ends) end.unsubscribe()
      db.close()
    },
  }
}
