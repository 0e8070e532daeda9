import { checkRoomForCheckpoint, withoutCheckpoints } from '../../domain/checkpoint-list'
import { tempCheckpointId, type CheckpointId, type WidgetId } from '../../domain/ids'
import type { CommandContext, CommandResult } from '../command'
import { canonical } from '../ids'
import { appendTogether, type NewEntry } from '../outbox'
import type { CheckpointDraft } from './checkpoint-draft'
import { planCommit, runPopoverCommand } from './commit-checkpoints'

/**
 * Commits the popover's draft and adds the ratio as a checkpoint, which becomes the default. Refused, it does neither.
 * @param checkpoint a temporary id that nothing else has
 */
export const addCheckpoint = (
  context: CommandContext,
  id: WidgetId,
  ratio: number,
  draft: CheckpointDraft,
  checkpoint = tempCheckpointId(context.uuid()),
): Promise<CommandResult<CheckpointId>> =>
  runPopoverCommand(context, id, ['premium'], async (found) => {
    const { snapshot, widget, label } = found
    const left = withoutCheckpoints(
      widget.checkpoints,
      draft.deleted.map((one) => canonical(snapshot.ids, one)),
    )
    const noRoom = checkRoomForCheckpoint(left.length, snapshot.limits)
    if (noRoom !== null) return { ok: false, message: noRoom }
    const plan = await planCommit(context, found, draft)
    const body = { ratio, timestamp: new Date(context.now()).toISOString(), is_default: true }
    const create: NewEntry<'checkpoint.create@1'> = {
      kind: 'checkpoint.create@1',
      payload: { widget: widget.id, checkpoint, body },
      label,
      failure: 'Failed to add checkpoint',
      success: 'Checkpoint added and set as default.',
    }
    await appendTogether(context, snapshot, [...plan, create])
    return { ok: true, value: checkpoint }
  })
