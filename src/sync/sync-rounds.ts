import { SHORTEST_WAIT } from './backoff'
import { revocationsDueAt } from './account/revoke-left'
import { syncCoins } from './coins'
import { type Bell, drain } from './drain'
import type { EngineEnv } from './env'
import { freshenHistory } from './freshen-history'
import { forgetOutage, outboxDueAt } from './outbox-lease'
import { pricesNextDueAt, syncPrices } from './prices'
import { pull } from './pull'
import type { SyncReason } from './reason'
import { readMeta } from '../db/queries/meta'
import { settingsDueAt, syncSettings } from './settings'

/** Sends what the user did, then fetches what others did. */
export async function syncWidgets(env: EngineEnv, reason: SyncReason, bell?: Bell): Promise<void> {
  if (reason === 'online' || reason === 'background') await forgetOutage(env, SHORTEST_WAIT)
  await drain(env, bell)
  await pull(env, reason)
}

/** Settings, coin list, prices, history: whatever of them is due. */
export async function syncMarket(env: EngineEnv, reason: SyncReason): Promise<void> {
  const settings = syncSettings(env, reason)
  await Promise.all([settings, syncCoins(env), pricesAfter(env, settings), freshenHistory(env)])
}

/** Where prices are to be had is among the settings; once known, nothing waits for them. */
async function pricesAfter(env: EngineEnv, settings: Promise<void>): Promise<void> {
  if ((await readMeta(env.db, 'config')) === undefined) await settings
  await syncPrices(env)
}

/** Milliseconds at which something is due that nobody has to ask for; null: nothing. */
export async function nextDueAt(env: EngineEnv): Promise<number | null> {
  const times = await Promise.all([outboxDueAt(env), pricesNextDueAt(env), settingsDueAt(env), revocationsDueAt(env)])
  const due = times.filter((time) => time !== null)
  return due.length === 0 ? null : Math.min(...due)
}
