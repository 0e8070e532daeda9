import { atom, useAtomValue } from 'jotai'
import type { MarketSource } from '../contract/market'
import type { Config } from '../contract/settings'
import type { TierLimits } from '../domain/tier-limits'

/** Limits of the tiers as last loaded; undefined until then. Like `configAtom` written by src/app alone. */
export const tierLimitsAtom = atom<TierLimits | undefined>(undefined)
/** The server's public settings as last loaded; undefined until then. */
export const configAtom = atom<Config | undefined>(undefined)

export const useTierLimits = (): TierLimits | undefined => useAtomValue(tierLimitsAtom)
export const useConfig = (): Config | undefined => useAtomValue(configAtom)

/** Names of the price sources on the screen. */
export const SOURCE_WORDS: Readonly<Record<MarketSource, string>> = {
  coingecko: 'CoinGecko',
  simulated: 'Simulated prices',
}
