import { withoutCheckpoints } from '../../domain/checkpoint-list'
import type { WidgetId } from '../../domain/ids'
import { accountOf } from '../account'
import type { OptimisticCheckpoint } from '../board'
import type { CommandContext, CommandResult } from '../command'
import { canonical } from '../ids'
import { isUnsent } from '../mutations/mutation-types'
import { appendEntry, appendTogether, type NewEntry } from '../outbox'
import type { MutationKind } from '../outbox-entry'
import { overlay } from '../snapshot'
import { planDraft } from './checkpoint-draft'
import { done, type Found, NO_SESSION, runWidgetCommand } from './run-command'

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
