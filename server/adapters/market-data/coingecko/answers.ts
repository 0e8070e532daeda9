import * as z from 'zod'
import { seriesFromPoints, type Series } from '../../../../src/domain/series'
import type { ListedCoin, SpotPrice } from '../provider'

/**
 * What CoinGecko's answers must look like. The frame is required (else the whole answer is refused); what it holds is
 * looked at one by one, since missing prices are null or absent and one bad coin must not cost the others.
 */

export const pingAnswer = z.object({ gecko_says: z.string() })

/** The specification's rule for spot prices. */
const usd = z.number().min(0)
/** Seconds since 1970. */
const seconds = z.number().min(0).max(1e11)

const simplePriceAnswer = z.record(z.string(), z.unknown())
const spot = z.object({ usd, last_updated_at: seconds.nullish().catch(null) })

/**
 * @param now milliseconds; stands in where the answer has no time of its own, and bounds it where it has
 * @throws z.ZodError when the frame is wrong
 */
export function readSpotPrices(answer: unknown, now: number): Map<string, SpotPrice> {
  const found = new Map<string, SpotPrice>()
  for (const [id, entry] of Object.entries(simplePriceAnswer.parse(answer))) {
    const read = spot.safeParse(entry)
    if (!read.success) continue
    const { usd, last_updated_at } = read.data
    found.set(id, { usd, at: last_updated_at == null ? now : Math.min(now, last_updated_at * 1000) })
  }
  return found
}

const listedCoin = z.object({
  id: z.string().min(1).max(128),
  symbol: z.string().min(1).max(64),
  name: z.string().min(1).max(256),
  market_cap_rank: z
    .int()
    .min(1)
    .max(2 ** 31 - 1),
  image: z
    .url({ protocol: /^https?$/ })
    .nullable()
    .catch(null),
  current_price: usd.nullable().catch(null),
  last_updated: z.iso.datetime({ offset: true }).nullable().catch(null),
})

/**
 * Keeps the coins that have a market rank, id, symbol and name.
 * @throws z.ZodError when the frame is wrong
 */
export function readMarkets(answer: unknown, now: number): ListedCoin[] {
  return z
    .array(z.unknown())
    .parse(answer)
    .flatMap((entry) => {
      const coin = listedCoin.safeParse(entry)
      if (!coin.success) return []
      const { current_price, last_updated, ...rest } = coin.data
      return [
        { ...rest, usd: current_price, at: last_updated === null ? now : Math.min(now, Date.parse(last_updated)) },
      ]
    })
}

const chartAnswer = z.object({ prices: z.array(z.unknown()) })
const point = z.tuple([z.number().min(1).max(1e14), usd])

/**
 * Drops points without a usable price, and those of the future; of equal times the last stays.
 * @throws z.ZodError when the frame is wrong
 */
export function readChart(answer: unknown, now: number): Series {
  const points = chartAnswer.parse(answer).prices.flatMap((entry) => {
    const read = point.safeParse(entry)
    return read.success && read.data[0] <= now ? [read.data] : []
  })
  return seriesFromPoints(points)
}

/** CoinGecko's own error code, which it sometimes sends where the status says nothing; null: none. */
export function errorCodeOf(answer: unknown): number | null {
  const told = z
    .union([
      z.object({ status: z.object({ error_code: z.number() }) }),
      z.object({ error: z.object({ status: z.object({ error_code: z.number() }) }) }).transform(({ error }) => error),
    ])
    .safeParse(answer)
  return told.success ? told.data.status.error_code : null
}
