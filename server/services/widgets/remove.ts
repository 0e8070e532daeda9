import { and, asc, eq } from 'drizzle-orm'
import { ApiError } from '../../api-error'
import type { AppParts } from '../../app-parts'
import { widgets } from '../../db/schema/widgets'
import { type ChangeRequest, changeOnce } from '../operations'
import { limitsOf } from '../limits'
import { arrange } from './arrange'

/**
 * Removes a widget with its checkpoints; the others close up, and the next inactive one becomes active.
 * @throws ApiError NOT_FOUND, IDEMPOTENCY_KEY_REUSED
 */
export function removeWidget(
  { database, env }: AppParts,
  request: ChangeRequest,
  id: string,
): Promise<{ readonly replayed: boolean }> {
  return changeOnce<undefined>(database, request, {
    forEver: false,
    recall: async () => undefined,
    make: async (tx, owner) => {
      const removed = await tx
        .delete(widgets)
        .where(and(eq(widgets.owner_id, owner.id), eq(widgets.id, id)))
        .returning({ id: widgets.id })
      if (removed.length === 0) throw new ApiError('NOT_FOUND', 'There is no such widget.')
      const left = await tx
        .select({ id: widgets.id })
        .from(widgets)
        .where(eq(widgets.owner_id, owner.id))
        .orderBy(asc(widgets.display_order))
      await arrange(tx, left.map(({ id }) => id), limitsOf(owner, env).max_widgets) // prettier-ignore
      return undefined
    },
  })
}
