import { loadEnv } from '../../../server/env'
import { createMarket, type RunningMarket } from '../../../server/services/market/market'
import { utcDayOf } from '../../../src/domain/daily-matrix'
import { HOUR } from '../../../src/domain/granularity'
import type { CoinId } from '../../../src/domain/ids'
import { POLL_INTERVAL } from '../../../src/domain/poll-interval'
import { bearer } from './accounts'
import { coinGeckoStandIn } from './coingecko-stand-in'
import { runJob } from './market-scene'
import { newUser } from './new-user'
import type { Headers } from './person'
import { testApp, type TestApp } from './test-app'
import { testClock } from './test-clock'
import { freshDatabase } from './test-database'

/** Ids of equal length, so that no answer's bytes depend on which of them is asked for. */
const COINS = Array.from({ length: 60 }, (_, i) => `c${i + 10}` as CoinId)
const PAIRS = 50
/** The coins of the boards. */
export const BOARD_COINS = COINS.slice(0, PAIRS + 1)
/** A coin whose history is asked for by one test alone. */
export const FRESH_COIN = COINS.at(-1)!

/** Odd eighths of an hour's own: any machine adds and prints them alike, and all are of one length. */
const eighths = (level: number) => (time: number) => level + (2 * (Math.floor(time / HOUR) % 37) + 1) / 8

/** A server with sixty coins of a provider, their prices and two months of their closes. */
export async function openServer() {
  const clock = testClock(Date.UTC(2026, 0, 15, 12, 2, 30))
  const database = await freshDatabase()
  const gecko = await coinGeckoStandIn(clock)
  gecko.coins.clear()
  for (const [i, id] of COINS.entries()) gecko.coins.set(id, { id, rank: i + 1, price: eighths(100 + i) })
  const env = {
    MARKET_DATA: 'coingecko',
    COINGECKO_BASE_URL: gecko.url,
    // Enough for each poll to be made.
    COINGECKO_MONTHLY_CALLS: '1000000',
    PRICE_POLL_SECONDS: String(POLL_INTERVAL / 1000),
    PREMIUM_MAX_WIDGETS: String(PAIRS + 10),
  }

  const markets: RunningMarket[] = []
  const servers: TestApp<RunningMarket>[] = []
  /** A server process more on the same database. */
  async function start(): Promise<TestApp<RunningMarket>> {
    const market = await createMarket({ env: loadEnv(env), database, clock })
    markets.push(market)
    await market.start()
    const server = await testApp({ market, database, env, deps: { clock } })
    servers.push(server)
    return server
  }
  const server = await start()
  await database.pool.query(
    `INSERT INTO market_closes (coin_key, day, usd, at)
     SELECT key, day, 100 + day % 97, (day + 1) * 86400000::bigint FROM market_coins, generate_series($1::int - 59, $1) day`,
    [utcDayOf(clock()) - 1],
  )
  return {
    server,
    start,
    /** The next poll comes, with a newer price of every coin on a board. */
    nextPrices: async (): Promise<void> => {
      clock.advance(POLL_INTERVAL)
      await runJob(server.market, 'market-prices')
      const { rowCount } = await database.pool.query('SELECT FROM market_prices WHERE seen_at = $1', [clock()])
      if ((rowCount ?? 0) < BOARD_COINS.length) throw new Error(`${rowCount} prices came`)
    },
    close: async (): Promise<void> => {
      for (const { app } of servers) await app.close()
      for (const market of markets) await market.stop()
      await gecko.close()
      await database.close()
    },
  }
}

interface Account {
  /** Of a browser whose last refresh is behind it. */
  readonly headers: Headers
  readonly refreshToken: string
}

/** A signed-in account with fifty watched pairs, three checkpoints each. */
export async function accountWithBoard(server: TestApp<RunningMarket>): Promise<Account> {
  const { id, refreshToken } = await newUser(server.database, server.clock(), { premium: true })
  const at = new Date(server.clock())
  // As after earlier changes: the first one makes the row.
  await server.database.pool.query('INSERT INTO owner_revisions (owner_id, widgets) VALUES ($1, $2)', [
    id,
    at.getTime(),
  ])
  const coins = [BOARD_COINS.slice(0, -1), BOARD_COINS.slice(1)]
  await server.database.pool.query(
    `INSERT INTO pairs (coin_a_id, coin_b_id) SELECT * FROM unnest($1::text[], $2::text[]) ON CONFLICT DO NOTHING`,
    coins,
  )
  await server.database.pool.query(
    `WITH widget AS (
       INSERT INTO widgets (owner_id, display_order, coin_a_id, coin_b_id, pair_id, high_threshold, low_threshold,
         notifications_enabled, is_active, created_at)
       SELECT $3, place - 1, a, b, p.id, 1000, 0.001, true, true, $4
       FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS given (a, b, place)
       JOIN pairs p ON p.coin_a_id = a AND p.coin_b_id = b
       RETURNING id
     )
     INSERT INTO checkpoints (widget_id, owner_id, ratio, timestamp, is_default, display_order, created_at)
     SELECT id, $3, 1.25, $4, place = 0, place, $4 FROM widget, generate_series(0, 2) place`,
    [...coins, id, at],
  )
  const { body } = await server.refresh(refreshToken)
  const headers = bearer(body.access_token)
  const me = await server.app.inject({ url: '/api/v1/users/me', headers })
  if (me.statusCode !== 200) throw new Error(me.body)
  return { headers, refreshToken: body.refresh_token }
}
