import { effectiveLimits, type Limits, type TierLimits } from '../../src/domain/tier-limits'
import type { Env } from '../env'
import type { Owner } from './owners'

/** The tiers as they are configured. */
export const tiersOf = (env: Env): TierLimits => ({
  free: { max_widgets: env.FREE_MAX_WIDGETS, max_checkpoints_per_widget: env.FREE_MAX_CHECKPOINTS },
  premium: { max_widgets: env.PREMIUM_MAX_WIDGETS, max_checkpoints_per_widget: env.PREMIUM_MAX_CHECKPOINTS },
})

export const limitsOf = (owner: Owner, env: Env): Limits => effectiveLimits(tiersOf(env), owner.hasPremium)
