import { afterEach, describe, expect, test, vi } from 'vitest'
import { registerPeriodicRefresh } from '../../src/app/bridge/background'
import { type EngineHost, HostSilent } from '../../src/app/bridge/host'
import { eitherHost } from '../../src/app/bridge/host-choice'
import { workerHost } from '../../src/app/bridge/worker-host'
import { isStorageFull, StorageFull } from '../../src/db/storage-full'
import type { CoinId } from '../../src/domain/ids'
import { answerPage } from '../../src/sync/answer-page'
import { askingPage } from '../../src/sync/asking-page'
import type { Engine } from '../../src/sync/engine'
import { readRequest, REFRESH_TAG } from '../../src/sync/protocol'
import { SyncFailed } from '../../src/sync/sync-failed'
import { flushOutbox } from '../../sw/background'

const BITCOIN = 'bitcoin' as CoinId
const engine = (change: Partial<Engine> = {}): Engine => ({
  sync: async () => 42,
  history: async () => undefined,
  account: async () => ({ ok: true, message: null }),
  ask: async () => ({ ok: false, status: 0, error_code: null, message: 'Not asked for.' }),
  ...change,
})
/** A service worker that answers by the real protocol over real channels. */
const workerWith = (engine: Engine): ServiceWorker =>
  ({
    postMessage(data: unknown, [port]: [MessagePort]) {
      const request = readRequest(structuredClone(data))
      if (request !== null) void answerPage(engine, request, askingPage(port))
    },
  }) as unknown as ServiceWorker
const hostOf = (engine: Engine): EngineHost => workerHost(async () => workerWith(engine))

describe('engine in the service worker', () => {
  test('the service worker’s engine runs the page’s sync and history requests and returns when a sync is due next', async () => {
    const history = vi.fn(async () => undefined)
    const host = hostOf(engine({ history }))
    expect(await host.sync('start')).toBe(42)
    await host.history(BITCOIN, '7d')
    expect(history).toHaveBeenCalledWith(BITCOIN, '7d')
  })

  test('the page waits for the service worker as long as signs of life arrive, and rejects when they stop', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
    const slow = () => new Promise<number>((resolve) => setTimeout(() => resolve(42), 300_000))
    const done = hostOf(engine({ sync: slow })).sync('online')
    const stopped = { postMessage: (_: unknown, [port]: [MessagePort]) => port.postMessage({ type: 'accepted' }) }
    const never = workerHost(async () => stopped as unknown as ServiceWorker).sync('online')
    const refused = expect(never).rejects.toThrow('The service worker was stopped.')
    for (let waited = 0; waited <= 300_000; waited += 5_000) {
      // Messages travel in real time.
      for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
      await vi.advanceTimersByTimeAsync(5_000)
    }
    await Promise.all([expect(done).resolves.toBe(42), refused])
    vi.useRealTimers()
  })

  test('a failure in the service worker reaches the page with its message', async () => {
    const host = hostOf(engine({ history: () => Promise.reject(new Error('No such coin.')) }))
    await expect(host.history(BITCOIN, '7d')).rejects.toThrow('No such coin.')
  })

  test('a StorageFull failure in the service worker reaches the page as StorageFull', async () => {
    const full = hostOf(engine({ sync: () => Promise.reject(new StorageFull(new Error('Quota.'))) }))
    const reason: unknown = await full.sync('tick').catch((error: unknown) => error)
    expect(reason).toMatchObject({ name: 'StorageFull', message: expect.stringContaining('Storage on this device is full') }) // prettier-ignore
    expect(isStorageFull(reason)).toBe(true)
  })
})

describe('failed sync in the service worker', () => {
  test('a failed sync in the service worker reaches the page with its error and the time at which something is due', async () => {
    const full = new StorageFull(new Error('Quota.'))
    const host = hostOf(engine({ sync: () => Promise.reject(new SyncFailed(full, 42)) }))
    const reason: unknown = await host.sync('tick').catch((error: unknown) => error)
    expect(reason).toMatchObject({ nextDueAt: 42, cause: { name: 'StorageFull', message: full.message } })
    expect(isStorageFull((reason as SyncFailed).cause)).toBe(true)
  })
})

describe('service worker that does not take the request', () => {
  test('the page’s engine syncs while there is no active service worker, and the worker does the next sync', async () => {
    const page = vi.fn(async () => 7)
    let active: ServiceWorker | null = null
    const host = eitherHost(
      workerHost(async () => active),
      engine({ sync: page }),
    )
    expect(await host.sync('start')).toBe(7)
    active = workerWith(engine())
    expect(await host.sync('tick')).toBe(42)
    expect(page).toHaveBeenCalledTimes(1)
  })

  test('a service worker that does not accept a request within four seconds counts as unavailable', async () => {
    vi.useFakeTimers()
    const deaf = { postMessage: () => undefined } as unknown as ServiceWorker
    const asked = workerHost(async () => deaf).sync('start')
    const refused = expect(asked).rejects.toBeInstanceOf(HostSilent)
    await vi.advanceTimersByTimeAsync(4_000)
    await refused
    vi.useRealTimers()
  })

  test('the page’s engine does not repeat a sync that failed in the service worker', async () => {
    const page = vi.fn(async () => 7)
    const host = eitherHost(
      hostOf(engine({ sync: () => Promise.reject(new Error('Storage is full.')) })),
      engine({ sync: page }),
    )
    await expect(host.sync('start')).rejects.toThrow('Storage is full.')
    expect(page).not.toHaveBeenCalled()
  })
})

const request = { kind: 'resend-verification', email: 'ada@example.com' } as const
const question = { kind: 'grant-premium', user: 'ada', days: 30 } as const
const sent = { ok: true, message: 'Sent.' } as const
const granted = { ok: true, value: { id: 'a grant' } } as const

describe.each([
  {
    what: 'account request',
    counted: () => {
      const asked = vi.fn(async () => sent)
      return { asked, engine: engine({ account: asked }) }
    },
    put: (host: EngineHost): Promise<unknown> => host.account(request),
    given: request,
    answer: sent,
  },
  {
    what: 'question whose answer is not stored',
    counted: () => {
      const asked = vi.fn(async () => granted)
      return { asked, engine: engine({ ask: asked as unknown as Engine['ask'] }) }
    },
    put: (host: EngineHost): Promise<unknown> => host.ask(question),
    given: question,
    answer: granted,
  },
])('page request: $what', ({ counted, put, given, answer }) => {
  test('a page request is handled once, by the service worker, and its answer comes back', async () => {
    const [worker, page] = [counted(), counted()]
    const host = eitherHost(hostOf(worker.engine), page.engine)
    expect(await put(host)).toEqual(answer)
    expect(worker.asked).toHaveBeenCalledExactlyOnceWith(given)
    expect(page.asked).not.toHaveBeenCalled()
  })

  test('the page handles a request when the service worker wakes too late, and the late worker skips that request', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const [worker, page] = [counted(), counted()]
    let wake: () => void = () => undefined
    const sleepy = {
      postMessage(data: unknown, transfer: [MessagePort]) {
        wake = () => workerWith(worker.engine).postMessage(data, transfer)
      },
    } as unknown as ServiceWorker
    const asked = put(
      eitherHost(
        workerHost(async () => sleepy),
        page.engine,
      ),
    )
    await vi.advanceTimersByTimeAsync(4_000)
    expect(await asked).toEqual(answer)
    wake()
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve))
    await vi.advanceTimersByTimeAsync(20_000)
    expect(worker.asked).not.toHaveBeenCalled()
    expect(page.asked).toHaveBeenCalledOnce()
    vi.useRealTimers()
  })

  test('the page does not repeat a request when the service worker was stopped after accepting the request', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const page = counted()
    const stopped = { postMessage: (_: unknown, [port]: [MessagePort]) => port.postMessage({ type: 'accepted' }) }
    const host = eitherHost(
      workerHost(async () => stopped as unknown as ServiceWorker),
      page.engine,
    )
    const refused = expect(put(host)).rejects.toThrow('The service worker was stopped.')
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve))
    await vi.advanceTimersByTimeAsync(60_000)
    await refused
    expect(page.asked).not.toHaveBeenCalled()
    vi.useRealTimers()
  })

  test('a page request fails when a service worker of another version gives an answer of an unknown type', async () => {
    const other = {
      postMessage(_: unknown, [port]: [MessagePort]) {
        port.postMessage({ type: 'accepted' })
        port.postMessage({ type: 'prophesied' })
      },
    } as unknown as ServiceWorker
    expect(await put(workerHost(async () => other))).toMatchObject({ ok: false, status: 0, error_code: null })
  })
})

test.each([{}, { kind: 'take-over-the-world' }, null, 'log-in'])(
  'the service worker rejects an account request or question of another version: %j',
  (other) => {
    expect(readRequest({ type: 'account', request: other })).toBeNull()
    expect(readRequest({ type: 'account', request })).toEqual({ type: 'account', request })
    expect(readRequest({ type: 'question', question: other })).toBeNull()
    expect(readRequest({ type: 'question', question })).toEqual({ type: 'question', question })
  },
)

describe('periodic price refresh', () => {
  const page = (state: PermissionState) => {
    const register = vi.fn(async () => undefined)
    let isReady: (worker: unknown) => void = () => undefined
    const ready = new Promise((resolve) => (isReady = resolve))
    const permissions = { query: async () => ({ state }) }
    vi.stubGlobal('navigator', { serviceWorker: { ready }, permissions })
    return { register, installed: () => isReady({ active: {}, periodicSync: { register } }) }
  }
  afterEach(() => vi.unstubAllGlobals())

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
