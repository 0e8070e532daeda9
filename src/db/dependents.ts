import { isKnown, mutationTypeOf } from './mutations/mutation-types'
import type { KnownIds } from './ids'
import type { OutboxEntry } from './outbox-entry'

/** Whether `entry` makes no sense without what `create` makes, and that has not been made yet. */
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
