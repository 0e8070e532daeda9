import { randomUUID } from 'node:crypto'
import type { InjectOptions } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Widget } from '../../src/contract/widget'
import { measured } from '../support/budgets.mjs'
import { measureStatements, sentDuring, type SentStatements } from './support/sent-statements'
import { openStream } from './support/stream-client'
import { loadEnv } from '../../server/env'
import { createMarket, type RunningMarket } from '../../server/services/market/market'
import { utcDayOf } from '../../src/domain/daily-matrix'
import { HOUR } from '../../src/domain/granularity'
import type { CoinId } from '../../src/domain/ids'
import { POLL_INTERVAL } from '../../src/domain/live-prices'
import { bearer } from './support/accounts'
import { coinGeckoStandIn } from './support/coingecko-stand-in'
import { runJob } from './support/market-scene'
import { newUser } from './support/new-user'
import type { Headers } from './support/person'
import { testApp, type TestApp } from './support/test-app'
import { testClock } from './support/test-clock'
import { freshDatabase } from './support/test-database'

/** Ids of equal length, so that no answer's bytes depend on which of them is asked for. */
const COINS = Array.from({ length: 60 }, (_, i) => `c${i + 10}` as CoinId)
const PAIRS = 50
/** The coins of the boards. */
const BOARD_COINS = COINS.slice(0, PAIRS + 1)
/** A coin whose history is asked for by one test alone. */
const FRESH_COIN = COINS.at(-1)!

/** Odd eighths of an hour's own: any machine adds and prints them alike, and all are of one length. */
const eighths = (level: number) => (time: number) => level + (2 * (Math.floor(time / HOUR) % 37) + 1) / 8

/** A server with sixty coins of a provider, their prices and two months of their closes. */
async function openServer() {
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
async function accountWithBoard(server: TestApp<RunningMarket>): Promise<Account> {
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

/*
 * Counts, not times: what each request that an open app repeats asks of the database, and how long its answer is. They are
 * the same on any engine and machine.
 */

let scene: Awaited<ReturnType<typeof openServer>>
beforeAll(async () => {
  scene = await openServer()
  // Polls bring the prices of a board's coins, and a first history comes from the provider.
  await accountWithBoard(scene.server)
  await scene.nextPrices()
  await sentByEach()
})
afterAll(() => scene.close())

const PRICES = `/api/v3/simple/price?ids=${BOARD_COINS.join(',')}&vs_currencies=usd&include_last_updated_at=true`
const historyOf = (coin: string) => `/api/v1/coins/${coin}/historical?period=1d`

/** Requests whose answers are the same for all clients. */
const SHARED = [
  ['GET /simple/price', PRICES],
  ['GET /coins/supported', '/api/v1/coins/supported'],
  ['GET /coins/:id/historical', historyOf(BOARD_COINS[0]!)],
  ['GET /market/daily', '/api/v1/market/daily'],
  ['GET /config', '/api/v1/config'],
] as const

type Request = InjectOptions & { readonly url: string }

async function sentBy(request: Request, status = 200, { app, database } = scene.server) {
  const sent = await sentDuring(database.pool, () => app.inject(request))
  expect(sent.value.statusCode).toBe(status)
  return sent
}
type Sent = Awaited<ReturnType<typeof sentBy>>

function measure(name: string, { statements, rows }: Pick<SentStatements<unknown>, 'statements' | 'rows'>): void {
  measureStatements(name, statements)
  measured(`${name}: rows`, rows)
}

function measureAnswer(name: string, sent: Sent): void {
  measure(name, sent)
  measured(`${name}: bytes`, sent.value.rawPayload.length)
}

const sum = (all: readonly Sent[]) => ({
  statements: all.flatMap(({ statements }) => statements),
  rows: all.reduce((rows, sent) => rows + sent.rows, 0),
})

async function sentByEach(server = scene.server): Promise<Sent[]> {
  const all: Sent[] = []
  for (const [, url] of SHARED) all.push(await sentBy({ url }, 200, server))
  return all
}

test.each(SHARED)('%s after the next price takes no more than its budget', async (name, url) => {
  await sentBy({ url })
  await scene.nextPrices()
  measureAnswer(name, await sentBy({ url }))
})

test('what all clients ask for alike is answered again within a second by no more statements than its budget', async () => {
  await sentByEach()
  measure('shared answers, again', sum(await sentByEach()))
})

test('the first shared answers of a server process take no more statements and rows than their budget', async () => {
  await sentByEach()
  measure('shared answers, first of a process', sum(await sentByEach(await scene.start())))
})

test('the first history of a coin takes no more statements than its budget', async () => {
  await sentByEach()
  // Levels come side by side, so how many rows are folded differs.
  measureStatements(
    'GET /coins/:id/historical, first of a coin',
    (await sentBy({ url: historyOf(FRESH_COIN) })).statements,
  )
})

test('reading fifty pairs, their revision and their alerts takes no more statements, rows and bytes than its budget', async () => {
  const { headers } = await accountWithBoard(scene.server)
  const list = await sentBy({ url: '/api/v1/widgets', headers })
  expect(list.value.json<Widget[]>()).toHaveLength(50)
  measureAnswer('GET /widgets', list)
  const held = { ...headers, 'if-none-match': String(list.value.headers['etag']) }
  measure('GET /widgets, unchanged', await sentBy({ url: '/api/v1/widgets', headers: held }, 304))
  measure('GET /alerts', await sentBy({ url: '/api/v1/alerts?since=2026-01-15T12:00:00.000Z', headers }))
})

test('adding a pair, setting a threshold and repeating both takes no more statements, rows and bytes than its budget', async () => {
  const { headers } = await accountWithBoard(scene.server)
  await sentByEach()
  const change = (method: 'POST' | 'PUT', url: string, payload: object): Request => ({
    method,
    url: `/api/v1${url}`,
    payload,
    headers: { ...headers, 'idempotency-key': randomUUID() },
  })
  const add = change('POST', '/widgets', { coin_a_id: BOARD_COINS[0], coin_b_id: BOARD_COINS[2] })
  const added = await sentBy(add, 201)
  measureAnswer('POST /widgets', added)
  measure('POST /widgets, repeated', await sentBy(add, 201))
  const set = change('PUT', `/widgets/${added.value.json<Widget>().id}`, { high_threshold: 2 })
  measureAnswer('PUT /widgets/:id', await sentBy(set))
  measure('PUT /widgets/:id, repeated', await sentBy(set))
})

test('POST /auth/refresh-token takes no more statements, rows and bytes than its budget', async () => {
  const { refreshToken } = await accountWithBoard(scene.server)
  const payload = { refresh_token: refreshToken }
  const headers = { 'x-refresh-attempt': randomUUID() }
  measureAnswer(
    'POST /auth/refresh-token',
    await sentBy({ method: 'POST', url: '/api/v1/auth/refresh-token', payload, headers }),
  )
})

test('a stream that opens beside another takes no more statements, rows and bytes than its budget', async () => {
  const { headers } = await accountWithBoard(scene.server)
  const { app, database } = scene.server
  const base = await app.listen({ host: '127.0.0.1', port: 0 })
  const open = () =>
    sentDuring(database.pool, async () => {
      const stream = await openStream(base, headers, { coins: BOARD_COINS.join(',') })
      await stream.next('prices')
      return stream
    })
  const { value: first } = await open()
  // The first one has the version of the settings read.
  await first.next('config')
  const sent = await open()
  const { value: second } = sent
  expect(second.events.map(({ name }) => name)).toEqual(['open', 'widgets', 'account', 'policies', 'config', 'prices'])
  measure('GET /stream', sent)
  measured('GET /stream: bytes', Buffer.byteLength(second.text()))
  for (const stream of [first, second]) stream.close()
})
