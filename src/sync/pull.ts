import type { Widget } from '../contract/widget'
import { contradicts, effectiveLimits } from '../domain/tier-limits'
import { MINUTE } from '../domain/granularity'
import { isAnonymousOwner, type OwnerId } from '../domain/ids'
import { acceptPull } from '../db/answers/accept-pull'
import { readOwnerSyncState } from '../db/answers/owner-sync-state'
import { readMeta } from '../db/queries/meta'
import { isServed } from '../db/account'
import { readEntries } from '../db/snapshot'
import { isSpaced } from './pacing'
import type { EngineEnv } from './env'
import type { SyncReason } from '../domain/sync-reason'
import { pullAlerts } from './pull-alerts'
import { type Answer, isServersOwn } from './request'
import { report } from './report'
import { sendAs } from './send-as'
import { syncSettings } from './settings'

/** Milliseconds between two pulls that nothing asked for. */
const PULL_SPACING = MINUTE

const NOT_LOADED = 'Could not load your pairs.'

/** Fetches what the server knows, where it is time to, and lets it replace the rows. Waiting entries stay on top. */
export async function pull(env: EngineEnv, reason: SyncReason): Promise<void> {
  const { db, now } = env
  const begun = await db.transaction('r', db.session, db.owners, db.outbox, async () => {
    const session = await db.session.get('current')
    if (session === undefined) return undefined
    const { owner } = session
    const syncState = await readOwnerSyncState(db, owner)
    const asked = syncState.needs_pull || reason === 'online' || isSpaced(syncState.pulled_at, PULL_SPACING, now())
    const underWay = (await readEntries(db, owner)).some((entry) => entry.state === 'leased')
    return asked && isServed(session, syncState) && !underWay ? { owner, revision: syncState.applied_rev } : undefined
  })
  if (begun === undefined) return

  const answer = await sendAs(env, begun.owner, { route: 'listWidgets' })
  switch (answer.kind) {
    case 'ok': {
      const widgets = answer.value as Widget[]
      const kept = await acceptPull(db, begun.owner, begun.revision, widgets, now())
      await report(env, 'widgets', { kind: 'ok' })
      // A list that was thrown away is pulled again, and what it shows of limits and crossings with it.
      if (!kept) return
      await renewLimits(env, begun.owner, widgets)
      return pullAlerts(env, begun.owner, widgets)
    }
    case 'refused':
      // That a session is over is said by itself, and is no problem with the pairs.
      if (answer.status === 401 && !isAnonymousOwner(begun.owner)) return
      return reportFailure(env, begun.owner, answer)
    case 'unavailable':
      return reportFailure(env, begun.owner, answer)
    case 'unchanged':
    case 'not-mine':
      return
  }
}

/**
 * Says why the pairs could not be loaded, in the server's words where it has some. On a screen without any pair the cause
 * stands in their place already, and is no notice.
 */
async function reportFailure(
  env: EngineEnv,
  owner: OwnerId,
  { status, message }: Extract<Answer, { kind: 'refused' | 'unavailable' }>,
): Promise<void> {
  const { db } = env
  const isBare = await db.transaction('r', db.owners, db.widgets, db.outbox, async () => {
    const [syncState, rows, entries] = await Promise.all([
      readOwnerSyncState(db, owner),
      db.widgets.where('owner').equals(owner).count(),
      readEntries(db, owner),
    ])
    return syncState.pulled_at === null && rows === 0 && entries.length === 0
  })
  const sentence = isServersOwn(message) ? message : NOT_LOADED
  return report(env, 'widgets', { kind: 'failed', status, sentence, isShown: isBare })
}

/** Asks for the limits where the rows cannot come from those that are known: an operator has changed them, or the tier is another. */
async function renewLimits(env: EngineEnv, owner: OwnerId, rows: readonly Widget[]): Promise<void> {
  const { db } = env
  const isContradicted = await db.transaction('r', db.session, db.meta, async () => {
    const [session, tiers] = await Promise.all([db.session.get('current'), readMeta(db, 'tier_limits')])
    if (session?.owner !== owner || tiers === undefined) return false
    return contradicts(rows, effectiveLimits(tiers.limits, session.user?.has_premium_access ?? false))
  })
  if (isContradicted) await syncSettings(env, 'changed')
}
