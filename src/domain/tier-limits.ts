export interface Limits {
  readonly max_widgets: number
  readonly max_checkpoints_per_widget: number
}
export interface TierLimits {
  readonly free: Limits
  readonly premium: Limits
}

/** What holds until the server's limits have been loaded once. */
export const FALLBACK_LIMITS: Limits = { max_widgets: 2, max_checkpoints_per_widget: 1 }

export const effectiveLimits = (tiers: TierLimits | undefined, hasPremium: boolean): Limits =>
  tiers === undefined ? FALLBACK_LIMITS : hasPremium ? tiers.premium : tiers.free
