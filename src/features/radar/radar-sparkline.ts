import type { StatisticWindow } from '../../domain/pair-statistics'
import { isFlipped, type RadarMarket } from './radar-pairs'

/** Box of a sparkline, in units of its SVG. */
export const SPARK = { width: 88, height: 24 } as const
/** Points of a sparkline: more would not be told apart. */
const MAX_POINTS = 90

const round = (value: number): number => Math.round(value * 10) / 10

/**
 * Path of a pair's log ratio over the window, the current ratio last, the largest at the upper edge; days that are not known
 * are bridged. Null with fewer than two points.
 */
export function radarSparkline(market: RadarMarket, pair: number, window: StatisticWindow): string | null {
  const { a, b, closes, days, ratio } = market
  const [rowA, rowB] = [a[pair]! * days, b[pair]! * days]
  const span = Math.min(window, days)
  const stride = Math.ceil(span / MAX_POINTS)
  const sign = isFlipped(market, pair) ? -1 : 1
  const xs: number[] = []
  const ys: number[] = []
  const add = (x: number, value: number) => {
    if (!Number.isFinite(value)) return
    xs.push(x)
    ys.push(value * sign)
  }
  for (let day = (span - 1) % stride; day < span; day += stride) {
    const at = days - span + day
    add(day, Math.log(closes[rowA + at]! / closes[rowB + at]!))
  }
  if (market.live[pair] === 1) add(span, Math.log(ratio[pair]!))
  if (xs.length < 2) return null
  const [low, high] = [Math.min(...ys), Math.max(...ys)]
  const perUnit = high > low ? SPARK.height / (high - low) : 0
  const perDay = SPARK.width / span
  return xs
    .map((x, index) => {
      const y = perUnit === 0 ? SPARK.height / 2 : (high - ys[index]!) * perUnit
      return `${index === 0 ? 'M' : 'L'}${round(x * perDay)} ${round(y)}`
    })
    .join('')
}
