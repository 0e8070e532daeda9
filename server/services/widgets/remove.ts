import { eq } from 'drizzle-orm'
import { ApiError } from '../../api-error'
import type { AppParts } from '../../app-parts'
import { widgets } from '../../db/schema/widgets'
import { type ChangeRequest, changeOnce } from '../operations'
import { limitsOf } from '../limits'
import { arrange, holdLayout } from './arrange'

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
      const present = await holdLayout(tx, owner.id)
      const left = present.filter((widget) => widget.id !== id)
      if (left.length === present.length) throw new ApiError('NOT_FOUND', 'There is no such widget.')
      await tx.delete(widgets).where(eq(widgets.id, id))
      await arrange(tx, left.map((widget) => widget.id), limitsOf(owner, env).max_widgets) // prettier-ignore
      return undefined
    },
  })
}
