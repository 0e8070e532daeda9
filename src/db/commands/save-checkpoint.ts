import { checkRoomForCheckpoint } from '../../domain/checkpoint-list'
import { tempCheckpointId, type CheckpointId, type WidgetId } from '../../domain/ids'
import { accountOf } from '../account'
import type { CommandContext, CommandResult } from '../command'
import { absorbOrAppend, appendEntry } from '../outbox'
import { runWidgetCommand } from './widget-command'

const NO_IDENTITY = 'User session not found. Please refresh and try again.'

/**
 * Saves the ratio as the default checkpoint of a pair. A guest's replaces the one there is; a user's default is brought
 * up to date, or made where there is none.
 */
export function saveCheckpoint(
  context: CommandContext,
  id: WidgetId,
  ratio: number,
): Promise<CommandResult<CheckpointId>> {
  return runWidgetCommand(context, NO_IDENTITY, id, async ({ snapshot, widget, label }) => {
    const body = { ratio, timestamp: new Date(context.now()).toISOString() }
    const guest = accountOf(snapshot.session) === 'guest'
    const present = widget.checkpoints.find((one) => one.is_default)
    if (!guest && present !== undefined) {
      const payload = { widget: widget.id, checkpoint: present.id, body }
      const failure = 'Failed to update checkpoint'
      await absorbOrAppend(context, snapshot, { kind: 'checkpoint.update@1', payload, label, failure })
      return { ok: true, value: present.id }
    }
    const noRoom = guest ? null : checkRoomForCheckpoint(widget.checkpoints.length, snapshot.limits)
    if (noRoom !== null) return { ok: false, message: noRoom }
    const checkpoint = tempCheckpointId(context.uuid())
    await appendEntry(context, snapshot, {
      kind: guest ? 'checkpoint.anonymous-create@1' : 'checkpoint.create@1',
      payload: { widget: widget.id, checkpoint, body: { ...body, is_default: true } },
      label,
      failure: guest ? 'Failed to save checkpoint' : 'Failed to create checkpoint',
    })
    return { ok: true, value: checkpoint }
  })
}
