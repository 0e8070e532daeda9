import type { AlertSide } from './alerts'
import { formatRatio } from './format-ratio'
import { formatAge } from './format-time'
import { MINUTE } from './granularity'

/** What there is to tell of a crossing. */
export interface Crossing {
  /** Such as `BTC / ETH`. */
  readonly pair: string
  readonly side: AlertSide
  readonly ratio: number
  readonly threshold: number
  /** Milliseconds: when the ratio was seen beyond the threshold. */
  readonly at: number
  /** Milliseconds: when it came back; absent: it has not, as far as is known. */
  readonly back_at?: number
}

/** Milliseconds after which it is said how long ago a crossing was. */
const LATE = 2 * MINUTE
/** Characters that a lock screen shows of a title. */
const TITLE_LENGTH = 40

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })

/** High: time to sell A for B. Low: time to buy. */
export const alertKind = (side: AlertSide): string => (side === 'high' ? 'Sell alert' : 'Buy alert')

/** "Sell alert: BTC / ETH"; as much of a long pair as a lock screen shows. */
export function alertTitle({ side, pair }: Pick<Crossing, 'side' | 'pair'>): string {
  const title = `${alertKind(side)}: ${pair}`
  return title.length <= TITLE_LENGTH ? title : `${title.slice(0, TITLE_LENGTH - 1).trimEnd()}…`
}

const position = ({ side, ratio, threshold, back_at }: Crossing): string => {
  const beyond = `${side === 'high' ? 'above' : 'below'} ${formatRatio(threshold)}`
  return back_at === undefined
    ? `${formatRatio(ratio)} is ${beyond}`
    : `${formatRatio(ratio)} was ${beyond}, back at ${clock.format(back_at)}`
}

/**
 * "Ratio 21.5000 is above 21.4200. 10:42", and how long ago that was where it is told late.
 * @param now milliseconds
 */
export function alertBody(crossing: Crossing, now: number): string {
  const age = now - crossing.at
  const late = age > LATE ? `, ${formatAge(age)}` : ''
  return `Ratio ${position(crossing)}. ${clock.format(crossing.at)}${late}`
}

/** The one line of a toast: "Sell alert: BTC / ETH. Ratio 21.5000 is above 21.4200." */
export const alertSentence = (crossing: Crossing): string =>
  `${alertKind(crossing.side)}: ${crossing.pair}. Ratio ${position(crossing)}.`

/** What is said of an alert of somebody who does not use this browser now. */
export const NEUTRAL_TITLE = 'A ratio alert fired'
export const NEUTRAL_BODY = 'Open the app to see your pairs.'
