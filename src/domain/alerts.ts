import { HOUR, MINUTE } from './granularity'

export type AlertSide = 'high' | 'low'
export const ALERT_SIDES: readonly AlertSide[] = ['high', 'low']
export const SIDE_NAMES = { high: 'High', low: 'Low' } as const satisfies Record<AlertSide, string>
export const OPPOSITE_SIDE = { high: 'low', low: 'high' } as const satisfies Record<AlertSide, AlertSide>

/**
 * Names one crossing, everywhere: an arming has a number, and fires once. Server, page and every device speak of the same
 * crossing by it.
 */
export const alertEventId = (widget: string, side: AlertSide, epoch: number): string => `${widget}:${side}:${epoch}`

/** Milliseconds: nothing is fired, announced or armed again by a price that is older. */
export const ALERT_FRESHNESS = 10 * MINUTE
/**
 * Whether a price of that time may make an alert: to be asked for every time that is known of both of a ratio's prices.
 * A time that lies as far ahead tells of a wrong clock, and is no better. Both milliseconds since 1970.
 */
export const isFreshForAlerts = (at: number, now: number): boolean => Math.abs(now - at) <= ALERT_FRESHNESS

/** Milliseconds after which no browser is told of a crossing any more. */
export const ALERT_TTL = HOUR

/** Ratios; null: none is set. */
export type Thresholds = Readonly<Record<AlertSide, number | null>>
/** Whether a side would fire at its next crossing. */
export type Armed = Readonly<Record<AlertSide, boolean>>

type Sides<T> = Readonly<Record<AlertSide, T>>

export const thresholdsOf = ({ high, low }: Sides<{ readonly threshold: number | null }>): Thresholds => ({
  high: high.threshold,
  low: low.threshold,
})

export const hasThreshold = ({ high, low }: Sides<{ readonly threshold: number | null }>): boolean =>
  high.threshold !== null || low.threshold !== null

export const armedOf = ({ high, low }: Sides<{ readonly armed: boolean }>): Armed => ({
  high: high.armed,
  low: low.armed,
})

/** Above the high threshold or below the low one; upon it is not beyond it. */
export const isBeyond = (side: AlertSide, ratio: number, threshold: number): boolean =>
  side === 'high' ? ratio > threshold : ratio < threshold

export interface AlertCheck {
  /** High: time to sell A for B. Low: time to buy. */
  readonly fired: readonly AlertSide[]
  /** The same object where nothing has changed. */
  readonly armed: Armed
}

/**
 * One look at a ratio. Beyond a threshold an armed side fires and is disarmed, so that a crossing fires once; anywhere
 * else the side is armed again. A side without threshold stays as it is, and so do both while the ratio is not known.
 */
export function checkAlerts(ratio: number | null, thresholds: Thresholds, armed: Armed): AlertCheck {
  if (ratio === null || !Number.isFinite(ratio)) return { fired: [], armed }
  const beyond = ALERT_SIDES.filter((side) => {
    const threshold = thresholds[side]
    return threshold !== null && isBeyond(side, ratio, threshold)
  })
  const armedAfter = (side: AlertSide): boolean => (thresholds[side] === null ? armed[side] : !beyond.includes(side))
  const next: Armed = { high: armedAfter('high'), low: armedAfter('low') }
  return {
    fired: beyond.filter((side) => armed[side]),
    armed: next.high === armed.high && next.low === armed.low ? armed : next,
  }
}

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
