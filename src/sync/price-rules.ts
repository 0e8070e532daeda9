import type { SimplePrice } from '../contract/market'
import type { MetaRows, Price } from '../db/rows'
import type { SeenPrice } from '../db/write-prices'
import type { CoinId } from '../domain/ids'
import { isPrice } from '../domain/series'
import { isDue, isSpaced } from './backoff'

/** Milliseconds between two polls of prices that are known. */
export const PRICE_SPACING = 75_000

type Poll = MetaRows['price_poll']

/** Milliseconds at which prices are to be fetched next; null: there is nothing to fetch. */
export function pricesDueAt(
  coins: readonly CoinId[],
  known: Readonly<Record<CoinId, Price>>,
  poll: Poll | undefined,
  now: number,
): number | null {
  if (coins.length === 0) return null
  if (poll === undefined) return now
  if (!isDue(poll.not_before, now)) return poll.not_before
  if (isSpaced(poll.attempted_at, PRICE_SPACING, now)) return now
  return neverAsked(coins, known, poll).length > 0 ? now : poll.attempted_at + PRICE_SPACING
}

/** A pair that was just added has no price yet: its coins do not wait for the next round, but are asked for once only. */
function neverAsked(coins: readonly CoinId[], known: Readonly<Record<CoinId, Price>>, poll: Poll): readonly CoinId[] {
  const asked = new Set(poll.asked)
  return coins.filter((coin) => known[coin] === undefined && !asked.has(coin))
}

/**
 * The attempt that is due: a round of all coins where the last round was 75 s ago or more, else the new coins alone, which
 * leaves the rounds where they are.
 */
export function nextAttempt(
  coins: readonly CoinId[],
  known: Readonly<Record<CoinId, Price>>,
  poll: Poll | undefined,
  now: number,
): { readonly coins: readonly CoinId[]; readonly poll: Poll } {
  if (poll === undefined || isSpaced(poll.attempted_at, PRICE_SPACING, now)) {
    return { coins, poll: { attempted_at: now, not_before: 0, asked: coins } }
  }
  const added = neverAsked(coins, known, poll)
  return { coins: added, poll: { ...poll, asked: [...poll.asked, ...added] } }
}

/**
 * What of an answer may be believed: a coin without an acceptable price keeps the one it had. Where the answer says
 * when it last saw a price, the price is as old as that: a server whose provider fails goes on serving what it has. The
 * age is taken between two times of the server, so that a wrong clock here does not matter.
 * @param answeredAt the server's time of the answer, milliseconds; null: not said
 * @param now milliseconds, of this device
 */
export function acceptedPrices(
  answer: SimplePrice,
  asked: readonly CoinId[],
  answeredAt: number | null,
  now: number,
): ReadonlyMap<CoinId, SeenPrice> {
  const accepted = new Map<CoinId, SeenPrice>()
  for (const coin of asked) {
    const said = Object.hasOwn(answer, coin) ? answer[coin] : undefined
    const usd: unknown = said?.usd
    const updated = said?.last_updated_at
    const age = answeredAt === null || updated == null ? 0 : Math.max(0, answeredAt - updated * 1000)
    if (isPrice(usd)) accepted.set(coin, { usd, seen: now - age })
  }
  return accepted
}
