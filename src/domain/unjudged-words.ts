import { ALERT_FRESHNESS } from './alerts'
import { formatClock } from './format-time'
import { DAY, HOUR, MINUTE } from './granularity'

/** An old price of a pair's coin. */
interface OldPrice {
  /** Its symbol. */
  readonly coin: string
  /** Milliseconds; null: there is no price. */
  readonly at: number | null
}

/**
 * "not judged since 14:03: the price of ETH is 70 min old".
 * @param now milliseconds
 * @param hasClock false: without the time of day, of which a server does not know whose it is
 */
export function unjudgedWords({ coin, at }: OldPrice, now: number, hasClock = true): string {
  if (at === null) return `not judged: there is no price of ${coin}`
  const age = now - at
  const old =
    age < 2 * HOUR
      ? `${Math.floor(age / MINUTE)}\u00A0min`
      : age < 2 * DAY
        ? `${Math.floor(age / HOUR)}\u00A0h`
        : `${Math.floor(age / DAY)}\u00A0days`
  const since = hasClock ? ` since ${formatClock(at + ALERT_FRESHNESS)}` : ''
  return `not judged${since}: the price of ${coin} is ${old} old`
}
