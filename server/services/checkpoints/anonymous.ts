import { eq } from 'drizzle-orm'
import type * as z from 'zod'
import type { Checkpoint, createCheckpointBody } from '../../../src/contract/checkpoint'
import { ApiError } from '../../api-error'
import type { AppDeps } from '../../app-deps'
import { checkpoints } from '../../db/schema/widgets'
import { type ChangeRequest, changeOnce } from '../operations'
import { checkpointAnswer, requireWidget } from '../widgets/read'
import { recallCheckpoint } from './checkpoints'

type Body = z.output<typeof createCheckpointBody>

/**
 * Saves a guest's only checkpoint of a widget in place of the one there is. Being the only one, it is the default.
 * @throws ApiError NOT_FOUND (no such widget, or the key's checkpoint is gone), IDEMPOTENCY_KEY_REUSED
 */
export function createAnonymousCheckpoint(
  { database }: AppDeps,
  request: ChangeRequest,
  widget: string,
  { ratio, timestamp }: Body,
): Promise<{ readonly value: Checkpoint; readonly replayed: boolean }> {
  return changeOnce(database, request, {
    forEver: true,
    recall: recallCheckpoint,
    make: async (tx, owner) => {
      await requireWidget(tx, owner, widget)
      await tx.delete(checkpoints).where(eq(checkpoints.widget_id, widget))
      const [row] = await tx
        .insert(checkpoints)
        .values({
          widget_id: widget,
          owner_id: owner.id,
          ratio,
          timestamp: new Date(timestamp),
          is_default: true,
          display_order: 0,
          created_by_op: request.op,
          created_at: new Date(request.now),
        })
        .returning()
      if (row === undefined) throw new Error('The checkpoint was not inserted')
      return checkpointAnswer(row, owner)
    },
  })
}

/**
 * Removes a guest's only checkpoint of a widget.
 * @throws ApiError NOT_FOUND (no such widget, or no checkpoint), IDEMPOTENCY_KEY_REUSED
 */
export function deleteAnonymousCheckpoint(
  { database }: AppDeps,
  request: ChangeRequest,
  widget: string,
): Promise<{ readonly replayed: boolean }> {
  return changeOnce<undefined>(database, request, {
    forEver: false,
    recall: async () => undefined,
    make: async (tx, owner) => {
      await requireWidget(tx, owner, widget)
      const removed = await tx
        .delete(checkpoints)
        .where(eq(checkpoints.widget_id, widget))
        .returning({ id: checkpoints.id })
      if (removed.length === 0) throw new ApiError('NOT_FOUND', 'The widget has no checkpoint.')
      return undefined
    },
  })
}
