import { atom, useAtomValue } from 'jotai'
import type { MarketSource } from '../contract/market'
import type { AlertFeature, Config } from '../contract/settings'
import type { TierLimits } from '../domain/tier-limits'

/** Limits of the tiers as last loaded; undefined until then. Like `configAtom` written by src/app alone. */
export const tierLimitsAtom = atom<TierLimits | undefined>(undefined)
/** The server's public settings as last loaded; undefined until then. */
export const configAtom = atom<Config | undefined>(undefined)

export const useTierLimits = (): TierLimits | undefined => useAtomValue(tierLimitsAtom)
export const useConfig = (): Config | undefined => useAtomValue(configAtom)

/** True if the server takes the fields of that part of alerts; false until its settings are known. */
export const hasAlertFeature = (config: Config | undefined, name: AlertFeature): boolean =>
  config?.alert_features?.includes(name) ?? false

export const useAlertFeature = (name: AlertFeature): boolean => hasAlertFeature(useConfig(), name)

/** Names of the price sources on the screen. */
export const SOURCE_WORDS: Readonly<Record<MarketSource, string>> = {
  coingecko: 'CoinGecko',
  simulated: 'Simulated prices',
}
