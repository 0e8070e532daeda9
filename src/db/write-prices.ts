import type { MarketSource } from '../contract/market'
import { HOUR } from '../domain/granularity'
import type { CoinId } from '../domain/ids'
import { lowerBound } from '../domain/series'
import { TICK_BUFFER } from '../domain/ticks'
import type { LocalDatabase } from './database'
import type { Price, TickChunkRow } from './rows'
import { writeTransaction } from './with-room'

/** Milliseconds between two points of the tick buffer. */
const TICK_SPACING = 30_000

const hourOf = (time: number): number => Math.floor(time / HOUR) * HOUR

/** A price that a poll brought. */
export interface SeenPrice {
  readonly usd: number
  /** When the server last had it from its provider, milliseconds of this device's clock. */
  readonly seen: number
}

/** The record of a coin after a poll. The times of an unchanged price only move forward, unless they lie in the future. */
export function nextPrice(before: Price | undefined, { usd, seen }: SeenPrice, now: number): Price {
  if (before?.usd !== usd || before.at > now) return { usd, at: seen, seen_until: seen }
  return { ...before, seen_until: before.seen_until > now ? seen : Math.max(before.seen_until, seen) }
}

/** Whether a price becomes a point of the buffer: at least 30 s after the last, and only when it changed. */
export const isTick = (last: { at: number; usd: number } | undefined, usd: number, now: number): boolean =>
  last === undefined || (last.usd !== usd && now - last.at >= TICK_SPACING)

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

/**
 * Stores a poll: the latest prices in one record, changed ones in the tick buffer too, in one transaction. Coins that
 * the poll does not name keep what they had; prices of another source do not.
 * @param now milliseconds
 */
export async function writePrices(
  db: LocalDatabase,
  source: MarketSource,
  polled: ReadonlyMap<CoinId, SeenPrice>,
  now: number,
): Promise<void> {
  await writeTransaction(db, [db.prices, db.ticks], async () => {
    const record = await db.prices.get('usd')
    const same = record?.source === source
    if (record !== undefined && !same) await db.ticks.clear()
    const prices: Record<CoinId, Price> = same ? { ...record.prices } : {}
    const changed: TickChunkRow[] = []
    await db.ticks.where('hour').above(now).delete()
    await db.ticks
      .where('hour')
      .below(hourOf(now) - TICK_BUFFER)
      .delete()
    for (const [coin, price] of polled) {
      const { usd, seen } = price
      prices[coin] = nextPrice(prices[coin], price, now)
      const chunk = await newestChunk(db, coin, now)
      const last = chunk && { at: chunk.times.at(-1) ?? -Infinity, usd: chunk.prices.at(-1) ?? NaN }
      if (isTick(last, usd, seen))
        changed.push(withTick(chunk?.hour === hourOf(seen) ? chunk : undefined, coin, usd, seen))
    }
    await db.ticks.bulkPut(changed)
    await db.prices.put({ key: 'usd', source, prices, polled_at: now })
  })
}
