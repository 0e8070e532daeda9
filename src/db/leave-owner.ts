import { isAnonymousOwner, type OwnerId } from '../domain/ids'
import { raiseRevision } from './answers/owner-sync-state'
import type { LocalDatabase } from './database'
import { changePushRegistration } from './push-registration'
import { alertRowsOf } from './queries/alerts'
import { readMeta, writeMeta } from './queries/meta'
import type { SessionRow } from './rows'
import type { CommandContext } from './command'
import { writeTransaction } from './write-transaction'

/** Tables that `leaveOwner` writes; its transaction names them. */
export const leavingTables = (db: LocalDatabase) =>
  [db.session, db.owners, db.widgets, db.checkpoints, db.outbox, db.ids, db.notices, db.alerts, db.meta] as const

/**
 * Ends a user's time in this browser: the guest comes back, and nothing of the user is left to be shown to anybody.
 * Runs inside a transaction; does nothing where a guest is there already. The refresh token is noted for the server to
 * hear of, whenever there is a network.
 * @param changes whether what the user did and the server has not answered is forgotten, or goes on at their next login
 */
export async function leaveOwner(
  db: LocalDatabase,
  { owner, tokens, anonymous_id }: SessionRow,
  changes: 'forget' | 'keep',
): Promise<void> {
  if (isAnonymousOwner(owner)) return
  await db.widgets.where('owner').equals(owner).delete()
  await db.checkpoints.where('owner').equals(owner).delete()
  if (changes === 'forget') await forgetWork(db, owner)
  // The sync state stays for its revision: a pull that is under way must find another one, also after the next login.
  const nothing = {
    needs_pull: false,
    needs_account_refresh: false,
    ...(changes === 'forget' && { alerts_pull: null }),
  }
  await raiseRevision(db, owner, { pulled_at: null, paused: changes === 'keep', guest_asked: null, ...nothing })
  if (tokens !== null) await noteRevocation(db, tokens.refresh)
  await forgetProblem(db)
  await db.session.put({ key: 'current', owner: anonymous_id, tokens: null, user: null, anonymous_id })
}

async function forgetWork(db: LocalDatabase, owner: SessionRow['owner']): Promise<void> {
  await db.outbox.where('owner').equals(owner).delete()
  await db.notices.where('owner').equals(owner).delete()
  await db.ids.filter((row) => row.owner === owner).delete()
  await alertRowsOf(db, owner).delete()
  // The client has no session to tell the server; the push service will, with the next push to those.
  await changePushRegistration(db, ({ stale }) =>
    stale.length === 0 ? null : { stale: stale.filter((one) => one.owner !== owner) },
  )
  for (const key of ['feedback_drafts', 'feedback_unanswered'] as const) {
    const { [owner]: _, ...others } = (await readMeta(db, key)) ?? {}
    await db.meta.put({ key, value: others })
  }
}

/** Notes a session that nobody uses any more, until the server has heard of it, which it does at once if it can. */
export async function noteRevocation(db: LocalDatabase, token: string): Promise<void> {
  const known = (await readMeta(db, 'revocations')) ?? []
  await writeMeta(db, 'revocations', [...known, token])
  await db.meta.delete('revocation_tries')
}

/** That somebody's pairs or alerts could not be loaded is not the next one's problem; their account is asked for at once. */
async function forgetProblem(db: LocalDatabase): Promise<void> {
  const [state, begun] = await Promise.all([readMeta(db, 'sync_state'), readMeta(db, 'begun')])
  if (state?.problems.widgets !== undefined || state?.problems.alerts !== undefined) {
    const { widgets: _, alerts: __, ...problems } = state.problems
    await writeMeta(db, 'sync_state', { ...state, problems, problem: Object.values(problems)[0] ?? null })
  }
  if (begun?.account !== undefined) await writeMeta(db, 'begun', { ...begun, account: 0 })
}

/**
 * Signs the user out of this browser, with or without a network: the guest comes back, and everything of the user goes,
 * changes that wait included (whoever asks has asked about them first). Other tabs follow by their live queries.
 */
export async function logOut({ db }: CommandContext): Promise<void> {
  await writeTransaction(db, leavingTables(db), async () => {
    const session = await db.session.get('current')
    if (session !== undefined) await leaveOwner(db, session, 'forget')
  })
}

/**
 * Goes on as the guest after the server has ended a session. What the user did meanwhile is kept, and goes on at their
 * next login in this browser; until then nobody sees it and nothing of it is sent.
 * @param owner whose session it was: another tab may have been faster, and somebody else be signed in by now
 */
export async function leaveExpiredSession({ db }: CommandContext, owner: OwnerId): Promise<void> {
  await writeTransaction(db, leavingTables(db), async () => {
    const session = await db.session.get('current')
    if (session?.owner === owner) await leaveOwner(db, session, 'keep')
  })
}

/**
 * Removes everything of this browser's guest, and what was loaded for their pairs; the browser begins anew as another
 * guest. Data that users left here for their next login stays.
 * @param owner the guest who is to go; whoever else uses the browser by now is left alone
 * @param successor a fresh anonymous id
 */
export async function forgetGuest(db: LocalDatabase, owner: OwnerId, successor: OwnerId): Promise<void> {
  const loaded = [db.prices, db.ticks, db.history, db.history_fetches]
  await writeTransaction(db, [...leavingTables(db), ...loaded], async () => {
    const session = await db.session.get('current')
    if (session === undefined || session.owner !== owner || !isAnonymousOwner(owner)) return
    await forgetRows(db, owner)
    for (const table of loaded) await table.clear()
    await db.meta.bulkDelete(['price_poll', 'begun', 'sync_state'])
    // Nothing reaches this browser any more, and nothing is to before the new guest asks for it.
    await changePushRegistration(db, ({ stale }) => ({
      registered: null,
      off: true,
      deferred: null,
      stale: stale.filter((one) => one.owner !== owner),
    }))
    const fresh: SessionRow = { key: 'current', owner: successor, tokens: null, user: null, anonymous_id: successor }
    await db.session.put(fresh)
  })
}

async function forgetRows(db: LocalDatabase, owner: OwnerId): Promise<void> {
  for (const table of [db.widgets, db.checkpoints, db.outbox, db.notices]) {
    await table.where('owner').equals(owner).delete()
  }
  // Rows of the first version name no owner; a guest was alone with them.
  await db.ids.filter((row) => row.owner === owner || row.owner === undefined).delete()
  await alertRowsOf(db, owner).delete()
  await db.owners.delete(owner)
  for (const key of ['feedback_drafts', 'feedback_unanswered'] as const) {
    const { [owner]: _, ...others } = (await readMeta(db, key)) ?? {}
    await writeMeta(db, key, others as never)
  }
}
