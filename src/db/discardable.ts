import type { OpId } from '../domain/ids'
import { closure, dependsOn } from './dependents'
import type { KnownIds } from './ids'
import { isUnsent } from './mutations/mutation-types'
import type { OutboxEntry } from './outbox-entry'

/** True if the user can give the change up. While its request is under way there is an answer to wait for. */
export const canDiscard = (entry: OutboxEntry): boolean => entry.state !== 'leased'

const isRestOfGroup = (candidate: OutboxEntry, member: OutboxEntry): boolean =>
  candidate.group !== null && candidate.group === member.group && (candidate.state === 'failed' || isUnsent(candidate))

/**
 * Entries that go when an entry is discarded: itself, those that build on it, and the rest of its group that was never
 * sent or was refused, since entries of a group stand or fall together. Empty: there is no such entry, or it is under way.
 * @param queue all entries of the owner
 */
export function discardedWith(opId: OpId, queue: readonly OutboxEntry[], ids: KnownIds): readonly OutboxEntry[] {
  const entry = queue.find((one) => one.op_id === opId)
  if (entry === undefined || !canDiscard(entry)) return []
  return closure(
    entry,
    queue.filter(canDiscard),
    (candidate, member) => dependsOn(candidate, member, ids) || isRestOfGroup(candidate, member),
  )
}
