import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ensureIdentity } from '../../src/db/identity'
import { changeOwnerSyncState, readOwnerSyncState } from '../../src/db/owner-sync-state'
import { readMeta, writeMeta } from '../../src/db/database'
import { HEARD_SPACING, STREAM_STALE_AFTER } from '../../src/db/stream-state'
import type { CoinId, OwnerId } from '../../src/domain/ids'
import { keepStream, type StreamKeeper } from '../../src/sync/stream/keep-stream'
import { FIRST_STREAM, type KeeperEvent, type KeeperState, reduceKeeper } from '../../src/sync/stream/keeper-state'
import { FIRST_EVENT_TIMEOUT, SILENCE_TIMEOUT } from '../../src/sync/stream/run-stream'
import { NOW, testContext } from '../db/support/entries'
import { userContext } from '../db/support/people'
import { streamServer } from './support/stream-server'
import { virtualTime, type VirtualTime } from './support/virtual-time'
import { json, SETTINGS, wiredEnv } from './support/wire'

const coins = ['bitcoin', 'ethereum'] as CoinId[]

let server: ReturnType<typeof streamServer>
let time: VirtualTime
let env: ReturnType<typeof wiredEnv>
let owner: OwnerId
let keeper: StreamKeeper
let polls: number
let failures: unknown[]

async function start(context = testContext(), asked = coins) {
  server = streamServer()
  time = virtualTime(NOW)
  owner = await ensureIdentity(context, new Uint8Array(24))
  await writeMeta(context.db, 'config', { config: SETTINGS as never, fetched_at: NOW })
  const wired = wiredEnv(context.db, {
    '/api/v1/stream': (request) => server.handle(request),
    '/api/v1/config': () => json(200, SETTINGS),
    '/api/v1/settings/tier-limits': () => json(500, {}),
  })
  env = { ...wired, now: time.now, timer: time.timer }
  polls = 0
  failures = []
  keeper = keepStream({
    env,
    target: { owner, coins: asked },
    onPolling: () => (polls += 1),
    onFailure: (error) => failures.push(error),
  })
}
beforeEach(() => start())
afterEach(async () => {
  await keeper.stop()
  expect(failures).toEqual([])
})

const record = () => readMeta(env.db, 'stream')
const syncState = () => readOwnerSyncState(env.db, owner)
const held = async () => (await env.db.prices.get('usd'))?.prices
const open = async (count = 1) => {
  const stream = await server.opened(count)
  stream.send('open', { pull: true, now: time.now() })
  await vi.waitFor(async () => expect(await record()).toMatchObject({ kind: 'live', heard_at: time.now() }))
  return stream
}
const recorded = (state: object) => vi.waitFor(async () => expect(await record()).toMatchObject(state))
/** Moves the clock to the next timer, step by step. */
const pass = (ms: number) => {
  const end = time.now() + ms
  for (let next = time.next(); next !== null && next <= end; next = time.next()) time.moveTo(next)
  time.moveTo(end)
}
/** Waits until the keeper has told so often that polling goes on, and lets its pause pass. */
const polledThenPass = async (count: number, ms: number) => {
  await vi.waitFor(() => expect(polls).toBe(count))
  await timed()
  pass(ms)
}
/** The first stream breaks, and the next requests are answered so. */
const breakOff = async (...answers: Parameters<typeof server.refuse>) => {
  const first = await server.opened(1)
  server.refuse(...answers)
  first.cut()
}
/** Waits until a timer is set: the keeper pauses or reads. */
const timed = () => vi.waitFor(() => expect(time.next()).not.toBeNull())

describe('a stream that is open', () => {
  test('is asked for with the owner’s identity and coins, without an id at first, and with the last one after it broke', async () => {
    const first = await open()
    expect(first.url.searchParams.get('coins')).toBe('bitcoin,ethereum')
    expect(first.headers).toMatchObject({ Accept: 'text/event-stream', 'X-Anonymous-User-ID': owner })
    expect(first.headers).not.toHaveProperty('Last-Event-ID')
    first.send('widgets', { revision: 5 }, 'five')
    await vi.waitFor(async () => expect((await syncState()).told_revision).toBe(5))
    pass(30_000)
    first.cut()
    await recorded({ kind: 'polling', reason: 'reconnecting' })
    pass(10_000)
    expect((await server.opened(2)).headers).toMatchObject({ 'Last-Event-ID': 'five' })
  })

  test('is recorded as live since its first event, and as heard about every ten seconds', async () => {
    const stream = await open()
    expect(await record()).toEqual({ kind: 'live', owner, prices: true, since: NOW, heard_at: NOW })
    pass(HEARD_SPACING - 1)
    stream.write(':\n\n')
    pass(1)
    stream.write(':\n\n')
    await recorded({ since: NOW, heard_at: NOW + HEARD_SPACING })
  })

  test('stores prices with their exchange, at the age that the server’s own times give', async () => {
    const stream = await open()
    const now = NOW + 3_600_000
    stream.write(':\n\n')
    // The server's clock is an hour ahead of this device's.
    await keeper.stop()
    await start()
    const ahead = await server.opened(1)
    ahead.send('open', { pull: true, now })
    const prices = { bitcoin: [50_000, now - 2_000, 'kraken'], ethereum: [2_000, now, null], dogecoin: [1, now, null] }
    ahead.send('prices', { source: 'simulated', now, prices: prices as never })
    await vi.waitFor(async () => {
      expect(await held()).toEqual({
        bitcoin: { usd: 50_000, first_seen_at: NOW - 2_000, provider_time: NOW - 2_000, via: 'kraken', as_of: now },
        ethereum: { usd: 2_000, first_seen_at: NOW, provider_time: NOW, as_of: now },
      })
    })
    expect(await readMeta(env.db, 'server_clock')).toEqual({ ahead: -3_600_000 })
  })

  test('a price that the provider gives again loses its exchange, and one that cannot be read takes no other along', async () => {
    const stream = await open()
    const send = (prices: object) => stream.send('prices', { source: 'simulated', now: NOW, prices: prices as never })
    send({ bitcoin: [5, NOW, 'kraken'] })
    send({ bitcoin: [5, NOW, null], ethereum: ['five', NOW, null] })
    send({ ethereum: [3, NOW, null], bitcoin: 'gone' })
    await vi.waitFor(async () => {
      expect(await held()).toEqual({
        bitcoin: { usd: 5, first_seen_at: NOW, provider_time: NOW, as_of: NOW },
        ethereum: { usd: 3, first_seen_at: NOW, provider_time: NOW, as_of: NOW },
      })
    })
  })

  test('prices of another source than the settings name are not stored, and the next stream begins anew', async () => {
    const stream = await open()
    stream.send('prices', { source: 'coingecko', now: NOW, prices: { bitcoin: [5, NOW, null] } }, 'one')
    await vi.waitFor(() => expect(stream.isClosed()).toBe(true))
    expect(await held()).toBeUndefined()
    await recorded({ kind: 'polling' })
    pass(60_000)
    expect((await server.opened(2)).headers).not.toHaveProperty('Last-Event-ID')
  })

  test('names of another version, broken data and comments are passed over', async () => {
    const stream = await open()
    stream.write('event: weather\ndata: {"sun":true}\n\nevent: widgets\ndata: {"revision"\n\nfoo: bar\n\n: hello\n\n')
    stream.write('event: widgets\ndata: {"revision": 7, "more": true}\n')
    stream.write('\n')
    await vi.waitFor(async () => expect((await syncState()).told_revision).toBe(7))
    expect(await record()).toMatchObject({ kind: 'live' })
  })

  test('a revision that is held asks for nothing, another one for a pull', async () => {
    await changeOwnerSyncState(env.db, owner, { list_revision: 3 })
    const stream = await open()
    stream.send('widgets', { revision: 3 })
    stream.send('config', { version: 'c' })
    stream.send('closes', { version: 'd' })
    await vi.waitFor(async () =>
      expect(await readMeta(env.db, 'versions')).toEqual({
        config: { told: 'c', held: null },
        closes: { told: 'd', held: null },
      }),
    )
    expect(await syncState()).toMatchObject({ needs_pull: false })
    stream.send('widgets', { revision: 2 })
    await vi.waitFor(async () => expect(await syncState()).toMatchObject({ needs_pull: true, told_revision: 2 }))
  })

  test('a crossing that this device has not seen asks for a pull', async () => {
    const stream = await open()
    stream.send('alert', { event_id: 'w:high:1' })
    await vi.waitFor(async () => expect((await syncState()).needs_pull).toBe(true))
  })

  test('a guest has no account to load, a user loads it where its revision is another', async () => {
    const guest = await open()
    guest.send('account', { revision: 9 })
    guest.send('policies', { version: 'p' })
    await vi.waitFor(async () => expect((await readMeta(env.db, 'versions'))?.policies?.told).toBe('p'))
    expect((await syncState()).told_account).toBeUndefined()
    await keeper.stop()
    await start(await userContext(false))
    const user = await open()
    user.send('account', { revision: 9 })
    await vi.waitFor(async () =>
      expect(await syncState()).toMatchObject({ told_account: 9, needs_account_refresh: true }),
    )
  })

  test('without coins it asks for none, and the record says that prices come from elsewhere', async () => {
    await keeper.stop()
    await start(testContext(), [])
    const stream = await open()
    expect(stream.url.search).toBe('')
    expect(await record()).toMatchObject({ prices: false })
  })
})

describe('a stream that ends', () => {
  test('by "bye" is followed by the next within the time that the server gives, and nothing is polled meanwhile', async () => {
    const stream = await open()
    pass(30_000)
    stream.send('bye', { retry: 20_000 })
    await recorded({ kind: 'polling', reason: 'reconnecting', polls_from: time.now() + 15_000, heard_at: time.now() })
    expect(polls).toBe(0)
    await timed()
    pass(9_999)
    expect(server.streams).toHaveLength(1)
    pass(1)
    await open(2)
    expect(await record()).toMatchObject({ kind: 'live', since: time.now() })
  })

  test('and cannot be opened again lets polling go on, and the first success ends it', async () => {
    const stream = await open()
    pass(30_000)
    server.refuse(new TypeError('Failed to fetch'), json(503, {}))
    stream.cut()
    await recorded({ kind: 'polling', reason: 'reconnecting' })
    expect(polls).toBe(0)
    for (const expected of [1, 2]) {
      await timed()
      pass(60_000)
      await vi.waitFor(() => expect(polls).toBe(expected))
    }
    expect(await record()).toMatchObject({ kind: 'polling', reason: 'reconnecting', polls_from: 0 })
    await timed()
    pass(60_000)
    await open(1 + 1)
  })

  test('three failures in turn are recorded as such, with the time since which there is no stream', async () => {
    await recorded({ kind: 'polling', reason: 'connecting' })
    await breakOff(...Array.from({ length: 3 }, () => new TypeError('Failed to fetch')))
    for (let n = 1; n <= 3; n++) await polledThenPass(n, 60_000)
    await recorded({ reason: 'failing', since: NOW, heard_at: null, polls_from: 0 })
  })

  test('that has never been open is not said to have broken off', async () => {
    await breakOff(json(502, {}))
    await vi.waitFor(() => expect(polls).toBe(1))
    await recorded({ kind: 'polling', reason: 'connecting', polls_from: 0 })
  })

  test('after 50 s of silence is cut, and heartbeats keep it', async () => {
    const stream = await open()
    pass(SILENCE_TIMEOUT - 1)
    stream.write(':\n\n')
    await recorded({ heard_at: time.now() })
    pass(SILENCE_TIMEOUT - 1)
    expect(stream.isClosed()).toBe(false)
    pass(1)
    await recorded({ kind: 'polling', reason: 'reconnecting' })
    expect(stream.isClosed()).toBe(true)
  })

  test('because the device slept is cut at the first event from before, whose prices are not taken for new ones', async () => {
    const stream = await open()
    time.moveTo(NOW + 40_000)
    stream.send('prices', { source: 'simulated', now: NOW + 1_000, prices: { bitcoin: [5, NOW, null] } })
    await vi.waitFor(() => expect(stream.isClosed()).toBe(true))
    expect(await held()).toBeUndefined()
  })
})

describe('a stream that does not open', () => {
  test.each([
    ['a server of an earlier version', json(404, { detail: 'Not found', error_code: 'NO_SUCH_ROUTE' })],
    ['a server that answers any 404', new Response('<html>', { status: 404 })],
  ])('at %s is recorded as unsupported, and tried again after minutes or when the user is back', async (_, answer) => {
    await breakOff(answer.clone())
    await polledThenPass(1, 60_000)
    await recorded({ kind: 'polling', reason: 'unsupported', polls_from: 0 })
    await timed()
    pass(5 * 60_000 - 1)
    expect(server.requests).toHaveLength(2)
    keeper.nudge()
    await server.opened(2)
  })

  test('because a proxy holds events back is cut after eight seconds and recorded so', async () => {
    await server.opened(1)
    await timed()
    pass(FIRST_EVENT_TIMEOUT)
    await recorded({ kind: 'polling', reason: 'held-back' })
    expect(polls).toBe(1)
  })

  test('because nothing answers is recorded as failing, and as held back where other requests are answered', async () => {
    const state = { last_success_at: NOW, last_failure_at: null, problem: null, problems: {}, unreachable_since: null }
    await writeMeta(env.db, 'sync_state', state)
    await breakOff('silence', 'silence')
    for (let n = 1; n <= 2; n++) {
      await polledThenPass(n, 60_000)
      await vi.waitFor(() => expect(server.requests).toHaveLength(n + 1))
      await timed()
      pass(FIRST_EVENT_TIMEOUT)
    }
    await recorded({ kind: 'polling', reason: 'held-back' })
  })

  test.each([204, 200])(
    'at a program that answers %d without a stream counts as failing, not as a fault here',
    async (status) => {
      await breakOff(new Response(null, { status }))
      await polledThenPass(1, 8_000)
      await vi.waitFor(() => expect(polls).toBe(2))
      expect(failures).toEqual([])
      await recorded({ kind: 'polling', reason: 'connecting' })
    },
  )

  test('with a Retry-After is not asked for before it', async () => {
    await breakOff(json(503, { detail: '…', error_code: 'STREAM_UNAVAILABLE' }, { 'retry-after': '45' }))
    await polledThenPass(1, 8_000)
    await polledThenPass(2, 44_999)
    expect(server.requests).toHaveLength(2)
    pass(1)
    await server.opened(2)
  })
})

test('a stopped keeper closes its stream and asks for no other', async () => {
  const stream = await open()
  await keeper.stop()
  expect(stream.isClosed()).toBe(true)
  pass(600_000)
  expect(server.requests).toHaveLength(1)
})

test('a record that a stopped tab has left is not believed for longer than a minute', () => {
  expect(STREAM_STALE_AFTER).toBeGreaterThan(SILENCE_TIMEOUT)
  expect(STREAM_STALE_AFTER).toBeLessThanOrEqual(60_000)
})

/** The pauses after so many streams that end alike, one after another. */
function pausesAfter(count: number, end: Extract<KeeperEvent, { kind: 'ended' }>['end'], random: number, lasted = 0) {
  let state = FIRST_STREAM
  return Array.from({ length: count }, () => {
    state = reduceKeeper(state, { kind: 'ended', end, lasted, isReached: false, random })
    const { reason, wait } = state as Extract<KeeperState, { kind: 'pausing' }>
    state = reduceKeeper(state, { kind: 'pause-over' })
    return [reason, wait]
  })
}

test.each([0, 0.5, 0.999])('a thousand streams lost at once come back over seven seconds', (random) => {
  expect(pausesAfter(1, { kind: 'broken' }, random, 30_000)).toEqual([
    ['reconnecting', 1_000 + Math.round(random * 7_000)],
  ])
})

test('a stream that ends after a moment, again and again, is asked for ever more rarely, at most once a minute', () => {
  const waits = [4_500, 8_000, 15_000, 29_000, 30_500, 30_500]
  expect(pausesAfter(6, { kind: 'broken' }, 0.5)).toEqual(waits.map((wait) => ['reconnecting', wait]))
  expect(pausesAfter(20, { kind: 'broken' }, 0.999).at(-1)![1]).toBeLessThanOrEqual(60_000)
})
