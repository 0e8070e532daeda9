import { MINUTE } from './granularity'

export type AlertSide = 'high' | 'low'
export const ALERT_SIDES: readonly AlertSide[] = ['high', 'low']
export const SIDE_NAMES = { high: 'High', low: 'Low' } as const satisfies Record<AlertSide, string>
export const OPPOSITE_SIDE = { high: 'low', low: 'high' } as const satisfies Record<AlertSide, AlertSide>

/** The name of one crossing on server, page and every device: an epoch of a side fires once. */
export const alertEventId = (widget: string, side: AlertSide, epoch: number): string => `${widget}:${side}:${epoch}`

/** Milliseconds: an older price fires, announces and re-arms nothing. */
export const ALERT_FRESHNESS = 10 * MINUTE
/**
 * True if a price observed at `at` is recent enough to judge alerts. Check both times of both legs. A time more than
 * ALERT_FRESHNESS ahead counts as stale: the clock was wrong. Milliseconds since 1970.
 */
export const isFreshForAlerts = (at: number, now: number): boolean => Math.abs(now - at) <= ALERT_FRESHNESS

/** Ratios; null: none is set. */
export type Thresholds = Readonly<Record<AlertSide, number | null>>
/** True: the side fires at its next crossing. */
export type Armed = Readonly<Record<AlertSide, boolean>>

type Sides<T> = Readonly<Record<AlertSide, T>>

export const thresholdsOf = ({ high, low }: Sides<{ readonly threshold: number | null }>): Thresholds => ({
  high: high.threshold,
  low: low.threshold,
})

export const hasThreshold = (sides: Sides<{ readonly threshold: number | null }>): boolean =>
  ALERT_SIDES.some((side) => sides[side].threshold !== null)

export const armedOf = ({ high, low }: Sides<{ readonly armed: boolean }>): Armed => ({
  high: high.armed,
  low: low.armed,
})

/** Above the high threshold or below the low one; equal is not beyond. */
export const isBeyond = (side: AlertSide, ratio: number, threshold: number): boolean =>
  side === 'high' ? ratio > threshold : ratio < threshold

/**
 * Judges a ratio. Beyond a threshold an armed side fires and is disarmed, so that a crossing fires once; elsewhere the
 * side is armed again. A side without threshold stays as it is, and so do both while the ratio is unknown.
 * @returns `armed`: the same object if nothing has changed
 */
export function checkAlerts(
  ratio: number | null,
  thresholds: Thresholds,
  armed: Armed,
): { readonly fired: readonly AlertSide[]; readonly armed: Armed } {
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

type ArmedFields = Readonly<Record<'high_threshold_active' | 'low_threshold_active', boolean>>
type EpochFields = Readonly<Record<'high_epoch' | 'low_epoch', number>>

/**
 * Next alert epochs. Re-arming a disarmed side starts a new epoch, so its next crossing is a new event; a side that stays
 * armed keeps its epoch.
 */
export const nextEpochs = (
  before: ArmedFields & EpochFields,
  change: { readonly [K in keyof ArmedFields]?: boolean | undefined },
): Partial<EpochFields> => ({
  ...(change.high_threshold_active === true && !before.high_threshold_active && { high_epoch: before.high_epoch + 1 }),
  ...(change.low_threshold_active === true && !before.low_threshold_active && { low_epoch: before.low_epoch + 1 }),
})
