import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Pool, PoolClient, QueryConfig, QueryResult } from 'pg'
import { messageOf } from '../../../src/domain/error-message'
import { measured } from '../../support/budgets.mjs'

export interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
}

export interface SentStatements<T> {
  /** The result of the work. */
  readonly value: T
  /** As connections sent them, so BEGIN and COMMIT are among them. */
  readonly statements: readonly Statement[]
  /** Rows that the statements gave or changed. */
  readonly rows: number
}

type Result = QueryResult | readonly QueryResult[] | undefined
type Query = (...args: readonly unknown[]) => Promise<Result> | undefined

/** Notes what is sent to the database while `work` runs, and until what it has left running asks nothing more. */
export async function sentDuring<T>(pool: Pool, work: () => Promise<T>): Promise<SentStatements<T>> {
  const statements: Statement[] = []
  let rows = 0
  const note = (result: Result): Result => {
    for (const { rowCount } of [result ?? []].flat()) rows += rowCount ?? 0
    return result
  }
  const watched = new Set<PoolClient>()
  const watch = (client: PoolClient): void => {
    if (watched.has(client)) return
    watched.add(client)
    const query = client.query.bind(client) as Query
    const watching: Query = (...args) => {
      statements.push(statementOf(args))
      const last = args.at(-1)
      // The pool's own `query` takes the result by a callback, everybody else by a promise.
      if (typeof last !== 'function') return query(...args)?.then(note)
      return query(...args.slice(0, -1), (error: unknown, result: Result) => last(error, note(result)))
    }
    Object.assign(client, { query: watching })
  }
  pool.on('acquire', watch)
  try {
    const value = await work()
    await untilIdle(pool)
    return { value, statements, rows }
  } finally {
    pool.off('acquire', watch)
    for (const client of watched) Reflect.deleteProperty(client, 'query')
  }
}

function statementOf([asked, given]: readonly unknown[]): Statement {
  const config = (typeof asked === 'string' ? { text: asked } : asked) as QueryConfig<unknown[]>
  return { text: config.text, values: Array.isArray(given) ? given : (config.values ?? []) }
}

/** Turns of the event loop without a connection in use after which nothing more is asked. */
const QUIET_TURNS = 10

async function untilIdle(pool: Pool): Promise<void> {
  for (let quiet = 0; quiet < QUIET_TURNS; quiet++) {
    await nextTurn()
    if (pool.idleCount < pool.totalCount || pool.waitingCount > 0) quiet = 0
  }
}

/** @throws Error with the statements where there are more of them than the budget `<name>: statements` allows */
export function measureStatements(name: string, statements: readonly Statement[]): void {
  try {
    measured(`${name}: statements`, statements.length)
  } catch (error) {
    throw new Error([messageOf(error), ...statements.map(({ text }) => text)].join('\n'), { cause: error })
  }
}
