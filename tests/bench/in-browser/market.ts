import type { HistoryRow, Price, PricesRow } from '../../../src/db/rows'
import { historyId } from '../../../src/db/history-rows'
import { HOUR } from '../../../src/domain/granularity'
import type { CoinId } from '../../../src/domain/ids'
import { PERIOD_RULES, type Period } from '../../../src/domain/chart-periods'
import type { Series } from '../../../src/domain/series'
import { randomOf } from '../../../src/domain/random'
import { normalOf } from '../../domain/support/random'

/** How many points, and by which period's rules they are drawn: hourly prices of a quarter and of a year. */
export const SIZES = { 2160: '3m', 8760: '1y' } as const satisfies Readonly<Record<number, Period>>
export type Size = keyof typeof SIZES

/** End of the made-up market, milliseconds. */
export const NOW = Date.UTC(2026, 10, 21, 12)
const SOURCE = 'simulated'

export interface Pair {
  readonly coinA: CoinId
  readonly coinB: CoinId
}
const pairOf = (name: string): Pair => ({ coinA: `${name}-a` as CoinId, coinB: `${name}-b` as CoinId })

/** The same for every run, by what seeds it. */
export const PAIRS = [pairOf('first'), pairOf('second')] as const

/** Hourly prices of a coin: a random walk with swings, so that every line moves and a period can be found. */
function walk(hours: number, start: number, seed: number): Series {
  const normal = normalOf(randomOf(seed))
  let price = start
  const times = Float64Array.from({ length: hours }, (_, i) => NOW - (hours - 1 - i) * HOUR)
  const prices = times.map((_, i) => {
    price *= Math.exp(normal() * 0.004)
    return price * (1 + 0.03 * Math.sin(i / 60))
  })
  return { times, prices }
}

/** A coin's hourly prices over a period and the window before it, in the record that the period is drawn from. */
function rowOf(coin: CoinId, size: Size, start: number, seed: number): HistoryRow {
  const { granularity, duration, initialAverage } = PERIOD_RULES[SIZES[size]]
  return {
    id: historyId(coin, granularity),
    coin_id: coin,
    granularity,
    source: SOURCE,
    ...walk((duration + initialAverage) / HOUR + 1, start, seed),
    server_until: NOW,
    fetch_timestamp: NOW,
  }
}

/** Rows of the pairs in the local database, at both sizes. */
export const historyRows = (): HistoryRow[] =>
  ([2160, 8760] as const).flatMap((size) =>
    PAIRS.flatMap(({ coinA, coinB }, i) => [
      rowOf(coinA, size, 60_000, 3 + 4 * i),
      rowOf(coinB, size, 2_500, 4 + 4 * i),
    ]),
  )

/** The newest prices, which close every chart. */
export function pricesRow(rows: readonly HistoryRow[]): PricesRow {
  const price = ({ prices }: HistoryRow): Price => ({
    usd: (prices.at(-1) ?? NaN) * 1.001,
    first_seen_at: NOW,
    provider_time: NOW,
  })
  return {
    key: 'usd',
    source: SOURCE,
    prices: Object.fromEntries(rows.map((row) => [row.coin_id, price(row)])),
    polled_at: NOW,
  }
}
