import { checkRoomForCheckpoint } from '../../domain/checkpoint-list'
import { tempCheckpointId, type CheckpointId, type WidgetId } from '../../domain/ids'
import { accountOf } from '../account'
import type { CommandContext, CommandResult } from '../command'
import { canonical } from '../ids'
import { isLive, isUnsent } from '../mutations/mutation-types'
import { mergeOrAppend, appendEntry } from '../outbox'
import type { OutboxEntry } from '../outbox-entry'
import type { Snapshot } from '../snapshot'
import { NO_SESSION, runWidgetCommand } from './run-command'

/**
 * Saves the ratio as the default checkpoint of a pair. A guest's replaces the one there is; a user's default is brought
 * up to date, or made where there is none.
 */
export function saveCheckpoint(
  context: CommandContext,
  id: WidgetId,
  ratio: number,
): Promise<CommandResult<CheckpointId>> {
  return runWidgetCommand(context, NO_SESSION, id, async ({ snapshot, widget, label }) => {
    const body = { ratio, timestamp: new Date(context.now()).toISOString() }
    const guest = accountOf(snapshot.session) === 'guest'
    const present = widget.checkpoints.find((one) => one.is_default)
    if (!guest && present !== undefined) {
      const payload = { widget: widget.id, checkpoint: present.id, body }
      const failure = 'Failed to update checkpoint'
      await mergeOrAppend(context, snapshot, { kind: 'checkpoint.update@1', payload, label, failure })
      return { ok: true, value: present.id }
    }
    const noRoom = guest ? null : checkRoomForCheckpoint(widget.checkpoints.length, snapshot.limits)
    if (noRoom !== null) return { ok: false, message: noRoom }
    // A guest has one checkpoint: a save that was never sent is replaced by the next.
    const unsent = guest ? unsentSave(snapshot, widget.id) : undefined
    if (unsent !== undefined) {
      await context.db.outbox.put({ ...unsent, payload: { ...unsent.payload, body: { ...body, is_default: true } } })
      return { ok: true, value: unsent.payload.checkpoint }
    }
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

/** The guest's last change of a pair's checkpoint, if it is a save that the server cannot have seen. */
function unsentSave(
  { entries, ids }: Snapshot,
  widget: WidgetId,
): OutboxEntry<'checkpoint.anonymous-create@1'> | undefined {
  const last = entries.findLast(
    (entry) =>
      (entry.kind === 'checkpoint.anonymous-create@1' || entry.kind === 'checkpoint.anonymous-delete@1') &&
      isLive(entry) &&
      canonical(ids, entry.payload.widget) === widget,
  )
  return last?.kind === 'checkpoint.anonymous-create@1' && isUnsent(last) ? last : undefined
}
