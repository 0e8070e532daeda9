import type { CoinId } from '../../../src/domain/ids'

const COINS = ['bitcoin', 'ethereum', 'solana', 'cardano'] as CoinId[]
export const PAIRS = COINS.flatMap((coinA) =>
  COINS.filter((coin) => coin !== coinA).map((coinB) => ({ coinA, coinB })),
).slice(0, 7)

/** The limit that the server under test is started with: more than the fallback, fewer than the pairs there are. */
export const LIMITS = {
  free: { max_widgets: 3, max_checkpoints_per_widget: 1 },
  premium: { max_widgets: 5, max_checkpoints_per_widget: 4 },
}
export const LIMITS_ENV = {
  FREE_MAX_WIDGETS: String(LIMITS.free.max_widgets),
  PREMIUM_MAX_WIDGETS: String(LIMITS.premium.max_widgets),
  PREMIUM_MAX_CHECKPOINTS: String(LIMITS.premium.max_checkpoints_per_widget),
}
