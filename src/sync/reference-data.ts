import type { Coin } from '../contract/market'
import type { Config } from '../contract/settings'
import { type LocalDatabase, readMeta, writeMeta } from '../db/database'
import { storeMeta, writeTransaction } from '../db/write-transaction'
import { DAY, MINUTE } from '../domain/granularity'
import type { SyncReason } from '../domain/sync-reason'
import type { TierLimits } from '../domain/tier-limits'
import type { EngineEnv } from './env'
import { isVersionOutdated, noteHeld, readAnnounced } from '../db/held-revisions'
import { AGE_WHILE_FOLLOWED, claimWork, isFollowed, isLatest, isSpaced } from './pacing'
import { report } from './report'
import { send } from './request'

/** Milliseconds that the server's settings hold, and between two attempts to get them. */
const SETTINGS_AGE = 10 * MINUTE
const SETTINGS_SPACING = 30_000
/** Settings never loaded are needed by all other work, so the engine retries them sooner. */
const FIRST_SETTINGS_SPACING = 10_000

/** Milliseconds at which settings that were never loaded are asked for again; null: they are known. */
export async function settingsDueAt({ db }: EngineEnv): Promise<number | null> {
  const [config, begun] = await Promise.all([readMeta(db, 'config'), readMeta(db, 'begun')])
  return config === undefined ? (begun?.settings ?? 0) + FIRST_SETTINGS_SPACING : null
}

/** Milliseconds between two attempts to get settings that are missing, old or known to have `changed`; null: they are fresh. */
export async function dueSettings(env: EngineEnv, reason: SyncReason | 'changed'): Promise<number | null> {
  const { db, now } = env
  const [config, limits, versions] = await Promise.all([
    readMeta(db, 'config'),
    readMeta(db, 'tier_limits'),
    readMeta(db, 'versions'),
  ])
  const isChanged = reason === 'changed' || isVersionOutdated(versions, 'config')
  const age = isChanged ? 0 : await ageAllowed(env, reason)
  if (![config, limits].some((stored) => isSpaced(stored?.fetched_at, age, now()))) return null
  return config === undefined || isChanged ? 2_000 : SETTINGS_SPACING
}

/** Loads run-time settings and tier limits where they are due. */
export async function syncSettings(env: EngineEnv, reason: SyncReason | 'changed'): Promise<void> {
  const { db, now } = env
  const spacing = await dueSettings(env, reason)
  if (spacing === null) return
  const claimed = await claimWork(env, 'settings', spacing)
  if (claimed === null) return
  const told = await readAnnounced(db, 'config')

  const [configAnswer, limitsAnswer] = await Promise.all([
    send(env, { route: 'config' }, {}),
    send(env, { route: 'tierLimits' }, {}),
  ])
  const tables = [db.meta, db.prices, db.ticks, db.history, db.history_fetches, db.daily_closes]
  const isKept = await writeTransaction(db, tables, async () => {
    if (!(await isLatest(db, 'settings', claimed))) return false
    if (configAnswer.kind === 'ok') await storeConfig(db, configAnswer.value as Config, now())
    if (limitsAnswer.kind === 'ok') {
      await writeMeta(db, 'tier_limits', { limits: limitsAnswer.value as TierLimits, fetched_at: now() })
    }
    return true
  })
  if (!isKept) return
  const answers = [configAnswer, limitsAnswer]
  const failed = answers.find((answer) => answer.kind === 'refused' || answer.kind === 'unavailable')
  if (failed === undefined) await noteHeld(db, 'config', told)
  if (failed === undefined) return report(env, 'settings', { kind: 'ok' })
  const sentence = `Failed to load settings: ${failed.message}`
  return report(env, 'settings', { kind: 'failed', status: failed.status, sentence })
}

/** Milliseconds that stored settings hold; longer while a stream says when they change. */
async function ageAllowed(env: EngineEnv, reason: SyncReason | 'changed'): Promise<number> {
  if (reason === 'start' || reason === 'online') return MINUTE
  return (await isFollowed(env)) ? AGE_WHILE_FOLLOWED : SETTINGS_AGE
}

/**
 * True if data from `source` fit the settings. If they do not, the server was started with another source since, and the
 * settings are loaded anew first.
 */
export async function agreesOnSource(env: EngineEnv, source: string): Promise<boolean> {
  const agrees = async (): Promise<boolean> => {
    const config = (await readMeta(env.db, 'config'))?.config
    return config === undefined || config.market_data.source === source
  }
  if (await agrees()) return true
  await syncSettings(env, 'changed')
  return agrees()
}

async function storeConfig(db: LocalDatabase, config: Config, now: number): Promise<void> {
  const before = await readMeta(db, 'config')
  await writeMeta(db, 'config', { config, fetched_at: now })
  const { source } = config.market_data
  if (before === undefined || before.config.market_data.source === source) return
  // Prices of two sources must never meet in one ratio.
  await db.prices.clear()
  await db.ticks.clear()
  await db.history.filter((row) => row.source !== source).delete()
  await db.history_fetches.clear()
  await db.daily_closes.filter((row) => row.source !== source).delete()
  await db.meta.bulkDelete(['coins', 'price_poll'])
}

/** Milliseconds that the coin list holds, and between two attempts to get one. */
const COINS_AGE = DAY
const COINS_SPACING = 30_000
const FIRST_COINS_SPACING = 2_000

/** True where there is no list of coins, or it is older than a day. */
export const areCoinsDue = async ({ db, now }: EngineEnv): Promise<boolean> =>
  isSpaced((await readMeta(db, 'coins'))?.fetched_at, COINS_AGE, now())

/** Loads the list of coins where it is due. */
export async function syncCoins(env: EngineEnv): Promise<void> {
  const { db, now } = env
  if (!(await areCoinsDue(env))) return
  const known = await readMeta(db, 'coins')
  if ((await claimWork(env, 'coins', known === undefined ? FIRST_COINS_SPACING : COINS_SPACING)) === null) return

  const answer = await send(env, { route: 'supportedCoins', etag: known?.etag ?? null }, {})
  switch (answer.kind) {
    case 'ok':
      await storeMeta(db, 'coins', { coins: answer.value as Coin[], fetched_at: now(), etag: answer.etag })
      return report(env, 'coins', { kind: 'ok' })
    case 'unchanged':
      if (known !== undefined) await storeMeta(db, 'coins', { ...known, fetched_at: now() })
      return report(env, 'coins', { kind: 'ok' })
    case 'refused':
    case 'unavailable': {
      const sentence = `Failed to load supported coins: ${answer.message}`
      return report(env, 'coins', { kind: 'failed', status: answer.status, sentence })
    }
    case 'not-mine':
      return
  }
}
