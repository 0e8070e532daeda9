/** @module-tag both-engines */
import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { eq } from 'drizzle-orm'
import { Registry } from 'prom-client'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { sessions } from '../../server/db/schema/sessions'
import { owner_revisions, owners } from '../../server/db/schema/users'
import { liveMetrics } from '../../server/services/live/metrics'
import { hashOfSecret } from '../../server/services/secrets'
import { withServer } from './support/for-file'
import { openStream, type StreamClient } from './support/stream-client'
import { testApp } from './support/test-app'

let base: string
const open: StreamClient[] = []
const server = withServer()
beforeAll(async () => {
  base = await server.app.listen({ host: '127.0.0.1', port: 0 })
})
afterEach(() => {
  for (const stream of open.splice(0)) stream.close()
})

async function stream(...args: Parameters<typeof openStream> extends [string, ...infer R] ? R : never) {
  const client = await openStream(base, ...args)
  open.push(client)
  return client
}

const storePrices = () => server.database.changes.publish([{ kind: 'prices' }])

/** As a change of widgets does, after its commit. */
async function raise(owner: string, which: 'widgets' | 'account', revision: number): Promise<void> {
  await server.database.orm
    .insert(owner_revisions)
    .values({ owner_id: owner, [which]: revision })
    .onConflictDoUpdate({ target: owner_revisions.owner_id, set: { [which]: revision } })
}
const ownerOf = async (id: string): Promise<string> => {
  const [row] = await server.rows(owners, eq(owners.anonymous_hash, hashOfSecret(id)))
  return row!.id
}

test('a stream begins with open, the revisions, the versions and the prices of the asked coins that are known', async () => {
  const me = await server.user()
  await raise(me.id, 'widgets', 1_700_000_000_001)
  const live = await stream(await me.identity(), { coins: 'bitcoin,ethereum,no-such-coin' })
  await live.next('prices')
  expect([live.status, live.headers.get('content-type'), live.headers.get('cache-control')]).toEqual([
    200,
    'text/event-stream; charset=utf-8',
    'no-store, no-transform',
  ])
  expect(live.headers.get('x-accel-buffering')).toBe('no')
  expect(live.headers.get('content-encoding')).toBeNull()
  const { name, data } = live.events[0]!
  expect([name, data]).toEqual(['open', { pull: true, now: server.clock() }])
  expect(live.of('widgets')).toEqual([{ revision: 1_700_000_000_001 }])
  expect(live.of('account')).toEqual([{ revision: 0 }])
  expect(live.of('policies')).toHaveLength(1)
  expect(live.of('prices')).toEqual([
    {
      source: 'simulated',
      now: server.clock(),
      as_of: server.clock(),
      prices: { bitcoin: [1000, server.clock(), null], ethereum: [500, server.clock(), null] },
    },
  ])
})

test('a stream that comes back with its last id gets open, all prices, and of the rest what changed meanwhile', async () => {
  const me = await server.user()
  const first = await stream(await me.identity(), { coins: 'bitcoin,solana' })
  await first.next('prices')
  await first.next('config')
  const lastEventId = first.lastId()
  first.close()

  const second = await stream(await me.identity(), { coins: 'solana,bitcoin', lastEventId })
  await second.next('prices')
  expect(second.events.map(({ name }) => name)).toEqual(['open', 'prices'])
  expect(second.of('open')[0]?.pull).toBe(false)

  const third = await stream(await me.identity(), { coins: 'bitcoin,tron', lastEventId: second.lastId() })
  await third.next('prices')
  expect(third.events.map(({ name }) => name)).toEqual(['open', 'prices'])
  third.close()
  await raise(me.id, 'widgets', 1_700_000_000_002)
  const fourth = await stream(await me.identity(), { coins: 'bitcoin,tron', lastEventId: third.lastId() })
  await fourth.next('prices')
  expect(fourth.events.map(({ name }) => name)).toEqual(['open', 'widgets', 'prices'])

  // The id of another owner says nothing of these revisions.
  const other = await server.user()
  const fifth = await stream(await other.identity(), { lastEventId: fourth.lastId() })
  await fifth.next('account')
  expect(fifth.of('open')[0]?.pull).toBe(true)
})

test('a stream that is cut in the middle of its first events, or of two revisions, gets all of them again', async () => {
  const me = await server.user()
  const first = await stream(await me.identity(), { coins: 'bitcoin' })
  await first.next('prices')
  const begun = first.events.length
  await raise(me.id, 'widgets', 1_700_000_000_003)
  await raise(me.id, 'account', 1_700_000_000_004)
  await server.live.compare()
  await first.next('account', 2)
  first.close()
  for (const [index, { name, id }] of first.events.entries()) {
    if (id === '') continue
    const rest = first.events.slice(index + 1, index < begun ? begun : undefined).map((event) => event.name)
    expect(rest, `nothing that belongs to "${name}" comes behind its id`).toEqual([])
  }
  expect(first.events.map(({ id }) => id !== '')).toEqual([...Array<boolean>(begun - 1).fill(false), true, false, true])
})

test('the price of a coin whose id is not ASCII arrives under that id', async () => {
  server.market.usd.set('bitcoin-ü€😀', 3)
  const live = await stream(await server.guest().identity(), { coins: encodeURIComponent('bitcoin-ü€😀') })
  // A stream of the test before may be open still, for which prices were read.
  storePrices()
  expect((await live.next('prices')).prices).toEqual({ 'bitcoin-ü€😀': [3, server.clock(), null] })
  server.market.usd.delete('bitcoin-ü€😀')
})

test('closes that have come are told to streams that ask for one of their coins, once, and to no other', async () => {
  const me = await server.user()
  const live = await stream(await me.identity(), { coins: 'bitcoin,ethereum' })
  const others = await stream(await me.identity(), { coins: 'monero' })
  await Promise.all([live.next('prices'), others.next('prices')])
  server.database.changes.publish(['ethereum', 'bitcoin', 'tron'].map((coin) => ({ kind: 'closes', coin })))
  await live.next('closes')
  server.market.usd.set('bitcoin', 1233)
  server.market.usd.set('monero', 6)
  storePrices()
  await Promise.all([live.next('prices', 2), others.next('prices', 2)])
  expect([live.of('closes').length, others.of('closes').length]).toEqual([1, 0])
})

test('changed prices of the asked coins reach a stream, unchanged ones and those of other coins do not', async () => {
  const me = await server.user()
  const live = await stream(await me.identity(), { coins: 'bitcoin,ethereum' })
  const others = await stream(await me.identity(), { coins: 'monero' })
  await Promise.all([live.next('prices'), others.next('prices')])
  server.market.usd.set('cardano', 77)
  server.market.usd.set('bitcoin', 1234)
  storePrices()
  const { prices } = await live.next('prices', 2)
  expect(prices).toEqual({ bitcoin: [1234, server.clock(), null] })
  // Prices of the other set come behind it, and hold nothing of these.
  server.market.usd.set('monero', 5)
  storePrices()
  expect((await others.next('prices', 2)).prices).toEqual({ monero: [5, server.clock(), null] })
})

test('prices that are stored quickly one after the other reach a stream at most once a second, and the last one does', async () => {
  const me = await server.user()
  const live = await stream(await me.identity(), { coins: 'litecoin' })
  await live.next('prices')
  const started = performance.now()
  // The last of the second round is held back as well as that of the first.
  for (const last of [20, 40]) {
    for (let usd = last - 19; usd <= last; usd++) {
      server.market.usd.set('litecoin', usd)
      storePrices()
      await new Promise((resolve) => setImmediate(resolve))
    }
    await vi.waitFor(() => expect(live.of('prices').at(-1)?.prices['litecoin']?.[0]).toBe(last), 30_000)
  }
  const seconds = Math.ceil((performance.now() - started) / 1000)
  expect(live.of('prices').length).toBeLessThanOrEqual(2 + seconds)
})

test('a change of widgets, of the account and a crossing reach the streams of their owner and of nobody else', async () => {
  const [me, other] = [await server.user(), await server.user()]
  const [desk, phone, stranger] = await Promise.all([
    stream(await me.identity()),
    stream(await me.identity()),
    stream(await other.identity()),
  ])
  await Promise.all([desk, phone, stranger].map((one) => one.next('widgets')))
  await raise(me.id, 'account', 9)
  server.database.changes.publish([
    { kind: 'widgets', owner: me.id, revision: 5 },
    { kind: 'alert', owner: me.id, eventId: 'w:high:1' },
    { kind: 'account', owner: me.id, revision: 9 },
  ])
  for (const one of [desk, phone]) {
    expect(await one.next('widgets', 2)).toEqual({ revision: 5 })
    expect(await one.next('alert')).toEqual({ event_id: 'w:high:1' })
    expect(await one.next('account', 2)).toEqual({ revision: 9 })
  }
  server.database.changes.publish([{ kind: 'widgets', owner: other.id, revision: 6 }])
  await stranger.next('widgets', 2)
  expect(stranger.events.map(({ name }) => name).filter((name) => name !== 'config')).toEqual([
    'open',
    'widgets',
    'account',
    'policies',
    'widgets',
  ])
})

test('the first change of a guest reaches the stream that the guest opened before', async () => {
  const me = server.guest()
  const live = await stream(await me.identity())
  expect(await live.next('widgets')).toEqual({ revision: 0 })
  await me.add('bitcoin', 'ethereum')
  const owner = await ownerOf(me.id)
  await raise(owner, 'widgets', 1_800_000_000_003)
  server.database.changes.publish([{ kind: 'widgets', owner, revision: 1_800_000_000_003 }])
  await vi.waitFor(() => expect(live.of('widgets').at(-1)).toEqual({ revision: 1_800_000_000_003 }), 30_000)
})

test('a guest whose data are removed hears of it on the stream, and of the first pair after it', async () => {
  const me = server.guest()
  await me.add('bitcoin', 'ethereum')
  const live = await stream(await me.identity())
  const { revision } = await live.next('widgets')
  expect(revision).toBeGreaterThan(0)
  expect((await me.ask('DELETE', '/me/data', undefined, { 'idempotency-key': randomUUID() })).status).toBe(204)
  expect(await live.next('widgets', 2)).toEqual({ revision: 0 })
  server.clock.advance(1_000)
  await me.add('solana', 'ethereum')
  expect((await live.next('widgets', 3)).revision).toBeGreaterThan(revision)
})

test('a change of which no hint came is found by comparing the revisions with the database', async () => {
  const me = await server.user()
  const live = await stream(await me.identity(), { coins: 'polkadot' })
  await live.next('prices')
  await raise(me.id, 'widgets', 1_700_000_000_004)
  server.market.usd.set('polkadot', 3)
  await server.live.compare()
  expect(await live.next('widgets', 2)).toEqual({ revision: 1_700_000_000_004 })
  expect((await live.next('prices', 2)).prices).toHaveProperty('polkadot')
})

test('a stream ends with its session, at once when the account is said to have changed, and a new one is answered 401', async () => {
  const me = await server.user()
  const live = await stream(await me.identity())
  await live.next('open')
  await server.database.orm.delete(sessions).where(eq(sessions.user_id, me.id))
  const revision = 2_000_000_000_000
  server.database.changes.publish([{ kind: 'account', owner: me.id, revision }])
  await live.ended
  expect(live.events.at(-1)?.name).toBe('bye')
  expect(live.of('account'), 'news for others than this session').not.toContainEqual({ revision })
  expect((await stream(await me.identity())).status).toBe(401)
  expect((await stream({})).status).toBe(401)
})

test('a stream whose client has gone is forgotten', async () => {
  const me = server.guest()
  const before = server.live.streams()
  const live = await stream(await me.identity(), { coins: 'bitcoin' })
  await live.next('open')
  expect(server.live.streams()).toBe(before + 1)
  live.close()
  await vi.waitFor(() => expect(server.live.streams()).toBe(before), 30_000)
})

test('more than 500 coins, or an unknown parameter, are refused', async () => {
  const me = server.guest()
  const many = Array.from({ length: 501 }, (_, i) => `c${i}`).join(',')
  expect((await stream(await me.identity(), { coins: many })).status).toBe(422)
  const answer = await fetch(`${base}/api/v1/stream?coin=bitcoin`, { headers: await me.identity() })
  expect(answer.status).toBe(422)
})

test('the streams of an owner are limited, and a refusal says when to come again', async () => {
  const limited = await testApp({ database: server.database, env: { RATE_LIMIT_FACTOR: '0.1' } })
  try {
    const at = await limited.app.listen({ host: '127.0.0.1', port: 0 })
    const me = limited.guest()
    for (let i = 0; i < 2; i++) open.push(await openStream(at, await me.identity()))
    const third = await openStream(at, await me.identity())
    expect([third.status, Number(third.headers.get('retry-after'))]).toEqual([429, expect.any(Number)])
    expect(Number(third.headers.get('retry-after'))).toBeGreaterThan(0)
    open.splice(0)[0]!.close()
    await vi.waitFor(() => expect(limited.live.streams()).toBe(1), 30_000)
    open.push(await openStream(at, await me.identity()))
    expect(open.at(-1)?.status).toBe(200)
  } finally {
    await limited.app.close()
  }
})

test('streams that cannot be opened are not counted for their owner', async () => {
  const limited = await testApp({ database: server.database, env: { RATE_LIMIT_FACTOR: '0.1' } })
  try {
    const at = await limited.app.listen({ host: '127.0.0.1', port: 0 })
    const me = await limited.user()
    const { orm } = server.database
    const [session] = await orm.delete(sessions).where(eq(sessions.user_id, me.id)).returning()
    for (let i = 0; i < 3; i++) expect((await openStream(at, await me.identity())).status).toBe(401)
    await orm.insert(sessions).values(session!)
    open.push(await openStream(at, await me.identity()))
    expect(open.at(-1)?.status).toBe(200)
  } finally {
    await limited.app.close()
  }
})

test('an app that closes ends its streams with bye and refuses further ones', async () => {
  const closing = await testApp({ database: server.database })
  const at = await closing.app.listen({ host: '127.0.0.1', port: 0 })
  const me = closing.guest()
  const live = await openStream(at, await me.identity())
  await live.next('open')
  closing.live.end()
  await live.ended
  expect(live.of('bye')).toEqual([{ retry: 1000 }])
  const refused = await openStream(at, await me.identity())
  expect(refused.status).toBe(503)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  await closing.app.close()
})

test('changed public settings reach open streams, unchanged ones do not', async () => {
  const one = await testApp({ database: server.database })
  try {
    const at = await one.app.listen({ host: '127.0.0.1', port: 0 })
    const live = await openStream(at, await one.guest().identity())
    open.push(live)
    const { version } = await live.next('config')
    await one.live.compare()
    one.live.watchSettings(async () => 'others')
    await one.live.compare()
    expect((await live.next('config', 2)).version).not.toBe(version)
    expect(live.of('config')).toHaveLength(2)
  } finally {
    await one.app.close()
  }
})

test('the first stream of a process begins with the prices of now, also after a comparison while there was none', async () => {
  const one = await testApp({ database: server.database })
  try {
    const at = await one.app.listen({ host: '127.0.0.1', port: 0 })
    await one.live.compare()
    one.market.usd.set('bitcoin', 999)
    one.database.changes.publish([{ kind: 'prices' }])
    const live = await openStream(at, await one.guest().identity(), { coins: 'bitcoin' })
    open.push(live)
    expect((await live.next('prices')).prices['bitcoin']?.[0]).toBe(999)
  } finally {
    await one.app.close()
  }
})

test('a reader that does not read is cut off before much is kept for it, and /metrics counts it', async () => {
  const registry = new Registry()
  liveMetrics(registry, server.live)
  const me = await server.user()
  const before = server.live.streams()
  const socket = connect(Number(new URL(base).port), '127.0.0.1')
  const gone = new Promise((resolve) => socket.once('close', resolve))
  socket.on('error', () => undefined)
  const identity = Object.entries(await me.identity()).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`GET /api/v1/stream HTTP/1.1\r\nHost: localhost\r\n${identity.join('')}\r\n`)
  await new Promise((resolve) => socket.once('readable', resolve))
  expect(await registry.metrics()).toContain(`streams_open ${before + 1}\n`)
  const eventId = 'x'.repeat(60_000)
  while (server.live.streams() > before) {
    server.database.changes.publish([{ kind: 'alert', owner: me.id, eventId }])
    await new Promise((resolve) => setImmediate(resolve))
  }
  const figures = await registry.metrics()
  expect(figures).toContain('streams_dropped_total 1\n')
  expect(figures).toMatch(/stream_events_total\{event="alert"\} [1-9]/)
  socket.resume()
  await gone
})
