import { describe, expect, test, vi } from 'vitest'
import { engineVia, askWorker, HostUnavailable, serviceWorkerFirst } from '../../src/app/bridge/engine-host'
import { registerPeriodicRefresh } from '../../src/app/bridge/registration'
import { isStorageFull, StorageFull } from '../../src/db/quota-eviction'
import type { CoinId } from '../../src/domain/ids'
import { answerPage, type Engine, flushOutbox, pagePort, readRequest } from '../../src/sync/engine'
import { REFRESH_TAG, SyncFailed } from '../../src/sync/protocol'

const HISTORY = { id: 'bitcoin' as CoinId, period: '7d' } as const
/** `Engine.call` answers each route in its own type; these tests look at the way alone. */
type AnyCall = (route: string, input: object) => Promise<unknown>
const engine = (change: { sync?: Engine['sync']; call?: AnyCall } = {}): Engine =>
  ({
    sync: async () => 42,
    call: async () => ({ ok: false, status: 0, error_code: null, message: 'Not asked for.' }),
    ...change,
  }) as Engine
/** A service worker that answers by the real protocol over real channels. */
const workerWith = (engine: Engine): ServiceWorker =>
  ({
    postMessage(data: unknown, [port]: [MessagePort]) {
      const request = readRequest(structuredClone(data))
      if (request !== null) void answerPage(engine, request, pagePort(port))
    },
  }) as unknown as ServiceWorker
/** The page's engine: the service worker, and for requests that it does not accept the web worker. */
const hostOf = (serviceWorker: () => ServiceWorker | null, webWorker: Engine = engine()): Engine =>
  engineVia(
    serviceWorkerFirst(
      async () => serviceWorker(),
      (request) => askWorker(workerWith(webWorker), request, 60_000),
    ),
  )
const servedBy = (engine: Engine): Engine => hostOf(() => workerWith(engine))

test('the service worker’s engine runs the page’s sync and history requests and returns when a sync is due next', async () => {
  const call = vi.fn(async () => ({ ok: true, value: null }))
  const host = servedBy(engine({ call }))
  expect(await host.sync('start')).toBe(42)
  expect(await host.call('historical', HISTORY)).toEqual({ ok: true, value: null })
  expect(call).toHaveBeenCalledWith('historical', HISTORY)
})

test('the page waits for the service worker as long as signs of life arrive, and rejects when they stop', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
  const slow = () => new Promise<number>((resolve) => setTimeout(() => resolve(42), 300_000))
  const done = servedBy(engine({ sync: slow })).sync('online')
  const stopped = { postMessage: (_: unknown, [port]: [MessagePort]) => port.postMessage({ kind: 'accepted' }) }
  const never = hostOf(() => stopped as unknown as ServiceWorker).sync('online')
  const refused = expect(never).rejects.toThrow('The background worker was stopped.')
  for (let waited = 0; waited <= 300_000; waited += 5_000) {
    // Messages travel in real time.
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
    await vi.advanceTimersByTimeAsync(5_000)
  }
  await Promise.all([expect(done).resolves.toBe(42), refused])
})

test('a failure in the service worker reaches the page with its message', async () => {
  const host = servedBy(engine({ call: () => Promise.reject(new Error('No such coin.')) }))
  await expect(host.call('historical', HISTORY)).rejects.toThrow('No such coin.')
})

test('a StorageFull failure in the service worker reaches the page as StorageFull', async () => {
  const full = servedBy(engine({ sync: () => Promise.reject(new StorageFull(new Error('Quota.'))) }))
  const reason: unknown = await full.sync('tick').catch((error: unknown) => error)
  expect(reason).toMatchObject({
    name: 'StorageFull',
    message: expect.stringContaining('Storage on this device is full'),
  })
  expect(isStorageFull(reason)).toBe(true)
})

test('a failed sync in the service worker reaches the page with its error and the time at which something is due', async () => {
  const full = new StorageFull(new Error('Quota.'))
  const host = servedBy(engine({ sync: () => Promise.reject(new SyncFailed(full, 42)) }))
  const reason: unknown = await host.sync('tick').catch((error: unknown) => error)
  expect(reason).toMatchObject({ nextDueAt: 42, cause: { name: 'StorageFull', message: full.message } })
  expect(isStorageFull((reason as SyncFailed).cause)).toBe(true)
})

test('the web worker’s engine syncs and calls where a service worker of an earlier version does not know the words', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const [old, call] = [vi.fn(), vi.fn(async () => sent)]
  const earlier = {
    postMessage: (data: object, [port]: [MessagePort]) =>
      'type' in data && (old(), port.postMessage({ type: 'accepted' })),
  } as unknown as ServiceWorker
  const host = hostOf(() => earlier, engine({ call }))
  const both = Promise.all([host.sync('start'), host.call('resendVerification', { email: 'ada@example.com' })])
  await vi.advanceTimersByTimeAsync(4_000)
  expect(await both).toEqual([42, sent])
  expect(old).not.toHaveBeenCalled()
  expect(call).toHaveBeenCalledOnce()
})

test('the web worker’s engine syncs while there is no active service worker, and the service worker does the next sync', async () => {
  const webWorker = vi.fn(async () => 7)
  let active: ServiceWorker | null = null
  const host = hostOf(() => active, engine({ sync: webWorker }))
  expect(await host.sync('start')).toBe(7)
  active = workerWith(engine())
  expect(await host.sync('tick')).toBe(42)
  expect(webWorker).toHaveBeenCalledTimes(1)
})

test('a service worker that does not accept a request within four seconds counts as unavailable', async () => {
  vi.useFakeTimers()
  const deaf = { postMessage: () => undefined } as unknown as ServiceWorker
  const asked = askWorker(deaf, { kind: 'sync', reason: 'start' }, 4_000)
  const refused = expect(asked).rejects.toBeInstanceOf(HostUnavailable)
  await vi.advanceTimersByTimeAsync(4_000)
  await refused
})

test('the web worker’s engine does not repeat a sync that failed in the service worker', async () => {
  const webWorker = vi.fn(async () => 7)
  const host = hostOf(
    () => workerWith(engine({ sync: () => Promise.reject(new Error('Storage is full.')) })),
    engine({ sync: webWorker }),
  )
  await expect(host.sync('start')).rejects.toThrow('Storage is full.')
  expect(webWorker).not.toHaveBeenCalled()
})

const sent = { ok: true, value: { message: 'Sent.' } } as const
const grant = { ok: true, value: { id: 'a grant' } } as const

describe.each([
  { what: 'account request', route: 'resendVerification', input: { email: 'ada@example.com' }, answer: sent },
  {
    what: 'question whose answer is not stored',
    route: 'grantPremium',
    input: { id: 'ada', duration_days: 30 },
    answer: grant,
  },
] as const)('page request: $what', ({ route, input, answer }) => {
  const counted = () => {
    const asked = vi.fn(async () => answer)
    return { asked, engine: engine({ call: asked }) }
  }
  const put = (host: Engine): Promise<unknown> => (host.call as AnyCall)(route, input)

  test('a page request is handled once, by the service worker, and its answer comes back', async () => {
    const [worker, webWorker] = [counted(), counted()]
    const host = hostOf(() => workerWith(worker.engine), webWorker.engine)
    expect(await put(host)).toEqual(answer)
    expect(worker.asked).toHaveBeenCalledExactlyOnceWith(route, input)
    expect(webWorker.asked).not.toHaveBeenCalled()
  })

  test('the web worker handles a request when the service worker wakes too late, and the late worker skips that request', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const [worker, webWorker] = [counted(), counted()]
    let wake: () => void = () => undefined
    const sleepy = {
      postMessage(data: unknown, transfer: [MessagePort]) {
        wake = () => workerWith(worker.engine).postMessage(data, transfer)
      },
    } as unknown as ServiceWorker
    const asked = put(hostOf(() => sleepy, webWorker.engine))
    await vi.advanceTimersByTimeAsync(4_000)
    expect(await asked).toEqual(answer)
    wake()
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve))
    await vi.advanceTimersByTimeAsync(20_000)
    expect(worker.asked).not.toHaveBeenCalled()
    expect(webWorker.asked).toHaveBeenCalledOnce()
    vi.useRealTimers()
  })

  test('no other engine repeats a request when the service worker was stopped after accepting the request', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const webWorker = counted()
    const stopped = { postMessage: (_: unknown, [port]: [MessagePort]) => port.postMessage({ kind: 'accepted' }) }
    const host = hostOf(() => stopped as unknown as ServiceWorker, webWorker.engine)
    const refused = expect(put(host)).rejects.toThrow('The background worker was stopped.')
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve))
    await vi.advanceTimersByTimeAsync(60_000)
    await refused
    expect(webWorker.asked).not.toHaveBeenCalled()
    vi.useRealTimers()
  })

  test('a page request fails when a service worker of another version gives an answer of an unknown type', async () => {
    const other = {
      postMessage(_: unknown, [port]: [MessagePort]) {
        port.postMessage({ kind: 'accepted' })
        port.postMessage({ kind: 'prophesied' })
      },
    } as unknown as ServiceWorker
    expect(await put(hostOf(() => other))).toMatchObject({ ok: false, status: 0, error_code: null })
  })
})

test.each([
  { input: {} },
  { route: 'take-over-the-world', input: {} },
  { route: 'logIn' },
  { route: 'logIn', input: null },
])('the service worker rejects an account request or question of another version: %j', (other) => {
  expect(readRequest({ kind: 'call', ...other })).toBeNull()
  const call = { kind: 'call', route: 'resendVerification', input: { email: 'ada@example.com' } }
  expect(readRequest(call)).toEqual(call)
})

describe('periodic price refresh', () => {
  const page = (state: PermissionState) => {
    const register = vi.fn(async () => undefined)
    let isReady: (worker: unknown) => void = () => undefined
    const ready = new Promise((resolve) => (isReady = resolve))
    const permissions = { query: async () => ({ state }) }
    vi.stubGlobal('navigator', { serviceWorker: { ready }, permissions })
    return { register, installed: () => isReady({ active: {}, periodicSync: { register } }) }
  }
  test('periodic price refresh is registered for every 12 hours on the first visit, once the worker is installed', async () => {
    const { register, installed } = page('granted')
    const registered = registerPeriodicRefresh()
    expect(register).not.toHaveBeenCalled()
    installed()
    await registered
    expect(register).toHaveBeenCalledWith(REFRESH_TAG, { minInterval: 12 * 60 * 60_000 })
  })

  test('periodic price refresh is not registered when the browser denies the permission', async () => {
    const { register, installed } = page('denied')
    installed()
    await registerPeriodicRefresh()
    expect(register).not.toHaveBeenCalled()
  })
})

test('Background Sync runs a sync, and rejects while entries wait so that the browser tries again', async () => {
  const sync = vi.fn(async () => null)
  await flushOutbox(engine({ sync }), async () => true)
  expect(sync).toHaveBeenCalledWith('background')
  await expect(flushOutbox(engine({ sync }), async () => false)).rejects.toThrow()
})

test('Background Sync stays for a change that is held for its Undo, whose tab may have been closed', async () => {
  vi.useFakeTimers()
  const dues = [Date.now() + 31_000, Date.now() + 300_000]
  const sync = vi.fn(async () => dues.shift() ?? null)
  const flushed = flushOutbox(engine({ sync }), async () => sync.mock.calls.length === 2)
  await vi.advanceTimersByTimeAsync(30_999)
  expect(sync).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(1)
  await expect(flushed).resolves.toBeUndefined()
  vi.useRealTimers()
})
