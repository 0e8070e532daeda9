import { estimatePeriod } from '../../../src/domain/oscillation'
import { PERIOD_RULES, type Period } from '../../../src/domain/chart-periods'
import { randomOf } from '../../../src/domain/random'
import { normalOf } from './random'

/** Points of a full chart of each period. */
const CHART_POINTS: Readonly<Record<Period, number>> = { '1d': 288, '7d': 336, '1m': 720, '3m': 2_160, '1y': 365 }
const SPACING = 60_000

interface Wave {
  /** Standard deviation of the noise as a share of the amplitude. */
  readonly noise: number
  /** Half the way from trough to peak, as a share of the level. */
  readonly amplitude?: number
  /** The level over the chart, from 0 at its left edge to 1 at its right one. */
  readonly level?: (share: number) => number
}

/**
 * A sine, of amplitude 5 % by default, whose period lies between max(12, 1.5 w) and n / 6 points, seen through the period's rules.
 * @returns |estimate / period - 1|, Infinity where none was found
 */
export function sineError(period: Period, seed: number, { noise, amplitude = 0.05, level = () => 1 }: Wave): number {
  const rules = PERIOD_RULES[period]
  const n = CHART_POINTS[period]
  const look = Math.max(3, Math.min(rules.lookWindow, Math.floor(n / 20)))
  const random = randomOf(seed * 5 + Object.keys(PERIOD_RULES).indexOf(period))
  const normal = normalOf(random)
  const shortest = Math.max(12, 1.5 * look)
  const points = shortest + random() * (n / 6 - shortest)
  const phase = random() * 2 * Math.PI
  const times = Float64Array.from({ length: n }, (_, i) => i * SPACING)
  const values = times.map((_, i) => {
    const wave = Math.sin(phase + (2 * Math.PI * i) / points)
    return level(i / (n - 1)) * (1 + amplitude * (wave + (noise > 0 ? noise * normal() : 0)))
  })
  const found = estimatePeriod(times, values, rules)
  return found === null ? Infinity : Math.abs(found / (points * SPACING) - 1)
}

/** Drifts of ±20 % over the chart: straight lines up and down, and steady growth. */
export const DRIFTS = {
  'from -20 % to +20 %': (share: number) => 0.8 + 0.4 * share,
  'from +20 % to -20 %': (share: number) => 1.2 - 0.4 * share,
  'by steady growth from -20 % to +20 %': (share: number) => 0.8 * 1.5 ** share,
} as const
