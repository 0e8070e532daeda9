import { isKnown, rulesOf } from './kinds/registry'
import type { KnownIds } from './ids'
import type { Entry } from './outbox-entry'

/** Whether `entry` makes no sense without what `create` makes, and that has not been made yet. */
export function dependsOn(entry: Entry, create: Entry, ids: KnownIds): boolean {
  if (!isKnown(entry) || !isKnown(create)) return false
  const temp = rulesOf(create).makes(create.payload)
  return temp !== null && !ids.has(temp) && rulesOf(entry).subjects(entry.payload).includes(temp)
}

/** The smallest set around `start` that `joins` does not lead out of, in the order of `all`. */
export function closure(
  start: Entry,
  all: readonly Entry[],
  joins: (candidate: Entry, member: Entry) => boolean,
): readonly Entry[] {
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
