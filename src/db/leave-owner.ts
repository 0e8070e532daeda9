import { isAnonymousOwner, type OwnerId } from '../domain/ids'
import { raiseRevision } from './owner-sync-state'
import { type LocalDatabase, loadedTables, readMeta, writeMeta } from './database'
import { mainProblem } from './main-problem'
import { changePushRegistration } from './push-registration'
import { alertRowsOf } from './alert-rows'
import type { SessionRow } from './rows'
import type { CommandContext } from './command'
import { writeTransaction } from './write-transaction'

/** Tables that `leaveOwner` writes; its transaction names them. */
export const leavingTables = (db: LocalDatabase) =>
  [db.session, db.owners, db.widgets, db.checkpoints, db.outbox, db.ids, db.notices, db.alerts, db.meta] as const

/**
 * Ends a user's time in this browser: the guest comes back, and nothing of the user is left to be shown. Runs inside a
 * transaction; does nothing where a guest is there already. The refresh token is noted, to be revoked when there is a network.
 * @param changes whether the user's unanswered changes are forgotten, or go on at their next login
 */
export async function leaveOwner(
  db: LocalDatabase,
  { owner, tokens, anonymous_id }: SessionRow,
  changes: 'forget' | 'keep',
): Promise<void> {
  if (isAnonymousOwner(owner)) return
  await forgetPairs(db, owner)
  if (changes === 'forget') {
    await forgetWork(db, owner)
    // The client has no session to tell the server; the push service will, with the next push to those.
    await changePushRegistration(db, ({ stale }) =>
      stale.length === 0 ? null : { stale: stale.filter((one) => one.owner !== owner) },
    )
  }
  // The sync state stays for its revision: a pull that is under way must find another one, also after the next login.
  await raiseRevision(db, owner, {
    pulled_at: null,
    paused: changes === 'keep',
    guest_asked: null,
    brings_guest: false,
    needs_pull: false,
    needs_account_refresh: false,
    list_revision: null,
    list_steps: [],
    told_revision: null,
    whole_pull_at: null,
    ...(changes === 'forget' && { alerts_pull: null }),
  })
  if (tokens !== null) await noteRevocation(db, tokens.refresh)
  await forgetProblem(db)
  await db.session.put({ key: 'current', owner: anonymous_id, tokens: null, user: null, anonymous_id })
}

const forgetPairs = async (db: LocalDatabase, owner: OwnerId): Promise<void> => {
  for (const table of [db.widgets, db.checkpoints]) await table.where('owner').equals(owner).delete()
}

async function forgetWork(db: LocalDatabase, owner: OwnerId): Promise<void> {
  for (const table of [db.outbox, db.notices]) await table.where('owner').equals(owner).delete()
  // Rows of the first version name no owner; a guest was alone with them.
  const isOfGuest = isAnonymousOwner(owner)
  await db.ids.filter((row) => row.owner === owner || (isOfGuest && row.owner === undefined)).delete()
  await alertRowsOf(db, owner).delete()
  for (const key of ['feedback_drafts', 'feedback_unanswered'] as const) {
    const { [owner]: _, ...others } = (await readMeta(db, key)) ?? {}
    await db.meta.put({ key, value: others })
  }
}

/** Notes a refresh token that is no longer used, until the server has revoked it. */
export async function noteRevocation(db: LocalDatabase, token: string): Promise<void> {
  const known = (await readMeta(db, 'revocations')) ?? []
  await writeMeta(db, 'revocations', [...known, token])
  await db.meta.delete('revocation_tries')
}

/** Drops the user's problems with loading, which are not the next user's, and asks for the next account at once. */
async function forgetProblem(db: LocalDatabase): Promise<void> {
  const [state, begun] = await Promise.all([readMeta(db, 'sync_state'), readMeta(db, 'begun')])
  if (state?.problems.widgets !== undefined || state?.problems.alerts !== undefined) {
    const { widgets: _, alerts: __, ...problems } = state.problems
    await writeMeta(db, 'sync_state', { ...state, problems, problem: mainProblem(problems) })
  }
  if (begun?.account !== undefined) await writeMeta(db, 'begun', { ...begun, account: 0 })
}

/**
 * Signs the user out of this browser, with or without a network: the guest comes back, and everything of the user goes,
 * waiting changes included (the dialog has asked about them first). Other tabs follow by their live queries.
 */
export async function logOut({ db }: CommandContext): Promise<void> {
  await writeTransaction(db, leavingTables(db), async () => {
    const session = await db.session.get('current')
    if (session !== undefined) await leaveOwner(db, session, 'forget')
  })
}

/**
 * Goes on as the guest after the server has ended a session. The user's changes are kept, unseen and unsent, and go on at
 * their next login in this browser.
 * @param owner of the session: another tab may have been faster, and another user be signed in by now
 */
export async function leaveExpiredSession({ db }: CommandContext, owner: OwnerId): Promise<void> {
  await writeTransaction(db, leavingTables(db), async () => {
    const session = await db.session.get('current')
    if (session?.owner === owner) await leaveOwner(db, session, 'keep')
  })
}

/**
 * Removes everything of this browser's guest, and all that can be loaded again; the browser begins anew as another
 * guest. Data that users left here for their next login stays.
 * @param owner the guest to remove; nothing happens if another owner uses the browser by now
 * @param successor a fresh anonymous id
 */
export async function forgetGuest(db: LocalDatabase, owner: OwnerId, successor: OwnerId): Promise<void> {
  const loaded = loadedTables(db)
  await writeTransaction(db, [...leavingTables(db), ...loaded], async () => {
    const session = await db.session.get('current')
    if (session === undefined || session.owner !== owner || !isAnonymousOwner(owner)) return
    await forgetPairs(db, owner)
    await forgetWork(db, owner)
    await db.owners.delete(owner)
    for (const table of loaded) await table.clear()
    await db.meta.bulkDelete(['price_poll', 'begun', 'sync_state'])
    // No push reaches this browser before the new guest asks for it.
    await changePushRegistration(db, ({ stale }) => ({
      registered: null,
      off: true,
      deferred: null,
      stale: stale.filter((one) => one.owner !== owner),
    }))
    await db.session.put({ key: 'current', owner: successor, tokens: null, user: null, anonymous_id: successor })
  })
}
