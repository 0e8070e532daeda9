import { sql } from 'drizzle-orm'
import { expect } from 'vitest'
import type { Database, Queryable } from '../../../server/db/open'

/** Resolves when somebody waits for what this transaction holds. */
export async function waitingFor({ engine }: Pick<Database, 'engine'>, tx: Queryable): Promise<void> {
  // The embedded database has one session, which nobody else can have before the transaction ends.
  if (engine === 'pglite') return
  const waiting = sql`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
  const count = async () => {
    // A transaction goes on seeing what others did at its first look.
    await tx.execute(sql`SELECT pg_stat_clear_snapshot()`)
    return (await tx.execute(waiting)).rows.length
  }
  await expect.poll(count, { timeout: 60_000 }).toBe(1)
}
