import type { Pool } from 'pg'
import { USUAL_PACE } from './budget'
import type { Charge } from './charge'
import type { CoinList } from './coin-list'
import type { KnownCoin } from './coins'
import type { LatestPrices } from './latest-prices'
import type { LatestPrice } from './market'
import type { Polling } from './polling'
import type { SoonFetcher } from './soon'
import { heldAmong, noteAsked, notedAmong } from './watched-coins'

/** How often an interest in a coin is written down. Milliseconds. */
const NOTE_EVERY = 30 * 60_000
/** Times the round of polls after which a price counts as missed by them. */
const MISSED = 1.5

interface Parts {
  readonly pool: Pool
  readonly clock: () => number
  readonly list: CoinList
  readonly latest: LatestPrices
  readonly polls: Polling
  readonly soon: SoonFetcher
  readonly charge: Charge
}

export type ServePrices = (ids: readonly string[], ip?: string) => Promise<ReadonlyMap<string, LatestPrice>>

/**
 * Answers with the prices that are stored. Coins that nobody has a widget of are noted as asked for, and prices that
 * polls have missed are fetched out of turn, as far as the address may have that done.
 */
export function servePrices({ pool, clock, list, latest, polls, soon, charge }: Parts): ServePrices {
  const notedAt = new Map<number, number>()

  /** The first of these that the address may ask for. */
  async function charged<T>(coins: readonly T[], kind: Parameters<Charge>[0], ip: string | undefined): Promise<T[]> {
    const allowed: T[] = []
    for (const coin of coins) {
      if (!(await charge(kind, ip))) break
      allowed.push(coin)
    }
    return allowed
  }

  async function note(coins: readonly KnownCoin[], ip: string | undefined, now: number): Promise<void> {
    const due = coins.filter(({ key }) => Math.abs(now - (notedAt.get(key) ?? -Infinity)) > NOTE_EVERY)
    if (due.length === 0) return
    const held = await heldAmong(pool, due.map(({ id }) => id)) // prettier-ignore
    const asked = due.filter(({ id }) => !held.has(id))
    const known = await notedAmong(pool, asked.map(({ key }) => key), now) // prettier-ignore
    const fresh = await charged(asked.filter(({ key }) => !known.has(key)), 'asked-price', ip) // prettier-ignore
    const noted = [...asked.filter(({ key }) => known.has(key)), ...fresh]
    for (const { key } of [...noted, ...due.filter(({ id }) => held.has(id))]) notedAt.set(key, now)
    if (noted.length > 0) await noteAsked(pool, noted.map(({ key }) => key), now) // prettier-ignore
  }

  async function fetchMissed(coins: readonly KnownCoin[], ip: string | undefined, now: number): Promise<void> {
    const prices = await latest.all()
    const olderThan = (age: number) => (id: string) => Math.abs(now - (prices.get(id)?.seenAt ?? -Infinity)) > age
    const stale = soon.due(coins.map(({ id }) => id).filter(olderThan(MISSED * USUAL_PACE)))
    if (stale.length === 0) return
    const missed = stale.filter(olderThan(MISSED * Math.max(USUAL_PACE, await polls.round())))
    const held = await heldAmong(pool, missed)
    const theirs = await charged(missed.filter((id) => held.has(id)), 'held-price', ip) // prettier-ignore
    const others = await charged(missed.filter((id) => !held.has(id)), 'asked-price', ip) // prettier-ignore
    await Promise.all([soon.ask(theirs, 'held'), soon.ask(others, 'asked')])
  }

  return async (ids, ip) => {
    const now = clock()
    const coins = (await Promise.all([...new Set(ids)].map((id) => list.find(id)))).filter((coin) => coin !== undefined)
    await note(coins, ip, now)
    await fetchMissed(coins, ip, now)
    const prices = await latest.all()
    return new Map(coins.flatMap(({ id }) => {
      const price = prices.get(id)
      return price === undefined ? [] : [[id, { usd: price.usd, at: price.at }] as const]
    })) // prettier-ignore
  }
}
