import type { OpId } from '../domain/ids'
import type { KnownIds } from './board'
import type { OutboxEntry } from './outbox-entry'
import { isKnown, isUnsent, mutationTypeOf } from './mutations/mutation-types'

/** True if `entry` requires the thing that `create` makes, and the server has not made it yet. */
export function dependsOn(entry: OutboxEntry, create: OutboxEntry, ids: KnownIds): boolean {
  if (!isKnown(entry) || !isKnown(create)) return false
  const temp = mutationTypeOf(create).createsId(create.payload)
  return temp !== null && !ids.has(temp) && mutationTypeOf(entry).requires(entry.payload).includes(temp)
}

/** The smallest set around `start` that `joins` does not lead out of, in the order of `all`. */
export function closure(
  start: OutboxEntry,
  all: readonly OutboxEntry[],
  joins: (candidate: OutboxEntry, member: OutboxEntry) => boolean,
): readonly OutboxEntry[] {
  const members = new Set([start])
  for (let grown = true; grown;) {
    grown = false
    for (const candidate of all) {
      if (members.has(candidate)) continue
      if (![...members].some((member) => joins(candidate, member))) continue
      members.add(candidate)
      grown = true
    }
  }
  return all.filter((entry) => members.has(entry))
}

/** True if the user can discard the change; while its request is under way, its answer is awaited. */
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
