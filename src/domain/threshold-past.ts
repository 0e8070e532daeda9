import type { AlertSide } from './alerts'
import { formatRatio, formatSignificant, withDecimals } from './format-number'
import { DAY } from './granularity'
import { isPegged } from './peg'
import type { RatioSeries } from './ratio-series'
import { deviationWords, quantile } from './standing'
import { touchesOf } from './touches'

/** Days of a pair's past that a threshold is judged by. */
export const PAST_DAYS = 90

/** Whole days that the points span; 0: too few to say anything. */
export const daysOf = ({ times }: RatioSeries): number =>
  Math.min(PAST_DAYS, Math.round(((times.at(-1) ?? 0) - (times[0] ?? 0)) / DAY))

export const inDays = (days: number): string => (days === 1 ? 'in 1 day' : `in ${days} days`)
const timesOf = (count: number): string => (count === 1 ? 'once' : `${count} times`)

/** A duration in days, in hours below one day. */
function durationWords(ms: number): string {
  const isHours = ms < DAY
  const shown = isHours ? withDecimals((ms / DAY) * 24, 0) : withDecimals(ms / DAY, 1)
  return `${shown} ${isHours ? 'h' : 'days'}`
}

/** Per cent of the time; null: never. No rounding says never or always. */
function shareWords(share: number): string | null {
  if (share <= 0) return null
  if (share < 0.01) return 'Beyond it less than 1\u00A0% of the time.'
  if (share >= 1) return 'Beyond it all the time.'
  return `Beyond it ${Math.min(99, Math.round(share * 100))}\u00A0% of the time.`
}

/**
 * How often the ratio reached a threshold and what came of it, in the past tense; null: less than a day is known.
 * @param dayOf the user's words for a time's day
 */
export function pastOfThreshold(
  series: RatioSeries,
  side: AlertSide,
  threshold: number,
  dayOf: (time: number) => string,
): string | null {
  const days = daysOf(series)
  if (days < 1) return null
  const { count, cameBack, medianBack, last, isUnderWay, shareBeyond } = touchesOf(series, side, threshold)
  const share = shareWords(shareBeyond)
  if (count === 0) {
    const furthest = series.ratios.reduce(side === 'high' ? (a, b) => Math.max(a, b) : (a, b) => Math.min(a, b))
    const reached =
      share === null
        ? `Not reached ${inDays(days)}; the ${side === 'high' ? 'highest' : 'lowest'} was ${formatRatio(furthest)}.`
        : `Beyond it as the ${days === 1 ? 'day' : `${days} days`} began, and not reached from the other side since.`
    return share === null ? reached : `${reached} ${share}`
  }
  const back =
    medianBack === null
      ? 'not back at the average since'
      : `back at the average after ${durationWords(medianBack)}${cameBack > 1 ? ' (median)' : ''}`
  const when = last === null ? '' : `, last on ${dayOf(last)}${isUnderWay ? ', which is under way' : ''}`
  return [`Reached ${timesOf(count)} ${inDays(days)}; ${back}${when}.`, share].filter(Boolean).join(' ')
}

/** The same in few words, for a slider that moves: "reached 4 times in 90 days". */
export function pastInShort(series: RatioSeries, side: AlertSide, threshold: number): string | null {
  const days = daysOf(series)
  if (days < 1) return null
  const { count } = touchesOf(series, side, threshold)
  return count === 0 ? `not reached ${inDays(days)}` : `reached ${timesOf(count)} ${inDays(days)}`
}

/** A threshold that the past proposes. */
interface PastThreshold {
  /** Such as "p95". */
  readonly name: string
  readonly value: number
  /** All its digits. */
  readonly words: string
}

/** Digits of a proposed threshold: what is shown is what is set. */
const DIGITS = 4
/** Fewer points make no percentile. */
const LEAST_POINTS = 20

/** The ratio above (below) which it stood 5 % of the time, and the mean with two deviations of its logarithm, which mislead at a peg. */
export function thresholdsOfPast({ ratios }: RatioSeries, side: AlertSide): readonly PastThreshold[] {
  const positive = ratios.filter((ratio) => ratio > 0)
  if (positive.length < LEAST_POINTS) return []
  const logs = positive.map(Math.log)
  const mean = logs.reduce((sum, x) => sum + x, 0) / logs.length
  const deviation = Math.sqrt(logs.reduce((sum, x) => sum + (x - mean) ** 2, 0) / (logs.length - 1))
  const isHigh = side === 'high'
  const reach = isHigh ? 2 : -2
  const found = [
    { name: isHigh ? 'p95' : 'p5', exact: quantile(positive.toSorted(), isHigh ? 0.95 : 0.05) },
    ...(isPegged(deviation) ? [] : [{ name: deviationWords(reach, 0), exact: Math.exp(mean + reach * deviation) }]),
  ]
  return found.map(({ name, exact }) => {
    const value = Number(exact.toPrecision(DIGITS))
    return { name, value, words: formatSignificant(value, DIGITS) }
  })
}
