import { IDBFactory } from 'fake-indexeddb'
import type { LocalDatabase } from '../../../src/db/database'
import { createEngine, type Engine } from '../../../src/sync/engine'
import type { SyncReason } from '../../../src/domain/sync-reason'
import type { Activity } from './activity'
import { fakeLocks } from './fake-locks'
import { type MortalDatabase, mortalDatabase } from './mortal-database'
import type { Network } from './network'
import type { VirtualTime } from './virtual-time'

const TICK = 75_000
const SHORTEST_TIMER = 100

interface Context {
  readonly name: string
  readonly engine: Engine
  readonly database: MortalDatabase
  alive: boolean
}

/** One browser: a page whose user does things, and one or two contexts that run the engine and may be killed. */
export interface Device {
  /** The page's own connection. */
  readonly db: LocalDatabase
  /** The device's clock, which may be wrong. */
  readonly now: () => number
  /** Another page of the browser, which may die in the middle of a command. */
  readonly openPage: () => MortalDatabase
  readonly jump: (ms: number) => void
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

export function createDevice({ time, activity, network, random, contexts: names, onDefect }: DeviceDeps): Device {
  const factory = new IDBFactory()
  const name = `device-${databases++}`
  const locks = fakeLocks()
  const page = mortalDatabase(name, factory, activity)
  let offset = 0
  let tokens = 0
  let cancelDue: () => void = () => undefined
  let closed = false
  const now = (): number => time.now() + offset

  const born = (contextName: string): Context => {
    const database = mortalDatabase(name, factory, activity)
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
        if (context.alive && !closed) onDefect(error)
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
    openPage: () => mortalDatabase(name, factory, activity),
    jump: (ms) => {
      offset += ms
    },
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
