import { randomUUID } from 'node:crypto'
import type { InjectOptions } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Widget } from '../../src/contract/widget'
import { measured } from '../support/budgets.mjs'
import { accountWithBoard, BOARD_COINS, FRESH_COIN, openServer } from './support/open-app'
import { measureStatements, sentDuring, type SentStatements } from './support/sent-statements'
import { openStream } from './support/stream-client'

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

test.each(SHARED)(
  '%s after the next price takes no more statements, rows and bytes than its budget',
  async (name, url) => {
    await sentBy({ url })
    await scene.nextPrices()
    measureAnswer(name, await sentBy({ url }))
  },
)

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
  measureAnswer(
    'POST /auth/refresh-token',
    await sentBy({ method: 'POST', url: '/api/v1/auth/refresh-token', payload }),
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
