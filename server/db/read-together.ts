import type { Pool } from 'pg'

/** Reads under way at a time, so that under load those who ask gather, and keys of one read. */
const WIDTH = 2
const MOST_KEYS = 50

interface Asked<T> {
  readonly found: Promise<T>
  readonly resolve: (found: T) => void
  readonly reject: (error: unknown) => void
}

/**
 * Answers those who ask in the same turn of the event loop, or while as many reads as may be are under way, by one read: a
 * statement for each would cost the process more than the rows do. A read begins after all whom it answers have asked.
 * @param read gives what it finds by key
 */
export function readTogether<T>(
  read: (keys: readonly string[]) => Promise<(key: string) => T>,
): (key: string) => Promise<T> {
  const asked = new Map<string, Asked<T>>()
  let underWay = 0
  let isPlanned = false

  const begin = () => {
    isPlanned = false
    while (underWay < WIDTH && asked.size > 0) void readNext()
  }

  async function readNext(): Promise<void> {
    const batch = [...asked].slice(0, MOST_KEYS)
    for (const [key] of batch) asked.delete(key)
    underWay += 1
    try {
      const found = await read(batch.map(([key]) => key))
      for (const [key, { resolve }] of batch) resolve(found(key))
    } catch (error) {
      for (const [, { reject }] of batch) reject(error)
    }
    underWay -= 1
    begin()
  }

  return (key) => {
    const known = asked.get(key)
    if (known !== undefined) return known.found
    let one: Pick<Asked<T>, 'resolve' | 'reject'> | undefined
    const found = new Promise<T>((resolve, reject) => {
      one = { resolve, reject }
    })
    asked.set(key, { found, ...one! })
    if (!isPlanned) setImmediate(begin)
    isPlanned = true
    return found
  }
}

/** A statement of Drizzle's whose one parameter is an array of keys; its first column is the key that a row was found by. */
interface ByKeys {
  readonly name: string
  readonly statement: { toSQL(): { readonly sql: string } }
}

/** Rows as node-postgres reads them, by their key: Drizzle's mapping of them would cost as much as all else of an answer. */
export function rowsByKey(pool: Pool, { name, statement }: ByKeys) {
  const text = statement.toSQL().sql
  return async (keys: readonly string[]): Promise<(key: string) => readonly (readonly unknown[])[]> => {
    const { rows } = await pool.query<unknown[]>({ name, text, values: [keys], rowMode: 'array' })
    const byKey = new Map<unknown, unknown[][]>()
    for (const row of rows) {
      const known = byKey.get(row[0])
      if (known === undefined) byKey.set(row[0], [row])
      else known.push(row)
    }
    return (key) => byKey.get(key) ?? []
  }
}
