import { BUCKET_MS, HOUR, MINUTE } from './granularity'
import type { CoinId } from './ids'
import { ratioOf } from './pair'
import type { RatioSeries } from './ratio-series'
import { mergeSeries, type Series, sliceSeries } from './series'

/** The latest prices of both coins of a pair, in USD. */
export interface LivePrices {
  /** Milliseconds: the older of the two prices' `provider_time`. */
  readonly providerTime: number
  readonly priceA: number
  readonly priceB: number
  /** The market-data source of both; two sources are never mixed in one line. */
  readonly source: string
}

/** Null: a price is not known. */
export function livePricesOf(
  row: { readonly prices: Readonly<Record<CoinId, HeldPrice | undefined>>; readonly source: string } | undefined,
  coinA: CoinId,
  coinB: CoinId,
): LivePrices | null {
  const [a, b] = [row?.prices[coinA], row?.prices[coinB]]
  if (row === undefined || a === undefined || b === undefined) return null
  return { providerTime: Math.min(a.provider_time, b.provider_time), priceA: a.usd, priceB: b.usd, source: row.source }
}

/** How far back the buffer of live prices reaches, milliseconds. */
export const TICK_BUFFER = 36 * HOUR

/** A coin's latest price in USD; times in milliseconds. */
export interface HeldPrice {
  readonly usd: number
  /** The `provider_time` of the first poll that had this price. */
  readonly first_seen_at: number
  /** When the provider says the price was true, by the newest poll that had it. */
  readonly provider_time: number
}

/**
 * Ticks with the latest price added, once in every bucket in which a poll confirmed it: an unchanged price, or one that
 * came too soon after the last, makes no tick. Later ticks were written by a clock that was ahead, and are left out.
 * @param size width of a bucket, milliseconds
 */
export function withHeldPrice(ticks: Series, price: HeldPrice, size: number): Series {
  const since = Math.max(price.first_seen_at, price.provider_time - TICK_BUFFER)
  const times = since <= price.provider_time ? [since] : []
  for (let time = (Math.floor(since / size) + 1) * size; time <= price.provider_time; time += size) times.push(time)
  const held = { times: Float64Array.from(times), prices: new Float64Array(times.length).fill(price.usd) }
  return mergeSeries(sliceSeries(ticks, -Infinity, price.first_seen_at), held)
}

/** The ratio whenever either coin ticked: a tick holds until the next one of its coin. */
export function tickRatios(a: Series, b: Series): RatioSeries {
  const times = new Float64Array(a.times.length + b.times.length)
  const ratios = new Float64Array(times.length)
  let length = 0
  let i = 0
  let j = 0
  while (i < a.times.length || j < b.times.length) {
    const timeA = i < a.times.length ? a.times[i]! : Infinity
    const timeB = j < b.times.length ? b.times[j]! : Infinity
    const time = Math.min(timeA, timeB)
    if (timeA === time) i++
    if (timeB === time) j++
    const ratio = ratioOf(a.prices[i - 1], b.prices[j - 1])
    if (ratio === null) continue
    times[length] = time
    ratios[length++] = ratio
  }
  return { times: times.slice(0, length), ratios: ratios.slice(0, length) }
}

/** Ticks, and in gaps of a bucket or more (the app was closed) the points of five-minute history. */
export function withHistoryInGaps(ticks: RatioSeries, history: RatioSeries): RatioSeries {
  const reach = BUCKET_MS.fiveMinutely
  const times: number[] = []
  const ratios: number[] = []
  let next = 0
  const takeTicksUntil = (time: number): void => {
    for (; next < ticks.times.length && ticks.times[next]! <= time; next++) {
      times.push(ticks.times[next]!)
      ratios.push(ticks.ratios[next]!)
    }
  }
  for (let i = 0; i < history.times.length; i++) {
    const time = history.times[i]!
    takeTicksUntil(time)
    const sinceTick = next > 0 ? time - ticks.times[next - 1]! : Infinity
    const untilTick = next < ticks.times.length ? ticks.times[next]! - time : Infinity
    if (sinceTick < reach || untilTick < reach) continue
    times.push(time)
    ratios.push(history.ratios[i]!)
  }
  takeTicksUntil(Infinity)
  return { times: Float64Array.from(times), ratios: Float64Array.from(ratios) }
}

/**
 * Milliseconds after which the screen calls a price old. A server with a small budget asks its provider every few minutes;
 * beyond ten a price is too old for an alert, too.
 */
export const PRICES_STALE_AFTER = 10 * MINUTE

/** Milliseconds between two polls, of the server at its provider and of pages at the server (specification). */
export const POLL_INTERVAL = 75_000
