import type { MarketSource } from '../contract/market'
import { HOUR, MINUTE } from '../domain/granularity'
import type { CoinId } from '../domain/ids'
import { lowerBound, type Series, sliceSeries } from '../domain/series'
import { TICK_BUFFER } from '../domain/live-prices'
import type { LocalDatabase } from './database'
import type { Price, Tick, TickChunkRow } from './rows'
import { writeTransaction } from './write-transaction'

/** Milliseconds between two points of the tick buffer. */
const TICK_SPACING = 30_000

const hourOf = (time: number): number => Math.floor(time / HOUR) * HOUR

/** A price that a poll brought. */
export interface PolledPrice {
  readonly usd: number
  /** Milliseconds of this device's clock: when the provider says the price was true. */
  readonly providerTime: number
  /** Id of the exchange that gave it; absent: the provider. */
  readonly via?: string
  /** Milliseconds of the server's clock: the price held then; absent: the answer does not say. */
  readonly asOf?: number
}

/** Milliseconds by which the clocks of one server's processes may differ, as the server itself takes it. */
const CLOCKS_APART = MINUTE

/**
 * True for a price that was overtaken on its way: a later one is here. Arrival says nothing, since a poll's answer may be
 * passed by the stream. A time that the server's clock has not reached is not believed: it was set back, or another server
 * took its place, and the prices here would stand still until then.
 * @param serverTime milliseconds: the latest that the server's clock can show now
 */
const isOvertaken = (known: Price | undefined, { asOf }: PolledPrice, serverTime: number): boolean =>
  known?.as_of !== undefined && asOf !== undefined && asOf < known.as_of && known.as_of <= serverTime + CLOCKS_APART

/** The record of a coin after a poll. The times of an unchanged price only move forward, unless they lie in the future. */
function nextPrice(before: Price | undefined, { usd, providerTime, asOf, via }: PolledPrice, now: number): Price {
  const origin = { ...(via !== undefined && { via }), ...(asOf !== undefined && { as_of: asOf }) }
  if (before?.usd !== usd || before.first_seen_at > now) {
    return { usd, first_seen_at: providerTime, provider_time: providerTime, ...origin }
  }
  const { first_seen_at, provider_time } = before
  const newest = provider_time > now ? providerTime : Math.max(provider_time, providerTime)
  return { usd, first_seen_at, provider_time: newest, ...origin }
}

/** Whether a price becomes a point of the buffer: at least 30 s after the last, and only when it changed. */
const isTick = (last: Tick | undefined, usd: number, now: number): boolean =>
  last === undefined || (last.usd !== usd && now - last.at >= TICK_SPACING)

/** An older tick may have been evicted with its hour, and one in the future was written by a clock that was ahead. */
const isRecent = (tick: Tick | undefined, now: number): boolean =>
  tick !== undefined && tick.at <= now && now - tick.at < HOUR

/** A chunk without what lies in the future: a clock that was ahead must not keep new ticks out. */
function withoutFuture(chunk: TickChunkRow, now: number): TickChunkRow {
  const end = lowerBound(chunk.times, now + 1)
  return end === chunk.times.length
    ? chunk
    : { ...chunk, times: chunk.times.slice(0, end), prices: chunk.prices.slice(0, end) }
}

function withTick(chunk: TickChunkRow | undefined, coin: CoinId, usd: number, now: number): TickChunkRow {
  const length = chunk?.times.length ?? 0
  const times = new Float64Array(length + 1)
  const prices = new Float64Array(length + 1)
  if (chunk !== undefined) {
    times.set(chunk.times)
    prices.set(chunk.prices)
  }
  times[length] = now
  prices[length] = usd
  return { coin_id: coin, hour: hourOf(now), times, prices }
}

/** The chunk that a coin's newest tick stands in. */
async function newestChunk(db: LocalDatabase, coin: CoinId, now: number): Promise<TickChunkRow | undefined> {
  const chunk = await db.ticks
    .where('[coin_id+hour]')
    .between([coin, hourOf(now) - TICK_BUFFER], [coin, hourOf(now)], true, true)
    .last()
  return chunk && withoutFuture(chunk, now)
}

const lastOf = (chunk: TickChunkRow | undefined): Tick | undefined => {
  const [at, usd] = [chunk?.times.at(-1), chunk?.prices.at(-1)]
  return at === undefined || usd === undefined ? undefined : { at, usd }
}

/**
 * Stores a poll: the latest prices in one record, changed ones in the tick buffer too, in one transaction. Coins that
 * the poll does not name keep what they had, and so do those of which a later price is here; prices of another source do
 * not.
 * @param now milliseconds
 * @param serverTime milliseconds: the latest that the server's clock can show now
 */
export async function writePrices(
  db: LocalDatabase,
  source: MarketSource,
  polled: ReadonlyMap<CoinId, PolledPrice>,
  now: number,
  serverTime = now,
): Promise<void> {
  await writeTransaction(db, [db.prices, db.ticks], async () => {
    const record = await db.prices.get('usd')
    const same = record?.source === source
    if (record !== undefined && !same) await db.ticks.clear()
    const prices: Record<CoinId, Price> = same ? { ...record.prices } : {}
    const lastTicks: Record<CoinId, Tick> = same ? { ...record.last_ticks } : {}
    const ticked: TickChunkRow[] = []
    for (const [coin, price] of polled) {
      const { usd, providerTime } = price
      if (isOvertaken(prices[coin], price, serverTime)) continue
      prices[coin] = nextPrice(prices[coin], price, now)
      const known = lastTicks[coin]
      // Most prices come too soon after the last tick for another one, and cost no reading.
      if (isRecent(known, now) && !isTick(known, usd, providerTime)) continue
      const chunk = await newestChunk(db, coin, now)
      const last = lastOf(chunk)
      if (last !== undefined) lastTicks[coin] = last
      if (!isTick(last, usd, providerTime)) continue
      ticked.push(withTick(chunk?.hour === hourOf(providerTime) ? chunk : undefined, coin, usd, providerTime))
      lastTicks[coin] = { at: providerTime, usd }
    }
    if (ticked.length > 0) {
      await db.ticks.where('hour').above(now).delete()
      await db.ticks
        .where('hour')
        .below(hourOf(now) - TICK_BUFFER)
        .delete()
      await db.ticks.bulkPut(ticked)
    }
    await db.prices.put({ key: 'usd', source, prices, polled_at: now, last_ticks: lastTicks })
  })
}

/**
 * Live prices with from <= time < to, and before them the tick that still held at `from`, where there is one: a tick
 * holds until the next.
 */
export async function readTickSeries(db: LocalDatabase, coin: CoinId, from: number, to: number): Promise<Series> {
  const chunks = await db.ticks
    .where('[coin_id+hour]')
    .between([coin, Math.floor((from - TICK_BUFFER) / HOUR) * HOUR], [coin, to])
    .sortBy('hour')
  const length = chunks.reduce((sum, chunk) => sum + chunk.times.length, 0)
  const all: Series = { times: new Float64Array(length), prices: new Float64Array(length) }
  let offset = 0
  for (const { times, prices } of chunks) {
    all.times.set(times, offset)
    all.prices.set(prices, offset)
    offset += times.length
  }
  const first = lowerBound(all.times, from)
  const held = first > 0 && all.times[first] !== from ? all.times[first - 1]! : from
  return sliceSeries(all, held, to)
}
