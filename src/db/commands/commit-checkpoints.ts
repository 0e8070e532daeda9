import type { WidgetId } from '../../domain/ids'
import { LISTS_NEED_PREMIUM } from '../../domain/pair'
import { type Account, accountOf } from '../account'
import type { CommandContext, CommandResult } from '../command'
import { appendTogether, type NewEntry } from '../outbox'
import type { MutationKind } from '../outbox-entry'
import { type CheckpointDraft, planDraft } from './checkpoint-draft'
import { done, type Found, NO_SESSION, runWidgetCommand } from './run-command'

/** Runs a command of the popover, for those accounts that may give it. */
export const runPopoverCommand = <T>(
  context: CommandContext,
  id: WidgetId,
  allowed: readonly Account[],
  body: (found: Found) => Promise<CommandResult<T>>,
): Promise<CommandResult<T>> =>
  runWidgetCommand(context, NO_SESSION, id, async (found) =>
    allowed.includes(accountOf(found.snapshot.session)) ? body(found) : { ok: false, message: LISTS_NEED_PREMIUM },
  )

/** The changes of a draft, with what is said of them. */
export async function planCommit(
  context: CommandContext,
  found: Found,
  draft: CheckpointDraft,
): Promise<readonly NewEntry<MutationKind>[]> {
  const plan = await planDraft(context, found, draft)
  const deletesOnly = plan.every(({ kind }) => kind === 'checkpoint.delete-many@1')
  const failure = deletesOnly ? 'Failed to delete checkpoint' : 'Failed to save checkpoint changes'
  return plan.map((entry) => ({ ...entry, failure, success: 'Checkpoint changes saved.' }))
}

/**
 * Brings a pair's checkpoints to what the popover's draft says, as the server will: all of it or nothing. Whoever loses
 * premium while the popover is open has done that with it: the server arranges the lists of any user.
 */
export const commitCheckpoints = (
  context: CommandContext,
  id: WidgetId,
  draft: CheckpointDraft,
): Promise<CommandResult> =>
  runPopoverCommand(context, id, ['premium', 'free'], async (found) => {
    await appendTogether(context, found.snapshot, await planCommit(context, found, draft))
    return done
  })
