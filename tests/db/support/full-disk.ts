import { Dexie, type DBCore, type DBCoreMutateRequest, type DBCoreTable } from 'dexie'
import type { LocalDatabase } from '../../../src/db/database'

/** A disk of so many bytes under one connection's tables. A browser refuses what does not fit, wherever it would stand. */
export interface Disk {
  /** Bytes; Infinity: no bound. */
  limit: number
  /** Bytes of everything that is stored. */
  readonly used: () => number
  /** How often a write was refused. */
  readonly refusals: () => number
}

const sizeOf = (value: unknown): number =>
  JSON.stringify(value, (_, one: unknown) => (ArrayBuffer.isView(one) ? 'x'.repeat(one.byteLength) : one)).length

/**
 * Puts `db` on a disk. Deleting is always allowed; a new row must fit whole beside the one it replaces, as in Chromium.
 * Call it before the database is opened.
 */
export function onDisk(db: LocalDatabase): Disk {
  let rows = new Map<string, number>()
  let refusals = 0
  const used = () => [...rows.values()].reduce((sum, size) => sum + size, 0)
  const disk: Disk = { limit: Infinity, used, refusals: () => refusals }
  const saved = new WeakMap<object, ReadonlyMap<string, number>>()

  const place = (table: DBCoreTable, key: unknown): string => `${table.name} ${JSON.stringify(key)}`

  const mutate =
    (table: DBCoreTable): DBCoreTable['mutate'] =>
    async (request: DBCoreMutateRequest) => {
      const transaction = request.trans as unknown as IDBTransaction
      if (!saved.has(transaction)) {
        saved.set(transaction, new Map(rows))
        transaction.addEventListener('abort', () => (rows = new Map(saved.get(transaction))))
      }
      if (request.type === 'add' || request.type === 'put') {
        const wanted = request.values.reduce((sum: number, value: unknown) => sum + sizeOf(value), 0)
        if (used() + wanted > disk.limit) {
          refusals += 1
          throw new Dexie.QuotaExceededError('The disk is full.')
        }
        const response = await table.mutate(request)
        request.values.forEach((value: unknown, index: number) => {
          const key: unknown =
            table.schema.primaryKey.extractKey?.(value) ?? response.results?.[index] ?? request.keys?.[index]
          rows.set(place(table, key), sizeOf(value))
        })
        return response
      }
      const response = await table.mutate(request)
      await recount(table, request)
      return response
    }

  const recount = async (table: DBCoreTable, { trans }: DBCoreMutateRequest): Promise<void> => {
    const index = table.schema.primaryKey
    const { result } = await table.query({
      trans,
      values: true,
      query: { index, range: { type: 3, lower: undefined, upper: undefined } },
    })
    for (const key of rows.keys()) if (key.startsWith(`${table.name} `)) rows.delete(key)
    for (const value of result) rows.set(place(table, index.extractKey?.(value)), sizeOf(value))
  }

  db.use({
    stack: 'dbcore',
    name: 'disk',
    create: (core: DBCore): DBCore => ({
      ...core,
      table: (name) => {
        const table = core.table(name)
        return { ...table, mutate: mutate(table) }
      },
    }),
  })
  return disk
}
