import { useLiveQuery } from 'dexie-react-hooks'
import type { MarketSource } from '../contract/market'
import type { Config } from '../contract/settings'
import { readMeta } from '../db/database'
import type { TierLimits } from '../domain/tier-limits'
import { useServices } from './services'

/** Limits of the tiers as last loaded; undefined until then. */
export function useTierLimits(): TierLimits | undefined {
  const { db } = useServices().commands
  return useLiveQuery(() => readMeta(db, 'tier_limits'), [db])?.limits
}

/** The server's public settings as last loaded; undefined until then. */
export function useConfig(): Config | undefined {
  const { db } = useServices().commands
  return useLiveQuery(() => readMeta(db, 'config'), [db])?.config
}

/** Names of the price sources on the screen. */
export const SOURCE_WORDS: Readonly<Record<MarketSource, string>> = {
  coingecko: 'CoinGecko',
  simulated: 'Simulated prices',
}
