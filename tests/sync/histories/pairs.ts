import type { CoinId } from '../../../src/domain/ids'

const COINS = ['bitcoin', 'ethereum', 'solana', 'cardano'] as CoinId[]
export const PAIRS = COINS.flatMap((coinA) => COINS.filter((coin) => coin !== coinA).map((coinB) => ({ coinA, coinB }))).slice(0, 7) // prettier-ignore

/** As many as the server under test is told; more than the fallback, fewer than the pairs there are. */
export const MAX_WIDGETS = 4
export const MAX_CHECKPOINTS = 4
export const LIMITS_ENV = {
  FREE_MAX_WIDGETS: String(MAX_WIDGETS),
  PREMIUM_MAX_WIDGETS: String(MAX_WIDGETS),
  PREMIUM_MAX_CHECKPOINTS: String(MAX_CHECKPOINTS),
}
export const LIMITS = {
  free: { max_widgets: MAX_WIDGETS, max_checkpoints_per_widget: 1 },
  premium: { max_widgets: MAX_WIDGETS, max_checkpoints_per_widget: MAX_CHECKPOINTS },
}
