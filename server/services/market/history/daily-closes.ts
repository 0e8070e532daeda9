import type { Pool } from 'pg'
import type { MarketSource } from '../../../../src/contract/market'
import { encodeDailyMatrix, MATRIX_COINS, MATRIX_DAYS, utcDayOf } from '../../../../src/domain/daily-matrix'
import { MINUTE } from '../../../../src/domain/granularity'
import type { CoinId } from '../../../../src/domain/ids'
import { MIN_WINDOW_DAYS } from '../../../../src/domain/pair-statistics'
import { KeptBody } from '../../../http/kept-body'
import { shareReads } from '../../../waits'
import { type CoinCloses, closesOfCoins, readCloses } from './closes'
import { askedCoins, heldCoins, MAX_HELD } from '../prices/watched-coins'
import type { CoinList, KnownCoin } from '../coin-list'

/** How long an answer is given again before anything is looked up, milliseconds. */
const TRUST_MS = MINUTE

interface DailyClosesDeps {
  readonly pool: Pool
  readonly source: MarketSource
  readonly clock: () => number
  readonly list: Pick<CoinList, 'all'>
}

/** Ids of watched coins, those that widgets hold first. */
export async function idsOfWatched(pool: Pool, source: MarketSource, now: number): Promise<readonly string[]> {
  const held = await heldCoins(pool, source)
  return [...held, ...(await askedCoins(pool, source, held, now, MAX_HELD - held.length))]
}

/** The best coins by market cap, best first, from the list of all. */
export const bestCoins = (all: readonly KnownCoin[]): readonly string[] =>
  all
    .filter((coin) => coin.market_cap_rank !== null)
    .map(({ id }) => id)
    .slice(0, MATRIX_COINS)

/**
 * The matrix of daily closes as all clients get it. It is made anew once a close, the day or the coins have changed, looked
 * for once a minute at most.
 */
export function dailyCloses({ pool, source, clock, list }: DailyClosesDeps): () => Promise<KeptBody> {
  let made: { readonly of: string; readonly body: KeptBody } | null = null

  async function matrix(coins: readonly CoinCloses[], ranked: number, lastDay: number): Promise<KeptBody> {
    const firstDay = lastDay - MATRIX_DAYS + 1
    const closes = await readCloses(
      pool,
      coins.map(({ key }) => key),
      firstDay,
      MATRIX_DAYS,
    )
    // A coin that is only watched says nothing as long as too little is known of it; the best keep their places.
    const known = (key: number) => closes.get(key)?.reduce((days, close) => days + (close > 0 ? 1 : 0), 0) ?? 0
    const shown = coins.filter(({ key }, index) => index < ranked || known(key) >= MIN_WINDOW_DAYS)
    const prices = new Float32Array(shown.length * MATRIX_DAYS).fill(NaN)
    for (const [row, { key }] of shown.entries()) prices.set(closes.get(key) ?? [], row * MATRIX_DAYS)
    const bytes = encodeDailyMatrix({
      source,
      firstDay,
      days: MATRIX_DAYS,
      ranked,
      coins: shown.map(({ id }) => id as CoinId),
      prices,
    })
    return new KeptBody(Buffer.from(bytes), 'application/octet-stream')
  }

  async function look(now: number): Promise<KeptBody> {
    const best = bestCoins(await list.all())
    // By their ids: the order in which they are polled changes with each poll, and differs between processes.
    const others = (await idsOfWatched(pool, source, now)).filter((id) => !best.includes(id)).toSorted()
    const coins = await closesOfCoins(pool, source, [...best, ...others])
    const lastDay = utcDayOf(now) - 1
    const of = JSON.stringify([lastDay, best.length, coins.map(({ key, version }) => [key, version])])
    if (made?.of !== of) made = { of, body: await matrix(coins, best.length, lastDay) }
    return made.body
  }

  return shareReads(look, TRUST_MS - 1, clock).get
}
