interface EpochFields {
  readonly high_threshold_active: boolean
  readonly low_threshold_active: boolean
  readonly high_epoch: number
  readonly low_epoch: number
}

/**
 * Next alert epochs. Re-arming a disarmed side starts a new epoch, so its next crossing is a new event; a side that stays
 * armed keeps its epoch.
 */
export const nextEpochs = (
  before: EpochFields,
  change: Readonly<Partial<Record<'high_threshold_active' | 'low_threshold_active', boolean | undefined>>>,
): Partial<Pick<EpochFields, 'high_epoch' | 'low_epoch'>> => ({
  ...(change.high_threshold_active === true && !before.high_threshold_active && { high_epoch: before.high_epoch + 1 }),
  ...(change.low_threshold_active === true && !before.low_threshold_active && { low_epoch: before.low_epoch + 1 }),
})
