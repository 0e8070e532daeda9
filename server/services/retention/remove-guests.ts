import { and, asc, eq, lt, notExists, or, sql } from 'drizzle-orm'
import { DAY } from '../../../src/domain/granularity'
import type { Database } from '../../db/open'
import { owners } from '../../db/schema/owners'
import { widgets } from '../../db/schema/widgets'
import { dayOf } from '../owners'
import { removeOwners } from './remove-owners'

/** How long a guest is kept who is not seen, milliseconds: with pairs, and without. The privacy policy says so. */
export const KEPT_FOR = 400 * DAY
export const KEPT_WITHOUT_PAIRS = 90 * DAY

/** Guests that one transaction removes, and how many transactions one run makes. */
const AT_ONCE = 10
const MOST_BATCHES = 1000

/**
 * Removes the guests whose browsers were not seen for long enough, and everything that is theirs.
 * @param now milliseconds since 1970
 * @returns how many there were
 */
export async function removeGuests({ orm }: Database, now: number, signal?: AbortSignal): Promise<number> {
  const pairs = orm
    .select({ one: sql`1` })
    .from(widgets)
    .where(eq(widgets.owner_id, owners.id))
  const unseen = or(
    lt(owners.last_seen, dayOf(now - KEPT_FOR)),
    and(lt(owners.last_seen, dayOf(now - KEPT_WITHOUT_PAIRS)), notExists(pairs)),
  )
  let removed = 0
  for (let batches = 0; batches < MOST_BATCHES; batches++) {
    if (signal?.aborted === true) break
    const batch = await orm.transaction(async (tx) => {
      // Judged again once locked: a guest who comes back at the last moment keeps everything.
      const rows = await tx
        .select({ id: owners.id })
        .from(owners)
        .where(and(eq(owners.kind, 'guest'), unseen))
        .orderBy(asc(owners.last_seen))
        .limit(AT_ONCE)
        .for('no key update', { skipLocked: true })
      const ids = rows.map(({ id }) => id)
      if (ids.length > 0) await removeOwners(tx, ids)
      return ids.length
    })
    removed += batch
    if (batch === 0) break
  }
  return removed
}
