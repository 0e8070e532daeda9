import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ensureIdentity } from '../../src/db/identity'
import { addWidget, removeWidget } from '../../src/db/commands/widgets'
import type { CommandContext } from '../../src/db/command'
import { readMeta, writeMeta } from '../../src/db/database'
import { readBoard } from '../../src/db/board-rows'
import type { CoinId } from '../../src/domain/ids'
import { ownStream } from '../../src/sync/stream/own-stream'
import { NOW, testContext } from '../db/support/entries'
import { fakeLocks } from './support/fake-locks'
import { streamServer } from './support/stream-server'
import { virtualTime, type VirtualTime } from './support/virtual-time'
import { SETTINGS, wiredEnv } from './support/wire'

/** One tab as far as the stream sees it. */
interface Tab {
  readonly show: (visible: boolean) => void
  readonly online: () => void
}

let context: CommandContext
let server: ReturnType<typeof streamServer>
let time: VirtualTime
let locks: ReturnType<typeof fakeLocks>
let polling: number
let failures: unknown[]

beforeEach(async () => {
  context = testContext()
  server = streamServer()
  time = virtualTime(NOW)
  locks = fakeLocks()
  polling = 0
  failures = []
  await ensureIdentity(context, new Uint8Array(24))
})
afterEach(() => {
  expect(failures).toEqual([])
})

function openTab(name: string, tabLocks = locks.forContext(name)): Tab {
  const wired = wiredEnv(context.db, { '/api/v1/stream': (request) => server.handle(request) })
  const env = { ...wired, now: time.now, timer: time.timer, locks: tabLocks }
  const tell = ownStream({ env, onPolling: () => (polling += 1), onFailure: (error) => failures.push(error) })
  tell('visible')
  return { show: (visible) => tell(visible ? 'visible' : 'hidden'), online: () => tell('online') }
}
const settings = (price_url = '/api/v3') => {
  const config = { ...SETTINGS, market_data: { ...SETTINGS.market_data, price_url } }
  return writeMeta(context.db, 'config', { config: config as never, fetched_at: NOW })
}
const recorded = (state: object) =>
  vi.waitFor(async () => expect(await readMeta(context.db, 'stream')).toMatchObject(state))
const open = async (count: number) => {
  const stream = await server.opened(count)
  stream.send('open', { pull: true, now: time.now() })
  await recorded({ kind: 'live' })
  return stream
}
/** The first stream sends a heartbeat so many milliseconds after the start. */
const heard = async (after: number) => {
  time.moveTo(NOW + after)
  server.streams[0]!.write(':\n\n')
  await recorded({ heard_at: NOW + after })
}
/** Waits until the tab does something at that time, and moves there. */
const passTo = async (ms: number) => {
  await vi.waitFor(() => expect(time.next()).toBe(NOW + ms))
  time.moveTo(NOW + ms)
}
const isClosed = (count: number) => vi.waitFor(() => expect(server.streams[count - 1]!.isClosed()).toBe(true))

test('no stream is opened before the settings say where prices come from, and then one', async () => {
  openTab('one')
  await recorded({ kind: 'polling' })
  expect(server.streams).toHaveLength(0)
  await settings()
  await open(1)
})

test('a stream lasts through a minute in the background, then ends with the record saying why, and comes back with the user', async () => {
  await settings()
  const tab = openTab('one')
  await open(1)
  tab.show(false)
  await heard(40_000)
  expect(server.streams[0]!.isClosed()).toBe(false)
  time.moveTo(NOW + 60_000)
  await isClosed(1)
  await recorded({ reason: 'hidden' })
  expect(locks.isHeld('stream')).toBe(false)
  tab.show(true)
  await open(2)
})

test('a tab that is seen again within the minute keeps its stream beyond it', async () => {
  await settings()
  const tab = openTab('one')
  await open(1)
  tab.show(false)
  await heard(40_000)
  tab.show(true)
  await heard(60_000)
  expect(server.streams[0]!.isClosed()).toBe(false)
})

test('a second tab waits for the stream of the first, and opens its own once the first lets go', async () => {
  await settings()
  const first = openTab('one')
  await open(1)
  openTab('two')
  await new Promise((resolve) => setImmediate(resolve))
  expect(server.requests).toHaveLength(1)
  first.show(false)
  time.moveTo(NOW + 60_000)
  await isClosed(1)
  await open(2)
})

test('a network that is back opens the stream anew', async () => {
  await settings()
  const tab = openTab('one')
  await open(1)
  tab.online()
  await isClosed(1)
  await open(2)
})

test('another coin on the board opens the stream anew for all of them, and settings with other prices for none', async () => {
  await settings()
  openTab('one')
  await open(1)
  await addWidget(context, { coinA: 'bitcoin' as CoinId, coinB: 'ethereum' as CoinId })
  await passTo(300)
  expect((await open(2)).url.searchParams.get('coins')).toBe('bitcoin,ethereum')
  await settings('https://api.coingecko.com/api/v3')
  await passTo(600)
  expect((await open(3)).url.searchParams.get('coins')).toBeNull()
})

test('a coin that is added and taken away within a moment changes nothing in the stream', async () => {
  await settings()
  openTab('one')
  await open(1)
  await addWidget(context, { coinA: 'bitcoin' as CoinId, coinB: 'ethereum' as CoinId })
  await vi.waitFor(() => expect(time.next()).toBe(NOW + 300))
  const [added] = (await readBoard(context.db))!.widgets
  await removeWidget(context, added!.id)
  await vi.waitFor(() => expect(time.next()).not.toBe(NOW + 300))
  time.moveTo(NOW + 300)
  await addWidget(context, { coinA: 'solana' as CoinId, coinB: 'cardano' as CoinId })
  await passTo(600)
  expect((await open(2)).url.searchParams.get('coins')).toBe('cardano,solana')
})

test('a tab that is hidden in the moment in which it gets the lock opens no stream and passes the lock on', async () => {
  await settings()
  let grant = (): void => undefined
  const granted = new Promise<void>((resolve) => (grant = resolve))
  const one = locks.forContext('one')
  // The browser has given the lock already when the tab gives up its wait.
  const tab = openTab('one', { request: (name, body) => one.request(name, () => granted.then(body)) })
  await vi.waitFor(() => expect(locks.isHeld('stream')).toBe(true))
  tab.show(false)
  grant()
  await vi.waitFor(() => expect(locks.isHeld('stream')).toBe(false))
  openTab('two')
  await open(1)
  expect(server.requests).toHaveLength(1)
})

test('a sign-in opens the stream anew with the user’s token, and the end of a session closes it', async () => {
  await settings()
  openTab('one')
  await open(1)
  const session = (await context.db.session.get('current'))!
  const user = { ...session, owner: 'user-1' as never, tokens: { access: 'a', refresh: 'r' } }
  await context.db.session.put(user)
  expect((await open(2)).headers).toMatchObject({ Authorization: 'Bearer a' })
  await context.db.session.put({ ...user, tokens: null })
  await isClosed(2)
  await recorded({ kind: 'polling' })
})

test('a stream that cannot be opened says that polling goes on', async () => {
  await settings()
  server.refuse(new TypeError('Failed to fetch'))
  openTab('one')
  await vi.waitFor(() => expect(polling).toBe(1))
})
