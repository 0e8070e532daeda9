import type { FastifyBaseLogger } from 'fastify'
import * as z from 'zod'
import { providerTimeOf } from '../../../../src/contract/market'
import { COIN_ID_PATTERN } from '../../../../src/domain/ids'
import { seriesFromPoints, type Series } from '../../../../src/domain/series'
import type { ListedCoin, SpotPrice } from '../provider'

/**
 * Schemas of CoinGecko's answers. The frame is required (else the whole answer is refused); its items are
 * looked at one by one, since missing prices are null or absent and one bad coin must not cost the others.
 */

/** Called with each coin that CoinGecko describes in a way that no client could read: the coin is left out, or put right. */
export type ReportOddCoin = (id: string, what: string) => void

/** Coins that are logged at most, and characters of an id. */
const MAX_LOGGED = 1_000
const ID_LENGTH = 128

/** Logs each odd coin of a provider once in the life of this process: lists and prices come again and again. */
export function logOddCoins(logger: Pick<FastifyBaseLogger, 'warn'> | undefined): ReportOddCoin {
  const logged = new Set<string>()
  return (given, what) => {
    const id = given.slice(0, ID_LENGTH)
    if (logged.has(id) || logged.size >= MAX_LOGGED) return
    logged.add(id)
    logger?.warn({ coin: id, what }, 'the provider names an odd coin')
  }
}

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
export function readSpotPrices(
  answer: unknown,
  now: number,
  onOddCoin: ReportOddCoin = () => undefined,
): Map<string, SpotPrice> {
  const found = new Map<string, SpotPrice>()
  for (const [id, entry] of Object.entries(simplePriceAnswer.parse(answer))) {
    if (!COIN_ID_PATTERN.test(id)) {
      onOddCoin(id, 'its id is no id')
      continue
    }
    const read = spot.safeParse(entry)
    if (!read.success) continue
    const { usd } = read.data
    found.set(id, { usd, providerTime: Math.min(now, providerTimeOf(read.data) ?? now) })
  }
  return found
}

/** Control characters, and those that turn the direction of the text around them. A database refuses one of them. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF]+/gu

const ranked = z.object({
  market_cap_rank: z
    .int()
    .min(1)
    .max(2 ** 31 - 1),
})
const printable = (length: number, fault: string) =>
  z
    .string()
    .transform((text) => Array.from(text.replace(UNPRINTABLE, ' ').trim()).slice(0, length).join('').trim())
    .pipe(z.string().min(1, fault))

const listedCoin = ranked.extend({
  id: z.string().regex(COIN_ID_PATTERN, 'its id is no id'),
  symbol: printable(64, 'it has no symbol'),
  name: printable(256, 'it has no name'),
  image: z
    .url({ protocol: /^https$/ })
    .max(2048)
    .nullable()
    .catch(null),
  current_price: usd.nullable().catch(null),
  last_updated: z.iso.datetime({ offset: true }).nullable().catch(null),
})

/** As much of an entry as says whose it is. */
const entryOfCoin = z.looseObject({ id: z.string(), symbol: z.unknown(), name: z.unknown(), image: z.unknown() })

/**
 * Keeps the coins that have a market rank, id, symbol and name, in a form that every client can read.
 * @throws z.ZodError when the frame is wrong
 */
export function readMarkets(answer: unknown, now: number, onOddCoin: ReportOddCoin): ListedCoin[] {
  return z
    .array(z.unknown())
    .parse(answer)
    .flatMap((entry) => {
      // Coins without a rank are many, and nothing is wrong with them.
      if (!ranked.safeParse(entry).success) return []
      const given = entryOfCoin.safeParse(entry)
      const coin = listedCoin.safeParse(entry)
      if (!coin.success) {
        onOddCoin(given.data?.id ?? '', coin.error.issues[0]?.message ?? 'it cannot be read')
        return []
      }
      const { current_price, last_updated, ...rest } = coin.data
      const cleaned = (['symbol', 'name', 'image'] as const).filter(
        (field) => given.data?.[field] !== rest[field] && given.data?.[field] != null,
      )
      if (cleaned.length > 0) onOddCoin(rest.id, `${cleaned.join(' and ')} had to be put right`)
      const providerTime = last_updated === null ? now : Math.min(now, Date.parse(last_updated))
      return [{ ...rest, usd: current_price, providerTime }]
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
  const read = z
    .union([
      z.object({ status: z.object({ error_code: z.number() }) }),
      z.object({ error: z.object({ status: z.object({ error_code: z.number() }) }) }).transform(({ error }) => error),
    ])
    .safeParse(answer)
  return read.success ? read.data.status.error_code : null
}
