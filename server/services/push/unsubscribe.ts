import { and, eq } from 'drizzle-orm'
import type { AppParts } from '../../app-parts'
import { push_subscriptions } from '../../db/schema/push'
import { type ChangeRequest, changeOnce } from '../operations'
import { findOwner } from '../owners'

/**
 * Sends nothing more to one of the caller's browsers. One that is another's by now, or unknown, is left alone without a
 * word: whoever asks knows nothing of others.
 * @throws ApiError IDEMPOTENCY_KEY_REUSED
 */
export async function unsubscribe(
  { database }: Pick<AppParts, 'database'>,
  request: ChangeRequest,
  endpoint: string,
): Promise<{ readonly replayed: boolean }> {
  const { href } = new URL(endpoint)
  // Whoever has nothing here need not be remembered for having nothing.
  if ((await findOwner(database.orm, request.caller)) === undefined) return { replayed: false }
  return changeOnce<undefined>(database, request, {
    forEver: false,
    recall: async () => undefined,
    make: async (tx, owner) => {
      const mine = and(eq(push_subscriptions.owner_id, owner.id), eq(push_subscriptions.endpoint, href))
      await tx.delete(push_subscriptions).where(mine)
      return undefined
    },
  })
}
