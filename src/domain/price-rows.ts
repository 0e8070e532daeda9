import type { PriceRows } from './csv'
import { livePlace } from './live-place'
import { type ChartInput, type ChartLacking, pairSeries } from './pair-series'
import { pricesAt } from './ratio-series'
import { endingWith, viewOf } from './series'

export type PriceRowsResult = { readonly kind: 'rows'; readonly rows: PriceRows } | ChartLacking

/** The prices that a period's chart is drawn from: at A's times, B interpolated, closed by the live prices. */
export function priceRows(input: ChartInput): PriceRowsResult {
  const pair = pairSeries(input)
  if (pair.kind !== 'series') return pair
  const { times, prices } = viewOf(pair.a, pair.from)
  const rows = { times, pricesA: prices, pricesB: pricesAt(times, pair.b, pair.b.widths) }
  const place = livePlace(times, input.live, input.period)
  if (place === null) return { kind: 'rows', rows }
  const { index, prices: live } = place
  const closed: PriceRows = {
    times: endingWith(rows.times, index, live.time),
    pricesA: endingWith(rows.pricesA, index, live.priceA),
    pricesB: endingWith(rows.pricesB, index, live.priceB),
  }
  return { kind: 'rows', rows: closed }
}
