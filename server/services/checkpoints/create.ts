import { randomUUID } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import type * as z from 'zod'
import type { Checkpoint, createCheckpointBody } from '../../../src/contract/checkpoint'
import type { OpId } from '../../../src/domain/ids'
import { checkRoomForCheckpoint, withCheckpoint } from '../../../src/domain/checkpoint-list'
import { ApiError } from '../../api-error'
import type { AppParts } from '../../app-parts'
import type { Queryable } from '../../db/open'
import { checkpoints } from '../../db/schema/checkpoints'
import { limitsOf } from '../limits'
import { type ChangeRequest, changeOnce } from '../operations'
import type { Owner } from '../owners'
import { checkpointAnswer, requireWidget } from '../widgets/read'
import { readList, writeList } from './list'

type Body = z.output<typeof createCheckpointBody>

/**
 * Adds a checkpoint at the end of a widget's list. A default one takes the flag from the others.
 * @throws ApiError NOT_FOUND (no such widget, or the key's checkpoint is gone), CHECKPOINT_LIMIT_REACHED,
 *   IDEMPOTENCY_KEY_REUSED
 */
export function createCheckpoint(
  { database, env }: AppParts,
  request: ChangeRequest,
  widget: string,
  { ratio, timestamp, is_default }: Body,
): Promise<{ readonly value: Checkpoint; readonly replayed: boolean }> {
  return changeOnce(database, request, {
    forEver: true,
    recall: recallCheckpoint,
    make: async (tx, owner) => {
      await requireWidget(tx, owner, widget)
      const before = await readList(tx, widget)
      const noRoom = checkRoomForCheckpoint(before.length, limitsOf(owner, env))
      if (noRoom !== null) throw new ApiError('CHECKPOINT_LIMIT_REACHED', noRoom)
      const after = withCheckpoint(before, {
        id: randomUUID(),
        widget_id: widget,
        owner_id: owner.id,
        ratio,
        timestamp: new Date(timestamp),
        is_default,
        display_order: before.length,
        created_by_op: request.op,
        created_at: new Date(request.now),
      })
      await writeList(tx, before, after)
      return checkpointAnswer(after.at(-1)!, owner)
    },
  })
}

/**
 * What the create with this key has made, as it is now.
 * @throws ApiError NOT_FOUND when it has been removed since
 */
export async function recallCheckpoint(tx: Queryable, owner: Owner, op: OpId): Promise<Checkpoint> {
  const [row] = await tx
    .select()
    .from(checkpoints)
    .where(and(eq(checkpoints.owner_id, owner.id), eq(checkpoints.created_by_op, op)))
  if (row === undefined) throw new ApiError('NOT_FOUND', 'The checkpoint has been removed.')
  return checkpointAnswer(row, owner)
}
