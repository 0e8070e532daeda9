import { estimatePeriod } from '../../../src/domain/oscillation'
import { PERIOD_RULES, type Period } from '../../../src/domain/period'
import { normalOf, randomOf } from './random'

/** Points of a full chart of each period. */
const CHART_POINTS: Readonly<Record<Period, number>> = { '1d': 288, '7d': 336, '1m': 720, '3m': 2_160, '1y': 365 }
const AMPLITUDE = 0.05
const STEP = 60_000

/**
 * A sine of amplitude 5 % whose period lies between max(12, 1.5 w) and n / 6 points, seen through the period's rules.
 * @param noise standard deviation as a share of the amplitude
 * @returns |estimate / period - 1|, Infinity where none was found
 */
export function sineError(period: Period, seed: number, noise: number): number {
  const rules = PERIOD_RULES[period]
  const n = CHART_POINTS[period]
  const look = Math.max(3, Math.min(rules.lookWindow, Math.floor(n / 20)))
  const random = randomOf(seed * 5 + Object.keys(PERIOD_RULES).indexOf(period))
  const normal = normalOf(random)
  const shortest = Math.max(12, 1.5 * look)
  const points = shortest + random() * (n / 6 - shortest)
  const phase = random() * 2 * Math.PI
  const times = Float64Array.from({ length: n }, (_, i) => i * STEP)
  const values = times.map((_, i) => {
    const wave = Math.sin(phase + (2 * Math.PI * i) / points)
    return 1 + AMPLITUDE * (wave + (noise > 0 ? noise * normal() : 0))
  })
  const found = estimatePeriod(times, values, rules)
  return found === null ? Infinity : Math.abs(found / (points * STEP) - 1)
}
