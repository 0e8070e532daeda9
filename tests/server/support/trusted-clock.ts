import { retention_clock } from '../../../server/db/schema/jobs'
import type { Database } from '../../../server/db/open'

/** Lets removal go by the clock as it stands, as on a server that has long been running. */
export async function trustClock({
  database,
  clock,
}: {
  readonly database: Pick<Database, 'orm'>
  readonly clock: () => number
}): Promise<void> {
  const trusted = { confirmed_at: new Date(clock()), doubted_at: null, held_until: null }
  await database.orm
    .insert(retention_clock)
    .values({ name: 'retention', ...trusted })
    .onConflictDoUpdate({ target: retention_clock.name, set: trusted })
}
