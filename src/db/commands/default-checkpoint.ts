import { checkRoomForCheckpoint, withoutCheckpoints } from '../../domain/checkpoint-list'
import type { CoinPrices } from '../../domain/coin-prices'
import { type CheckpointId, tempCheckpointId, type WidgetId } from '../../domain/ids'
import { accountOf } from '../account'
import { canonical, type OptimisticCheckpoint } from '../board'
import { type CommandContext, type CommandResult, done, type Found, NO_SESSION, runWidgetCommand } from '../command'
import { isLive, isUnsent } from '../mutations/mutation-types'
import { appendEntry, appendTogether, mergeOrAppend, type NewEntry } from '../outbox'
import type { MutationKind, OutboxEntry } from '../outbox-entry'
import { overlay, type Snapshot } from '../snapshot'
import { planDraft, savedNow } from './checkpoint-lists'

/**
 * Saves the ratio as the default checkpoint of a pair. A guest's replaces the one there is; a user's default is brought
 * up to date, or made where there is none.
 * @param prices of which the ratio is made; null: not known
 */
export function saveCheckpoint(
  context: CommandContext,
  id: WidgetId,
  ratio: number,
  prices: CoinPrices | null = null,
): Promise<CommandResult<CheckpointId>> {
  return runWidgetCommand(context, NO_SESSION, id, async ({ snapshot, widget, label }) => {
    const body = savedNow(context, ratio, prices)
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
      const payload = { ...unsent.payload, body: { ...body, is_default: true } }
      await context.db.outbox.put({ ...unsent, payload, not_before: 0 })
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
  const isOpen = last !== undefined && isUnsent(last) && last.group === null
  return isOpen && last.kind === 'checkpoint.anonymous-create@1' ? last : undefined
}

const FAILURE = 'Failed to delete default checkpoint'

/** Deletes a pair's default checkpoint; of a user's others, the last becomes the default. */
export function deleteDefaultCheckpoint(context: CommandContext, id: WidgetId): Promise<CommandResult> {
  return runWidgetCommand(context, NO_SESSION, id, async (found) => {
    const present = found.widget.checkpoints.find((one) => one.is_default)
    if (present === undefined) return done
    const guest = accountOf(found.snapshot.session) === 'guest'
    await (guest ? deleteGuests(context, found) : deleteUsers(context, found, present))
    return done
  })
}

async function deleteUsers(context: CommandContext, found: Found, { id }: OptimisticCheckpoint): Promise<void> {
  const left = withoutCheckpoints(found.widget.checkpoints, [id])
  const plan = await planDraft(context, found, {
    deleted: [id],
    order: left.map((one) => one.id),
    defaultId: left.find((one) => one.is_default)?.id ?? null,
  })
  const payload = { widget: found.widget.id, checkpoint: id }
  const entries = plan.map((entry): NewEntry<MutationKind> =>
    entry.kind === 'checkpoint.delete-many@1'
      ? { kind: 'checkpoint.delete@1', payload, label: found.label, failure: FAILURE }
      : { ...entry, failure: FAILURE },
  )
  await appendTogether(context, found.snapshot, entries)
}

/**
 * Saves of the guest's only checkpoint that were never sent are taken back; what they had replaced would come to light
 * again, so it is deleted too. That follows any earlier deletion: what is still shown was saved after it.
 */
async function deleteGuests(context: CommandContext, { snapshot, widget, label }: Found): Promise<void> {
  const { rows, entries, ids, shown } = snapshot
  const unsent = entries.filter(
    (entry) =>
      entry.kind === 'checkpoint.anonymous-create@1' &&
      isUnsent(entry) &&
      canonical(ids, entry.payload.widget) === widget.id,
  )
  for (const entry of unsent) await context.db.outbox.delete(entry.seq!)

  const rest = entries.filter((entry) => !unsent.includes(entry))
  const replaced = overlay(rows, rest, ids, shown.length).find((one) => one.id === widget.id)?.checkpoints[0]
  if (replaced === undefined) return
  const payload = { widget: widget.id, checkpoint: replaced.id }
  await appendEntry(context, snapshot, { kind: 'checkpoint.anonymous-delete@1', payload, label, failure: FAILURE })
}
