import type { PairReport, WindowReport } from '../../../../workers/api'
import { type Excursions, COMES_BACK_WITHIN } from '../../../domain/excursions'
import { formatRatio, signedDecimals, withDecimals } from '../../../domain/format-number'
import { legWords } from '../../../domain/leg-words'
import { isPegged } from '../../../domain/peg'
import { MIN_COMMON_DAYS, MIN_WINDOW_DAYS, type StatisticWindow } from '../../../domain/pair-statistics'
import { nearerEnd, type RangeEnd } from '../../../domain/extreme'
import type { Verdict } from '../../../domain/reversion'
import { formatMoment } from '../../../domain/local-time'
import { daysOfWindow, deviationWords } from '../../../domain/standing'
import type { ExplainedFigure } from '../../../ui/figure-link'
import { dayWords } from '../../../ui/utc-day'

/** A figure in words; `figure` names its explanation. */
export interface Sentence {
  readonly figure: ExplainedFigure
  /** The figure's name, which leads to the explanation. */
  readonly name: string
  readonly words: string
}

const percent = (share: number): string => `${withDecimals(100 * share, 0)}\u00A0%`

/** Whole days, or tenths of a few. */
function inDays(days: number): string {
  const shown = days < 10 ? withDecimals(days, days % 1 === 0 ? 0 : 1) : withDecimals(days, 0)
  return `${shown} ${shown === '1' ? 'day' : 'days'}`
}

/**
 * A window of a pair in sentences, all of what has been. Without enough days, or without the last close: what is missing.
 * @param report of which `window` is one
 * @param pair symbols of coin A and coin B
 */
export function pairSentences(
  report: PairReport,
  window: WindowReport,
  pair: readonly [a: string, b: string],
): readonly Sentence[] {
  const { percentile, legs, correlation, leftOut } = window
  if (percentile === null) return [missing(report, window), ...wrong(leftOut, window)]
  return [
    place(report, window, percentile),
    ...(legs === null
      ? []
      : [
          {
            figure: 'legs',
            name: 'Which coin moved',
            words: `${legWords(pair, legs, daysOfWindow(window.days, window.window), report.isLive ? 'is' : 'was')}.`,
          } as const,
        ]),
    ...(isPegged(window.deviation ?? NaN) ? [pegged(window)] : inDeviations(window, percentile)),
    ...(correlation === null
      ? []
      : [
          {
            figure: 'correlation',
            name: 'Correlation',
            words: `The coins’ daily moves have correlated by ${withDecimals(correlation, 2)}.`,
          } as const,
        ]),
    ...wrong(leftOut, window),
  ]
}

function missing({ ratio, closesAge, lastDay, commonDays }: PairReport, { window, days }: WindowReport): Sentence {
  const closes = { figure: 'closes', name: 'Daily closes' } as const
  if (closesAge !== null)
    return { ...closes, words: `The closes are ${closesAge} days old, too old to say where the ratio stands.` }
  if (commonDays >= MIN_COMMON_DAYS && !Number.isFinite(ratio)) {
    return { ...closes, words: `The close of ${dayWords(lastDay)} is missing of one of the coins.` }
  }
  const least = commonDays < MIN_COMMON_DAYS ? MIN_COMMON_DAYS : MIN_WINDOW_DAYS
  const has = commonDays < MIN_COMMON_DAYS ? commonDays : days
  const within = commonDays < MIN_COMMON_DAYS ? '' : ` of the last ${window}`
  return {
    ...closes,
    words: `${has === 0 ? 'No day has' : has === 1 ? '1 day has' : `${has} days${within} have`} a close of both coins; figures take ${least}.`,
  }
}

/** The figures that count in deviations, or in distances beyond them. */
function inDeviations(window: WindowReport, percentile: number): readonly Sentence[] {
  const { highs, lows, halfLife, verdict } = window
  return [
    ...(highs === null || lows === null ? [] : [ends(window, nearerEnd(percentile))]),
    ...(halfLife === null ? [] : [half(window, halfLife)]),
    ...(verdict === null ? [] : [swings(window, verdict)]),
  ]
}

const pegged = ({ window, deviation }: WindowReport): Sentence => ({
  figure: 'pegged',
  name: 'Pegged',
  words: `In these ${window} days the ratio hardly moved (its deviation is ${withDecimals(100 * deviation!, 2)}\u00A0%). Counted in deviations, distances that no swap pays would look large.`,
})

/** Names the day where the ratio is that day's, not the current one. */
function place(
  { ratio, isLive, pricedAt, lastDay }: PairReport,
  { window, days, z, mean, deviation }: WindowReport,
  percentile: number,
): Sentence {
  const isHigh = percentile >= 0.5
  const share = isHigh ? percentile : 1 - percentile
  const known = daysOfWindow(days, window)
  const past = `${known === window ? 'the last ' : ''}${known} days`
  const compared =
    share === 1
      ? `${isHigh ? 'higher' : 'lower'} than on each of ${past}`
      : `${isHigh ? 'higher' : 'lower'} than on ${percent(Math.min(share, 0.994))} of ${past}`
  const of = pricedAt === null ? `close of ${dayWords(lastDay)}` : `ratio of ${formatMoment(pricedAt, Date.now())}`
  const subject = isLive ? `${formatRatio(ratio)} is` : `The ${of}, ${formatRatio(ratio)}, was`
  const distance = isPegged(deviation ?? NaN)
    ? `${signedDecimals(100 * Math.expm1(Math.log(ratio) - mean!), 2)}\u00A0%`
    : z === null
      ? null
      : deviationWords(z)
  const from = distance === null ? '' : ` (${distance} from their average)`
  const rest = known === window ? '' : `; of the last ${window} no more are known`
  return { figure: 'percentile', name: 'Place', words: `${subject} ${compared}${from}${rest}.` }
}

/** How the excursions ended that went to the side on which the ratio stands. */
function ends({ highs, lows, window }: WindowReport, side: RangeEnd): Sentence {
  const found = (side === 'high' ? highs : lows)!
  const words = [counted(found, side, window), ...(found.count < FEW ? [] : [typical(found)]), unfinished(found)]
  return { figure: 'excursions', name: 'How such places ended', words: words.filter(Boolean).join(' ') }
}

/** Of fewer excursions a median, or a share beside them, would say more than there is to say. */
const FEW = 5

/** Counts beside those of a ratio that wanders freely: which of them is larger says nothing, of one pair among many. */
function counted({ count, cameBack, chance }: Excursions, side: RangeEnd, window: StatisticWindow): string {
  const beyond = `${side}${count === 1 ? '' : 's'} beyond 2 deviations of ${window} days`
  if (count === 0)
    return `No ${side} beyond 2 deviations of ${window} days began in the year up to ${COMES_BACK_WITHIN} days ago.`
  const back = `${cameBack} of ${count} ${beyond} came back to the rolling average within ${COMES_BACK_WITHIN} days`
  return count < FEW || chance === null
    ? `${back}.`
    : `${back}; a ratio that wanders freely does in about ${withDecimals(chance * count, 0)} of ${count}.`
}

function typical({ medianDays, worstMove }: Excursions): string {
  const median = medianDays === null ? [] : [`The median took ${inDays(medianDays)}`]
  const worst =
    worstMove === null || worstMove < 0.0005
      ? []
      : [`the worst went ${withDecimals(100 * worstMove, 1)}\u00A0% further first`]
  const words = [...median, ...worst].join('; ')
  return words === '' ? '' : `${words[0]!.toUpperCase()}${words.slice(1)}.`
}

function unfinished({ younger, isUnderWay }: Excursions): string {
  if (younger > 0) return `${younger} ${younger === 1 ? 'is' : 'are'} younger than ${COMES_BACK_WITHIN} days.`
  return isUnderWay ? 'One has not ended.' : ''
}

const half = ({ window }: WindowReport, days: number): Sentence => ({
  figure: 'half-life',
  name: 'Half-life',
  words: `If it comes back, half of a distance was gone after about ${inDays(Math.max(1, Math.round(days)))}; from ${window} days this cannot be told exactly.`,
})

/** The test says of the window how it was, and nothing of the days after (`src/domain/reversion.ts`). */
const swings = ({ window, days }: WindowReport, verdict: Verdict): Sentence => ({
  figure: 'reversion',
  name: 'Swinging or wandering',
  words:
    verdict === 'swung'
      ? `In these ${daysOfWindow(days, window)} days the ratio swung around its average (a test that 1 in 20 wandering ratios passes). It has said nothing about the days after.`
      : 'Not told from wandering.',
})

const wrong = (count: number, { window }: WindowReport): readonly Sentence[] =>
  count === 0
    ? []
    : [
        {
          figure: 'closes',
          name: 'Daily closes',
          words: `${count === 1 ? '1 close' : `${count} closes`} of these ${window} days ${count === 1 ? 'looks wrong and is' : 'look wrong and are'} left out.`,
        },
      ]
