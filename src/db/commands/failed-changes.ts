import type { OpId, OwnerId } from '../../domain/ids'
import { forget } from '../answers/fail-entry'
import { canonical, type KnownIds } from '../board'
import { readEntries, readKnownIds } from '../board-rows'
import { type CommandContext, type CommandResult, done, NO_SESSION, runCommand } from '../command'
import type { LocalDatabase } from '../database'
import { closure, dependsOn, discardedWith } from '../dependents'
import { readOfOwner } from '../identity'
import { isKnown, mutationTypeOf } from '../mutations/mutation-types'
import type { OutboxEntry } from '../outbox-entry'
import { changeOwnerSyncState, readOwnerSyncState } from '../owner-sync-state'
const UNDER_WAY = 'This change is being sent at the moment. Please try again in a few seconds.'

const sameGroup = (a: OutboxEntry, b: OutboxEntry): boolean => a.group !== null && a.group === b.group

/** The server may have done an entry that was sent and had no answer. */
const mayHaveArrived = (entry: OutboxEntry): boolean => entry.state === 'waiting' && entry.attempts > 0

/**
 * Makes a waiting change due now. Tries a refused one again, with the create that it names and its group, behind
 * everything else and in their original order. Its op_id stays: a server that has done it after all answers so.
 */
export function retryChange(context: CommandContext, opId: OpId): Promise<CommandResult> {
  return runCommand(context, NO_SESSION, async ({ entries, ids }) => {
    const entry = entries.find((one) => one.op_id === opId)
    if (entry?.state === 'waiting') await context.db.outbox.update(entry.seq!, { not_before: 0 })
    if (entry?.state !== 'failed') return done
    const together = closure(
      entry,
      entries.filter(({ state }) => state === 'failed'),
      (candidate, member) => dependsOn(member, candidate, ids) || sameGroup(member, candidate),
    )
    for (const { seq, ...one } of together) {
      await context.db.outbox.delete(seq!)
      await context.db.outbox.add({
        ...one,
        state: 'waiting',
        not_before: 0,
        failures: 0,
        passable: false,
        // It may have been sent: from now on it is only followed, never changed.
        attempts: Math.max(1, one.attempts),
      })
    }
    return done
  })
}

/**
 * Gives a change up, with everything that goes with it (see `discardedWith`). A change that was sent may have arrived:
 * the list is asked for, and shows it then.
 */
export function discardChange(context: CommandContext, opId: OpId): Promise<CommandResult> {
  const { db } = context
  return runCommand(context, NO_SESSION, async ({ owner, entries, ids }) => {
    const gone = discardedWith(opId, entries, ids)
    if (gone.length === 0) {
      const underWay = entries.some((entry) => entry.op_id === opId)
      return underWay ? { ok: false, message: UNDER_WAY } : done
    }
    await db.outbox.bulkDelete(gone.map((entry) => entry.seq!))
    await forget(db, gone, entries)
    if (gone.some(mayHaveArrived)) await noteGivenUp(db, owner, gone, ids)
    return done
  })
}

/** The server may have done what was given up: its list says, and pairs that were to go may be missing from it. */
async function noteGivenUp(
  db: LocalDatabase,
  owner: OwnerId,
  gone: readonly OutboxEntry[],
  ids: KnownIds,
): Promise<void> {
  const removals = gone.flatMap((entry) =>
    entry.kind === 'widget.delete@1' ? [canonical(ids, entry.payload.widget)] : [],
  )
  const { given_up = [] } = await readOwnerSyncState(db, owner)
  await changeOwnerSyncState(db, owner, { needs_pull: true, given_up: [...new Set([...given_up, ...removals])] })
}

/** Changes that discarding one change takes along, for the dialog that asks. */
export interface DiscardView {
  /** Titles of the other changes that go with it, in their order. */
  readonly along: readonly string[]
  /** One of them was sent and had no answer: the server may have done it. */
  readonly mayHaveArrived: boolean
}

export async function readDiscard(db: LocalDatabase, opId: OpId): Promise<DiscardView> {
  const view = await readOfOwner(db, [db.outbox, db.ids], async ({ owner }) => {
    const gone = discardedWith(opId, await readEntries(db, owner), await readKnownIds(db))
    const along = gone.filter((entry) => entry.op_id !== opId && isKnown(entry))
    return {
      along: along.map((entry) => mutationTypeOf(entry).title(entry.label)),
      mayHaveArrived: gone.some(mayHaveArrived),
    }
  })
  return view ?? { along: [], mayHaveArrived: false }
}
