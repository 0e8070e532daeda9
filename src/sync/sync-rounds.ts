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

/** Milliseconds at which a change is to be sent again; null: none. */
export const widgetsDueAt = outboxDueAt

/** Milliseconds at which prices or settings are due; null: neither. */
export async function marketDueAt(env: EngineEnv): Promise<number | null> {
  const due = (await Promise.all([pricesNextDueAt(env), settingsDueAt(env)])).filter((time) => time !== null)
  return due.length === 0 ? null : Math.min(...due)
}

/** Milliseconds at which the server is told again of sessions that were left here; null: none are left. */
export const accountDueAt = revocationsDueAt
