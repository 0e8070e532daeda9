import type { OwnerId } from '../domain/ids'
import { type LocalDatabase, readMeta } from './database'
import { changeOwnerSyncState, readOwnerSyncState } from './owner-sync-state'
import type { ListStep, MetaRows, OwnerRow } from './rows'
import { changeMeta, writeTransaction } from './write-transaction'

/** Records that the stream names by a version: the public settings, the policies in force, and the daily closes. */
type Versioned = keyof MetaRows['versions']

/** True while the stored record is not of the version that the stream named last. */
export const isVersionOutdated = (versions: MetaRows['versions'] | undefined, what: Versioned): boolean => {
  const version = versions?.[what]
  return version !== undefined && version.told !== version.held
}

/** The version that the stream has named; null: none. Read before a request, it is the least that the answer has. */
export const readAnnounced = async (db: LocalDatabase, what: Versioned): Promise<string | null> =>
  (await readMeta(db, 'versions'))?.[what]?.told ?? null

/** The stream has named a version. */
export const noteAnnounced = (db: LocalDatabase, what: Versioned, told: string): Promise<void> =>
  changeVersion(db, what, ({ held }) => ({ told, held }))

/** The stored record is of at least the version that was named before it was asked for; null: none was. */
export async function noteHeld(db: LocalDatabase, what: Versioned, held: string | null): Promise<void> {
  if (held !== null) await changeVersion(db, what, ({ told }) => ({ told: told ?? held, held }))
}

type Version = NonNullable<MetaRows['versions'][Versioned]>

const changeVersion = (
  db: LocalDatabase,
  what: Versioned,
  next: (before: { readonly told: string | null; readonly held: string | null }) => Version,
): Promise<void> =>
  changeMeta(db, 'versions', (versions = {}) => {
    const before = versions[what] ?? { told: null, held: null }
    const after = next(before)
    return after.told === before.told && after.held === before.held ? null : { ...versions, [what]: after }
  })

/** True while the user's account here is not the one that the stream named last, or an answer wants it loaded anew. */
export const isAccountOutdated = ({ needs_account_refresh, told_account, held_account }: OwnerRow): boolean =>
  needs_account_refresh === true || (told_account !== undefined && told_account !== held_account)

/** The account here is at least the one that was named before it was asked for. */
export async function noteHeldAccount(db: LocalDatabase, owner: OwnerId, held: number | undefined): Promise<void> {
  if (held === undefined) return
  await writeTransaction(db, [db.owners], async () => {
    const syncState = await readOwnerSyncState(db, owner)
    if (syncState.held_account !== held) await changeOwnerSyncState(db, owner, { held_account: held })
  })
}

type Known = Pick<OwnerRow, 'list_revision' | 'list_steps' | 'told_revision'>
type Moved = Known & Partial<Pick<OwnerRow, 'went_back' | 'needs_pull'>>

/** Out-of-turn answers remembered; a change whose predecessor is further away is made up for by a pull. */
const MAX_STEPS = 20

/**
 * The revision held after a change of this device was answered, if no other device changed the list in between. Answers to
 * changes sent side by side come in any order: a step waits until the one before it has come.
 * @param step null: the server does not say (an earlier version, a repeated answer)
 */
export function revisionAfter(known: Known, step: ListStep | null): Moved {
  const { list_revision, list_steps = [], told_revision = null } = known
  if (step === null || list_revision == null) return {}
  // Revisions only rise, and no answer that is applied is older than the rows.
  if (step[0] < list_revision) return { went_back: true, needs_pull: true }
  let held = list_revision
  let isReached = told_revision === held
  const waiting = [...list_steps, step]
  for (;;) {
    const next = waiting.findIndex(([before]) => before === held)
    if (next === -1) break
    held = waiting.splice(next, 1)[0]![1]
    isReached ||= told_revision === held
  }
  return {
    list_revision: held,
    list_steps: waiting.slice(-MAX_STEPS),
    // The echo of a change may come before its answer, and further changes after both.
    told_revision: isReached ? null : told_revision,
  }
}

/** True if the stream has named a revision that is neither held here nor pulled since. */
export const isListOutdated = ({ told_revision, list_revision }: OwnerRow): boolean =>
  told_revision != null && told_revision !== list_revision

/**
 * The revision that counts as named after a kept pull: one named while the pull was under way may be newer than its rows.
 * @param begun what was named when the pull began
 */
export const toldAfterPull = ({ told_revision = null }: OwnerRow, begun: number | null, pulled: number | null) =>
  told_revision === begun || told_revision === pulled ? null : told_revision
