import type { Widget } from '../contract/widget'
import { isServed } from '../db/account'
import { acceptPull, acceptUnchanged, type BegunPull } from '../db/answers/accept-pull'
import { isListOutdated } from '../db/held-revisions'
import { changeOwnerSyncState, readOwnerSyncState } from '../db/owner-sync-state'
import { type LocalDatabase, readMeta } from '../db/database'
import type { OwnerRow } from '../db/rows'
import { readEntries, readWidgets } from '../db/board-rows'
import { isStreamAwaited } from '../db/stream-state'
import { writeTransaction } from '../db/write-transaction'
import { HOUR, MINUTE } from '../domain/granularity'
import type { OwnerId } from '../domain/ids'
import type { SyncReason } from '../domain/sync-reason'
import { contradicts, effectiveLimits } from '../domain/tier-limits'
import type { EngineEnv } from './env'
import { isSpaced } from './pacing'
import { pullAlertSettings } from './pull-alert-settings'
import { isProblem, type Problem, pullAlerts } from './pull-alerts'
import { syncSettings } from './reference-data'
import { report } from './report'
import { type Answer, isServersOwn, sendAs } from './request'

/** Milliseconds between two pulls without a cause, while no stream says when the rows change. */
const PULL_SPACING = MINUTE
/** Milliseconds between two pulls of all rows whatever their revision: server processes of earlier versions raise none. */
const WHOLE_PULL_SPACING = HOUR

/** The user is back, or the network is. */
const RETURNS: ReadonlySet<SyncReason> = new Set<SyncReason>(['start', 'visible', 'online'])

/** Pulls in a row, each overtaken by a change meanwhile; the next sync goes on. */
const MAX_PULLS = 3

const NOT_LOADED = 'Could not load your pairs.'

/** A pull that has failed and is still owed: an answer of the server or the stream has asked for it, and does not do so twice. */
export interface OwedPull {
  /** Milliseconds for which the server asks to be left alone; null: it does not say. */
  readonly retryAfter: number | null
}

/**
 * Fetches the owner's rows from the server, if they are due, and replaces the stored ones. The outbox stays on top.
 * @returns null unless the pull is to be tried again
 */
export async function pull(env: EngineEnv, reason: SyncReason): Promise<OwedPull | null> {
  const isAtOnce = RETURNS.has(reason)
  for (let pulls = 0; pulls < MAX_PULLS; pulls++) {
    const begun = await begin(env, isAtOnce || pulls > 0)
    const outcome = begun === null ? 'ended' : await perform(env, begun, isAtOnce)
    if (outcome === 'ended') return null
    if (outcome !== 'overtaken') return outcome
  }
  return null
}

interface Begun extends BegunPull {
  /** The revision of the rows held here; null: the rows are asked for whatever their revision. */
  readonly held: number | null
}

/** Null: no pull is due, or none can be made now. */
async function begin({ db, now }: EngineEnv, isAtOnce: boolean): Promise<Begun | null> {
  const found = await db.transaction('r', db.session, db.owners, db.outbox, db.meta, async () => {
    const session = await db.session.get('current')
    if (session === undefined) return null
    const { owner } = session
    const [syncState, entries, isFollowed] = await Promise.all([
      readOwnerSyncState(db, owner),
      readEntries(db, owner),
      isStreamFollowed(db, owner, now()),
    ])
    const isDue = isAtOnce || isPullDue(syncState, isFollowed, now())
    const underWay = entries.some((entry) => entry.state === 'leased')
    return isDue && isServed(session, syncState) ? { owner, syncState, underWay } : null
  })
  if (found === null) return null
  const { owner, syncState, underWay } = found
  if (underWay) {
    // The answers under way would make the list out of date: the sync that gets them pulls.
    if (isAtOnce) await notePullOwed(db, owner)
    return null
  }
  const { applied_rev: revision, told_revision: told = null, list_revision = null } = syncState
  const isWhole = syncState.needs_pull || isSpaced(syncState.whole_pull_at, WHOLE_PULL_SPACING, now())
  return { owner, revision, told, held: isWhole ? null : list_revision }
}

const isStreamFollowed = async (db: LocalDatabase, owner: OwnerId, now: number): Promise<boolean> =>
  isStreamAwaited(await readMeta(db, 'stream'), owner, now)

const notePullOwed = (db: LocalDatabase, owner: OwnerId): Promise<void> =>
  writeTransaction(db, [db.owners], async () => {
    const { needs_pull } = await readOwnerSyncState(db, owner)
    if (!needs_pull) await changeOwnerSyncState(db, owner, { needs_pull: true })
  })

const isPullDue = (syncState: OwnerRow, isFollowed: boolean, now: number): boolean =>
  syncState.needs_pull ||
  isListOutdated(syncState) ||
  (isFollowed
    ? isSpaced(syncState.whole_pull_at, WHOLE_PULL_SPACING, now)
    : isSpaced(syncState.pulled_at, PULL_SPACING, now))

/** `overtaken`: the rows have changed while the pull was under way, and another one is due at once. */
type Outcome = 'ended' | 'overtaken' | OwedPull

async function perform(env: EngineEnv, begun: Begun, isBack: boolean): Promise<Outcome> {
  const { db, now } = env
  const { owner, held } = begun
  const answer = await sendAs(env, owner, { route: 'listWidgets', etag: held === null ? null : `W/"${held}"` })
  let widgets: readonly Widget[]
  if (answer.kind === 'unchanged' && held !== null) {
    const isKept = await acceptUnchanged(db, begun, held, now())
    await report(env, 'widgets', { kind: 'ok' })
    if (!isKept) return 'overtaken'
    widgets = (await readWidgets(db))(owner)
  } else if (answer.kind === 'ok') {
    const list = answer.value as Widget[]
    widgets = list
    const pulled = { widgets: list, listRevision: answer.revisions?.at(-1) ?? null }
    const isKept = await acceptPull(db, begun, pulled, now())
    await report(env, 'widgets', { kind: 'ok' })
    // The limits and crossings that follow from a list come with the one that is kept.
    if (!isKept) return 'overtaken'
    await renewLimits(env, owner, widgets)
  } else {
    const outcome = await afterFailure(env, owner, answer)
    if (isProblem(answer, owner)) await reportFailure(env, owner, answer)
    return outcome
  }
  const missing = await pullAlerts(env, owner, widgets, isBack)
  if (missing !== null) return afterFailure(env, owner, missing)
  const unset = await pullAlertSettings(env, owner, answer.kind === 'ok')
  if (unset !== null) {
    // The list alone would be found unchanged.
    await notePullOwed(db, owner)
    return afterFailure(env, owner, unset)
  }
  return isListOutdated(await readOwnerSyncState(db, owner)) ? 'overtaken' : 'ended'
}

async function afterFailure({ db, now }: EngineEnv, owner: OwnerId, answer: Answer): Promise<Outcome> {
  // A stream does not tell twice.
  if (await isStreamFollowed(db, owner, now())) await notePullOwed(db, owner)
  const syncState = await readOwnerSyncState(db, owner)
  if (!isProblem(answer, owner) || !(syncState.needs_pull || isListOutdated(syncState))) return 'ended'
  return { retryAfter: answer.kind === 'unavailable' ? answer.retryAfter : null }
}

/**
 * Reports why the pairs could not be loaded, in the server's words if it gives some. An empty screen shows the cause in
 * the place of the pairs, so it makes no notice there.
 */
async function reportFailure(env: EngineEnv, owner: OwnerId, { status, message }: Problem): Promise<void> {
  const { db } = env
  const isShown = await db.transaction('r', db.owners, db.widgets, db.outbox, async () => {
    const [syncState, rows, entries] = await Promise.all([
      readOwnerSyncState(db, owner),
      db.widgets.where('owner').equals(owner).count(),
      readEntries(db, owner),
    ])
    return syncState.pulled_at === null && rows === 0 && entries.length === 0
  })
  const sentence = isServersOwn(message) ? message : NOT_LOADED
  return report(env, 'widgets', { kind: 'failed', status, sentence, isShown })
}

/** Loads the limits anew if the rows contradict the stored ones: an operator has changed them, or the tier is another. */
async function renewLimits(env: EngineEnv, owner: OwnerId, rows: readonly Widget[]): Promise<void> {
  const { db } = env
  const isContradicted = await db.transaction('r', db.session, db.meta, async () => {
    const [session, tiers] = await Promise.all([db.session.get('current'), readMeta(db, 'tier_limits')])
    if (session?.owner !== owner || tiers === undefined) return false
    return contradicts(rows, effectiveLimits(tiers.limits, session.user?.has_premium_access ?? false))
  })
  if (isContradicted) await syncSettings(env, 'changed')
}
