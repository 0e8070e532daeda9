import { and, eq } from 'drizzle-orm'
import type { Checkpoint, UpdateCheckpointBody } from '../../../src/contract/checkpoint'
import type { AppParts } from '../../app-parts'
import { checkpoints } from '../../db/schema/checkpoints'
import { type ChangeRequest, changeOnce } from '../operations'
import type { Owner } from '../owners'
import { checkpointAnswer } from '../widgets/read'
import { noSuchCheckpoint } from './change-list'

/**
 * Replaces what a checkpoint holds; its place and its flag stay. The value is null when a repetition finds it gone.
 * @throws ApiError NOT_FOUND, IDEMPOTENCY_KEY_REUSED
 */
export function updateCheckpoint(
  { database }: AppParts,
  request: ChangeRequest,
  { id: widget, checkpoint_id: id }: { readonly id: string; readonly checkpoint_id: string },
  { ratio, timestamp }: UpdateCheckpointBody,
): Promise<{ readonly value: Checkpoint | null; readonly replayed: boolean }> {
  const which = (owner: Owner) =>
    and(eq(checkpoints.owner_id, owner.id), eq(checkpoints.widget_id, widget), eq(checkpoints.id, id))
  return changeOnce<Checkpoint | null>(database, request, {
    forEver: false,
    recall: async (tx, owner) => {
      const [row] = await tx.select().from(checkpoints).where(which(owner))
      return row === undefined ? null : checkpointAnswer(row, owner)
    },
    make: async (tx, owner) => {
      const values = { ratio, timestamp: new Date(timestamp) }
      const [row] = await tx.update(checkpoints).set(values).where(which(owner)).returning()
      if (row === undefined) throw noSuchCheckpoint()
      return checkpointAnswer(row, owner)
    },
  })
}
