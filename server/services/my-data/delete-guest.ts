import { eq } from 'drizzle-orm'
import type { Database } from '../../db/open'
import { owners } from '../../db/schema/owners'
import type { Caller } from '../../plugins/identity'
import { removeOwners } from '../retention/remove-owners'

/** Removes a guest and everything that is theirs. One whom the server does not know has been removed already. */
export async function deleteGuest({ orm }: Database, caller: Caller): Promise<void> {
  if (caller.kind !== 'guest') throw new Error('Users are deleted by schedule-deletion.ts')
  await orm.transaction(async (tx) => {
    // In turn with the guest's changes, as an owner's changes are (decision 0032).
    const [row] = await tx
      .select({ id: owners.id })
      .from(owners)
      .where(eq(owners.anonymous_hash, caller.anonymousHash))
      .for('no key update')
    if (row !== undefined) await removeOwners(tx, [row.id])
  })
}
