import type { OpId } from '../../domain/ids'
import type { CommandContext, CommandResult } from '../command'
import { isOwedCreate } from '../discardable'
import { closure, dependsOn } from '../dependents'
import { isUnsent } from '../kinds/registry'
import { cancelCreate } from '../outbox'
import type { Entry } from '../outbox-entry'
import type { Snapshot } from '../snapshot'
import { removeWidget } from './remove-widget'
import { done, runCommand } from './run-command'

const NO_IDENTITY = 'User session not found. Please refresh and try again.'

const sameGroup = (a: Entry, b: Entry): boolean => a.group !== null && a.group === b.group

const failedEntry = (snapshot: Snapshot, opId: OpId) => {
  const failed = snapshot.entries.filter((entry) => entry.state === 'failed')
  return { failed, entry: failed.find((one) => one.op_id === opId) }
}

const waitingEntry = (snapshot: Snapshot, opId: OpId) =>
  snapshot.entries.find((one) => one.op_id === opId && one.state === 'waiting')

/**
 * Makes a waiting change due now. Tries a refused one again, with the create that it names and its group, behind everything else and in their
 * original order. The operation's id stays: should the server have done it after all, it answers so.
 */
export function retryChange(context: CommandContext, opId: OpId): Promise<CommandResult> {
  return runCommand(context, NO_IDENTITY, async (snapshot) => {
    const waiting = waitingEntry(snapshot, opId)
    if (waiting !== undefined) await context.db.outbox.update(waiting.seq!, { not_before: 0 })
    const { failed, entry } = failedEntry(snapshot, opId)
    if (entry === undefined) return done
    const together = closure(
      entry,
      failed,
      (candidate, member) => dependsOn(member, candidate, snapshot.ids) || sameGroup(member, candidate),
    )
    for (const { seq, ...one } of together) {
      await context.db.outbox.delete(seq!)
      await context.db.outbox.add({
        ...one,
        state: 'waiting',
        not_before: 0,
        failures: 0,
        // It may have been sent: from now on it is only followed, never changed.
        attempts: Math.max(1, one.attempts),
      })
    }
    return done
  })
}

/**
 * Gives a change up, with everything that makes no sense without it: a refused one, or a waiting one that was never
 * sent. A pair that may have been made already is removed instead. Anything else that was sent may have arrived and
 * stays.
 */
export async function discardChange(context: CommandContext, opId: OpId): Promise<CommandResult> {
  const owed = await context.db.outbox.where('op_id').equals(opId).first()
  if (owed !== undefined && isOwedCreate(owed)) return removeWidget(context, owed.payload.widget)
  return runCommand(context, NO_IDENTITY, async (snapshot) => {
    const waiting = waitingEntry(snapshot, opId)
    if (waiting !== undefined && isUnsent(waiting)) await cancelCreate(context, snapshot, waiting)
    const { failed, entry } = failedEntry(snapshot, opId)
    if (entry === undefined) return done
    const together = closure(entry, failed, (candidate, member) => dependsOn(candidate, member, snapshot.ids))
    await context.db.outbox.bulkDelete(together.map((one) => one.seq!))
    return done
  })
}
