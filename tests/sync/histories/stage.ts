import { randomBytes, randomUUID } from 'node:crypto'
import type { OptimisticWidget } from '../../../src/db/board'
import { writeMeta, type LocalDatabase } from '../../../src/db/database'
import { ensureIdentity } from '../../../src/db/identity'
import { isStorageFull } from '../../../src/db/quota-eviction'
import { isLive } from '../../../src/db/mutations/mutation-types'
import type { OwnerId } from '../../../src/domain/ids'
import { userRecord } from '../../db/support/people'
import type { TestApp } from '../../server/support/test-app'
import { createAccounts } from '../support/accounts'
import { createActivity, type Activity } from '../support/activity'
import { createNetwork, type Fault, type Network } from '../support/network'
import type { Random } from '../support/random'
import { signIn } from '../support/sign-in'
import { virtualTime, type VirtualTime } from '../support/virtual-time'
import { otherDevice } from './other-device'
import { LIMITS } from './pairs'
import { somePeople } from './people'
import { IDBFactory } from 'fake-indexeddb'
import { createEngine, type Engine } from '../../../src/sync/engine'
import type { SyncReason } from '../../../src/domain/sync-reason'
import { fakeLocks } from '../support/fake-locks'
import { type MortalDatabase, mortalDatabase, type Storage } from '../support/mortal-database'

const TICK = 75_000
const SHORTEST_TIMER = 100

interface Context {
  readonly name: string
  readonly engine: Engine
  readonly database: MortalDatabase
  alive: boolean
}

/** One browser: a page whose user does things, and one or two contexts that run the engine and may be killed. */
interface Device {
  /** The page's own connection. */
  readonly db: LocalDatabase
  /** The device's clock, which may be wrong. */
  readonly now: () => number
  /** Another page of the browser, which may die in the middle of a command. */
  readonly openPage: () => MortalDatabase
  readonly jump: (ms: number) => void
  /** The user sets the clock right. */
  readonly setClockRight: () => void
  readonly storage: Storage
  readonly ask: (reason: SyncReason, which?: number) => void
  readonly askAll: (reason: SyncReason) => void
  readonly kill: (which: number) => void
  readonly dieAfter: (which: number, requests: number) => void
  readonly close: () => void
}

interface DeviceDeps {
  readonly time: VirtualTime
  readonly activity: Activity
  readonly network: Network
  readonly random: () => number
  readonly contexts: readonly string[]
  /** A sync failed although its context lives. */
  readonly onDefect: (error: unknown) => void
}

let databases = 0

function createDevice({ time, activity, network, random, contexts: names, onDefect }: DeviceDeps): Device {
  const factory = new IDBFactory()
  const name = `device-${databases++}`
  const locks = fakeLocks()
  const storage: Storage = { refusals: 0 }
  const page = mortalDatabase(name, factory, activity, storage)
  let offset = 0
  let tokens = 0
  let cancelDue: () => void = () => undefined
  let closed = false
  const now = (): number => time.now() + offset

  const born = (contextName: string): Context => {
    const database = mortalDatabase(name, factory, activity, storage)
    const context: Context = { name: contextName, database, alive: true, engine: undefined as never }
    const whileAlive =
      <A extends unknown[], T>(work: (...args: A) => Promise<T>) =>
      async (...args: A): Promise<T> =>
        context.alive ? work(...args) : new Promise<never>(() => undefined)
    const engine = createEngine({
      db: database.db,
      fetch: whileAlive(network.fetch),
      now,
      random,
      token: () => `lease-${tokens++}`,
      locks: locks.forContext(contextName),
      timer: time.timer,
      origin: 'http://localhost',
    })
    return Object.assign(context, { engine })
  }
  const contexts = names.map(born)

  const bury = (which: number): void => {
    const context = contexts[which]!
    context.alive = false
    context.database.kill()
    locks.release(context.name)
    contexts[which] = born(context.name)
  }
  const ask = (reason: SyncReason, which = 0): void => {
    const context = contexts[which % contexts.length]!
    context.engine.sync(reason).then(
      (due) => {
        if (due === null || closed) return
        cancelDue()
        cancelDue = time.timer(Math.max(SHORTEST_TIMER, due - now()), () => ask('due', which))
      },
      (error: unknown) => {
        // A full device is no defect: the part is tried again.
        if (context.alive && !closed && !isStorageFull(error)) onDefect(error)
      },
    )
  }
  const askAll = (reason: SyncReason): void => contexts.forEach((_, index) => ask(reason, index))
  const tick = (): void => {
    if (closed) return
    askAll('tick')
    time.timer(TICK, tick)
  }
  time.timer(TICK, tick)

  return {
    db: page.db,
    now,
    openPage: () => mortalDatabase(name, factory, activity, storage),
    jump: (ms) => {
      offset += ms
    },
    setClockRight: () => {
      offset = 0
    },
    storage,
    ask,
    askAll,
    kill: (which) => bury(which % contexts.length),
    dieAfter(which, requests) {
      const index = which % contexts.length
      const context = contexts[index]!
      context.database.dieAfter(requests, () => {
        context.alive = false
        // A browser frees a dead context's locks in a task of its own: given here, inside a transaction of the one that
        // died, the next holder would run in Dexie's zone of that transaction.
        const task = new Promise<void>((resolve) => {
          setImmediate(() => {
            if (contexts[index] === context) bury(index)
            resolve()
          })
        })
        void activity.track(task)
      })
    },
    close() {
      closed = true
      for (const context of contexts) {
        context.alive = false
        context.database.kill()
      }
      page.kill()
    },
  }
}

export const SECOND = 1_000
export const MINUTE = 60 * SECOND

/** Something that the network or the browser does. */
export type Event =
  /** Lets that many things happen: answers arrive, timers run out. */
  | { readonly type: 'run'; readonly events: number }
  | { readonly type: 'time'; readonly ms: number }
  | { readonly type: 'fault'; readonly fault: Fault }
  | { readonly type: 'kill'; readonly a: number }
  /** The context dies with its n-th database request from now: between any two awaits. */
  | { readonly type: 'die-after'; readonly a: number; readonly requests: number }
  | { readonly type: 'offline'; readonly on: boolean }
  | { readonly type: 'tick' }
  /** The server's clock is set. */
  | { readonly type: 'server-clock'; readonly ms: number }
  /** The device has no room for so many writes of rows. */
  | { readonly type: 'full'; readonly writes: number }

interface Options {
  /** Two tabs that each run the engine, instead of one service worker. */
  readonly tabs: boolean
  /** Prices, coins and history are served too. */
  readonly market: boolean
  /** Reads the screen, and judges what stands there. */
  readonly judge: (byUser: boolean) => Promise<readonly OptimisticWidget[]>
}

/** A new guest's device before the real server, on a clock that passes only as a random play says. */
export async function openStage(server: TestApp, random: Random, { tabs, market, judge }: Options) {
  const time = virtualTime(server.clock())
  const activity = createActivity()
  const accounts = createAccounts(time.now)
  const people = await somePeople(server)
  const { headersOf } = people
  const shared = { time, activity, random: random.next }
  const network = createNetwork({ ...shared, app: server.app, serverNow: server.clock, accounts, headersOf, market })
  /** Milliseconds by which the server's clock is wrong. */
  let serverError = 0
  const letServerCatchUp = (now: number): void => server.clock.advance(Math.max(0, now + serverError - server.clock()))
  const problems: unknown[] = []
  const contexts = tabs ? ['tab-1', 'tab-2'] : ['service-worker']
  const device = createDevice({ ...shared, network, contexts, onDefect: (error) => problems.push(error) })
  const { db } = device
  const context = { db, now: device.now, uuid: randomUUID }

  const fail = (): void => {
    if (problems.length > 0) throw problems[0]
  }
  let seenMoves = -1
  let screen: readonly OptimisticWidget[] = []
  /** @param byUser whether the user has done something since the last look */
  const look = async (byUser: boolean): Promise<readonly OptimisticWidget[]> => {
    await activity.idle()
    fail()
    if (activity.moves() === seenMoves) return screen
    screen = await judge(byUser)
    fail()
    seenMoves = activity.moves()
    return screen
  }
  const step = async (until: number): Promise<boolean> => {
    await activity.idle()
    const next = time.next()
    if (next === null || next > until) return false
    letServerCatchUp(next)
    time.moveTo(next)
    await look(false)
    return true
  }
  const advance = async (ms: number): Promise<void> => {
    const end = time.now() + ms
    while (await step(end));
    time.moveTo(end)
    letServerCatchUp(end)
    await look(false)
  }
  const live = async (owner: OwnerId) => (await db.outbox.where('owner').equals(owner).toArray()).filter(isLive)

  const guest = await ensureIdentity(context, randomBytes(24))
  await writeMeta(db, 'tier_limits', { limits: LIMITS, fetched_at: time.now() })
  return {
    time,
    activity,
    accounts,
    people,
    network,
    device,
    db,
    context,
    guest,
    elsewhere: otherDevice(server, people, time.now),
    /** Faults beside the play itself; the next look throws the first. */
    problems,
    look,
    advance,
    live,
    /** Time passes without a timer: the lid is closed. */
    async sleep(ms: number): Promise<void> {
      letServerCatchUp(time.now() + ms)
      time.moveTo(time.now() + ms)
      await look(false)
    },
    current: async (): Promise<OwnerId> => (await db.session.get('current'))!.owner,
    /** A user who logs in anew gets the tier of the time before; the next pull finds what has become of it. */
    async logIn(owner: OwnerId): Promise<void> {
      const { user } = (await db.session.get('current'))!
      const record = user?.id === owner ? user : userRecord(owner, people.isPremium(owner))
      await signIn(db, record, accounts.signIn(owner), device.now())
    },
    async happen(event: Event): Promise<unknown> {
      switch (event.type) {
        case 'run':
          for (let i = 0; i < event.events; i++) await step(Infinity)
          return undefined
        case 'time':
          return advance(event.ms)
        case 'fault':
          return network.addFault(event.fault)
        case 'kill':
          return device.kill(event.a)
        case 'die-after':
          return device.dieAfter(event.a, event.requests)
        case 'offline':
          network.setOffline(event.on)
          return event.on ? undefined : device.askAll('online')
        case 'tick':
          return device.askAll('tick')
        case 'server-clock':
          serverError += event.ms
          return server.clock.advance(event.ms)
        case 'full':
          device.storage.refusals = event.writes
          return undefined
      }
    },
    /** Lets everything of the owner that waits be answered. */
    comeToRest: async (owner: OwnerId): Promise<void> => {
      for (let waited = 0; waited < 20 * MINUTE && (await live(owner)).length > 0; waited += 30 * SECOND) {
        await advance(30 * SECOND)
      }
    },
    async close(): Promise<void> {
      device.close()
      await activity.idle()
      server.clock.advance(-serverError)
    },
  }
}
