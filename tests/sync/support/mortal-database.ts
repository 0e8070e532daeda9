import { type DBCore, type DBCoreMutateRequest, type DBCoreTable, Dexie } from 'dexie'
import { LocalDatabase } from '../../../src/db/database'
import type { Activity } from './activity'

/**
 * A connection whose context may be killed at any moment: its open transactions abort, later requests are refused. So what
 * still runs of the context ends, and holds no lock that the browser would have freed.
 */
export interface MortalDatabase {
  readonly db: LocalDatabase
  readonly kill: () => void
  /** Dies with the n-th request from now. */
  readonly dieAfter: (requests: number, onDeath: () => void) => void
  /** Dies with the commit of the n-th transaction that may write from now. */
  readonly dieAfterWrites: (transactions: number, onDeath: () => void) => void
}

/** A device's storage, which all its connections share. */
export interface Storage {
  /** Writes of rows that it has no room for from now on. */
  refusals: number
}

const METHODS = ['mutate', 'get', 'getMany', 'query', 'count', 'openCursor'] as const
const refuse = (): Promise<never> => Promise.reject(new Dexie.DatabaseClosedError('Its context is dead.'))

export function mortalDatabase(
  name: string,
  factory: IDBFactory,
  activity: Activity,
  storage: Storage = { refusals: 0 },
): MortalDatabase {
  const db = new LocalDatabase(name, { indexedDB: factory, IDBKeyRange: globalThis.IDBKeyRange })
  const open = new Set<IDBTransaction>()
  let dead = false
  let left = Infinity
  let writesLeft = Infinity
  let died: () => void = () => undefined

  const kill = (): void => {
    dead = true
    for (const transaction of open) {
      try {
        transaction.abort()
      } catch {
        // It had just committed: what was done stays done.
      }
    }
    db.close()
  }
  const guard =
    (work: (request: never) => PromiseLike<unknown>) =>
    (request: never): PromiseLike<unknown> => {
      if (dead) return refuse()
      if (--left === 0) {
        kill()
        died()
        return refuse()
      }
      return activity.track(work(request))
    }
  const bounded =
    (table: DBCoreTable): DBCoreTable['mutate'] =>
    async (request: DBCoreMutateRequest) => {
      const isWrite = request.type === 'add' || request.type === 'put'
      if (isWrite && storage.refusals > 0) {
        storage.refusals--
        throw new Dexie.QuotaExceededError('The disk is full.')
      }
      return table.mutate(request)
    }
  const mortalTable = (table: DBCoreTable): DBCoreTable => {
    const on = { ...table, mutate: bounded(table) }
    const guarded = METHODS.map((name) => [name, guard((request: never) => on[name](request))] as const)
    return { ...table, ...Object.fromEntries(guarded) }
  }
  db.use({
    stack: 'dbcore',
    name: 'mortal',
    create: (core: DBCore): DBCore => ({
      ...core,
      transaction(...args) {
        const transaction = core.transaction(...args) as unknown as IDBTransaction
        open.add(transaction)
        // A cursor walks many turns of the event loop after the request that opened it.
        const done = activity.begin()
        const end = (): void => {
          open.delete(transaction)
          done()
        }
        transaction.addEventListener('complete', () => {
          end()
          if (args[1] !== 'readwrite' || --writesLeft !== 0) return
          kill()
          died()
        })
        transaction.addEventListener('abort', end)
        return transaction
      },
      table: (tableName) => mortalTable(core.table(tableName)),
    }),
  })
  return {
    db,
    kill,
    dieAfter(requests, onDeath) {
      left = requests
      died = onDeath
    },
    dieAfterWrites(transactions, onDeath) {
      writesLeft = transactions
      died = onDeath
    },
  }
}
