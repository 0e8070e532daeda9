import { COIN_ID_PATTERN, type CoinId } from '../domain/ids'
import { isPeriod, type Period } from '../domain/period'
import { isSyncReason, type SyncReason } from './reason'

/** What a page asks of whoever runs the engine; each message brings a port for its replies. */
export type EngineRequest =
  | { readonly type: 'sync'; readonly reason: SyncReason }
  | { readonly type: 'history'; readonly coin: CoinId; readonly period: Period }

export type EngineReply =
  /** Comes at once, and again and again while the work goes on; a host that does not say it is not there. */
  | { readonly type: 'accepted' }
  /** Milliseconds at which something is due next; null: nothing. */
  | { readonly type: 'synced'; readonly nextDueAt: number | null }
  | { readonly type: 'fetched' }
  | { readonly type: 'failed'; readonly name: string; readonly message: string }

/** The Background Sync tag under which waiting changes are sent, and the periodic one that refreshes prices. */
export const OUTBOX_TAG = 'outbox'
export const REFRESH_TAG = 'refresh'

/** Null for messages that are not for the engine, such as those of another version of the app. */
export function readRequest(data: unknown): EngineRequest | null {
  if (typeof data !== 'object' || data === null || !('type' in data)) return null
  switch (data.type) {
    case 'sync':
      return 'reason' in data && isSyncReason(data.reason) ? { type: 'sync', reason: data.reason } : null
    case 'history': {
      const { coin, period } = data as { readonly coin?: unknown; readonly period?: unknown }
      return typeof coin === 'string' && COIN_ID_PATTERN.test(coin) && typeof period === 'string' && isPeriod(period)
        ? { type: 'history', coin: coin as CoinId, period }
        : null
    }
    default:
      return null
  }
}
