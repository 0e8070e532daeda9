import type { Historical, MarketSource } from '../../../src/contract/market'
import { bucketStart } from '../../../src/domain/aggregation'
import { BUCKET_MS, coarserThan, type Granularity } from '../../../src/domain/granularity'
import { emptySeries, mergeSeries, sliceSeries, type Series } from '../../../src/domain/series'
import { gapsIn, type Span } from './gaps'
import type { LatestPrice } from './market'

type Point = [number, number]

/** Digits of a price that are sent: means have more, and nobody can tell. */
const DIGITS = 12
const asPoints = ({ times, prices }: Series): Point[] =>
  Array.from(times, (time, i) => [time, Number(prices[i]!.toPrecision(DIGITS))])

/** The bucket that is still open shows the latest price, so that history ends where the live price stands. */
function closeWith(series: Series, size: number, spot: LatestPrice | undefined): Series {
  const last = series.times.at(-1) ?? -Infinity
  if (spot === undefined || bucketStart(spot.at, size) < last) return series
  return mergeSeries(series, { times: Float64Array.of(bucketStart(spot.at, size)), prices: Float64Array.of(spot.usd) })
}

/**
 * Where to begin with the finer level: after the last gap that coarser points can fill and that outweighs what the finer
 * level holds before it. A server that was down for days would else show those days as nothing.
 */
function denseFrom(finer: Series, granularity: Granularity, coarser: readonly Series[], span: Span): number {
  const first = finer.times[0]
  if (first === undefined) return span.from
  const size = BUCKET_MS[granularity]
  const worth = gapsIn(finer.times, granularity, { from: first, until: span.until }).findLast((gap) => {
    const before = sliceSeries(finer, first, gap.from + 1).times.length * size
    const filled = coarser.some(({ times }) => times.some((time) => time > gap.from && time < gap.until))
    return filled && gap.until - gap.from > before
  })
  return worth === undefined ? first : worth.until
}

/**
 * The answer to a chart: the period's own level as far back as it goes, then the next coarser ones for the older rest,
 * never mixed within the span of a finer one.
 */
export function composeHistory(
  levels: Readonly<Record<Granularity, Series>>,
  granularity: Granularity,
  span: Span,
  spot: LatestPrice | undefined,
  source: MarketSource,
): Historical {
  const coarser = coarserThan(granularity)
  const closed = closeWith(levels[granularity], BUCKET_MS[granularity], spot)
  const start = denseFrom(closed, granularity, coarser.map((level) => levels[level]), span) // prettier-ignore
  const own = closed.times.length === 0 ? emptySeries() : sliceSeries(closed, start)

  const backfill: Historical['backfill'] = []
  let until = own.times[0] ?? span.until
  let size = BUCKET_MS[granularity]
  for (const level of coarser) {
    if (until - size <= span.from) break
    const older = sliceSeries(levels[level], -Infinity, until)
    if (older.times.length === 0) continue
    backfill.push({ granularity: level, data: asPoints(older) })
    until = older.times[0]!
    size = BUCKET_MS[level]
  }
  return { data: asPoints(own), granularity, source, backfill }
}
