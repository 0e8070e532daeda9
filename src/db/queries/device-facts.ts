import type { LocalDatabase } from '../database'

/** Counts of this browser's rows. */
export interface DeviceFacts {
  /** Rows of each table, by its name. */
  readonly rows: readonly (readonly [table: string, rows: number])[]
  /** Milliseconds of the last pull that was kept, of whoever uses this browser; null: there was none. */
  readonly pulledAt: number | null
}

/** Of one moment. */
export async function readDeviceFacts(db: LocalDatabase): Promise<DeviceFacts> {
  return db.transaction('r', db.tables, async () => {
    const rows = await Promise.all(db.tables.map(async (table) => [table.name, await table.count()] as const))
    const session = await db.session.get('current')
    const syncState = session && (await db.owners.get(session.owner))
    return { rows, pulledAt: syncState?.pulled_at ?? null }
  })
}
