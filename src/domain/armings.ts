interface Sides {
  readonly high_threshold_active: boolean
  readonly low_threshold_active: boolean
  readonly high_epoch: number
  readonly low_epoch: number
}

/**
 * The numbers of the armings that a change begins: arming a side that was disarmed is a new one, whose crossing is a new
 * crossing. A side that was armed stays in the arming it is in.
 */
export const begunArmings = (
  before: Sides,
  change: Readonly<Partial<Record<'high_threshold_active' | 'low_threshold_active', boolean | undefined>>>,
): Partial<Pick<Sides, 'high_epoch' | 'low_epoch'>> => ({
  ...(change.high_threshold_active === true && !before.high_threshold_active && { high_epoch: before.high_epoch + 1 }),
  ...(change.low_threshold_active === true && !before.low_threshold_active && { low_epoch: before.low_epoch + 1 }),
})
