import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { lazyBridge } from '../../../src/app/bridge/lazy-bridge'
import type { Bridge } from '../../../src/app/bridge/start-bridge'

const calls: string[] = []
const bridge: Bridge = {
  requestSync: (reason) => void calls.push(`sync ${reason}`),
  requestHistory: async (coin, period) => void calls.push(`history ${coin} ${period}`),
  account: async ({ kind }) => {
    calls.push(`account ${kind}`)
    return { ok: true, message: null }
  },
  ask: async ({ kind }) => {
    calls.push(`ask ${kind}`)
    return { ok: false, status: 403, error_code: 'FORBIDDEN', message: 'No.' }
  },
  applyUpdate: () => void calls.push('update'),
}
const reported = vi.fn()
beforeEach(() => {
  calls.length = 0
  reported.mockClear()
  vi.useFakeTimers()
  vi.stubGlobal('reportError', reported)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})
const gone = () => Promise.reject(new Error('This chunk is gone.'))
const history = { coin: 'bitcoin' as never, period: '1d' as const }

test('the lazy bridge loads its code at once and only once, and carries out calls made before the code is there', async () => {
  const load = vi.fn(async () => bridge)
  const lazy = lazyBridge(load)
  expect(load).toHaveBeenCalledOnce()
  lazy.requestSync('start')
  lazy.applyUpdate()
  await lazy.requestHistory(history.coin, history.period)
  expect(await lazy.account({ kind: 'load-policies' })).toEqual({ ok: true, message: null })
  expect(await lazy.ask({ kind: 'open-portal' })).toMatchObject({ ok: false, status: 403 })
  expect(calls).toEqual(['sync start', 'update', 'history bitcoin 1d', 'account load-policies', 'ask open-portal'])
  expect(load).toHaveBeenCalledOnce()
})

test('a requested sync outlives a failed load of the bridge’s code, and is carried out after 15 seconds', async () => {
  const load = vi.fn<() => Promise<Bridge>>(gone).mockImplementationOnce(gone).mockResolvedValue(bridge)
  const lazy = lazyBridge(load)
  lazy.requestSync('start')
  await vi.advanceTimersByTimeAsync(14_999)
  expect(calls).toEqual([])
  expect(reported).toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(calls).toEqual(['sync start'])
})

test('a history request fails while the bridge’s code cannot be loaded, and the next request loads the code', async () => {
  const lazy = lazyBridge(vi.fn<() => Promise<Bridge>>(gone).mockImplementationOnce(gone).mockResolvedValue(bridge))
  await expect(lazy.requestHistory(history.coin, history.period)).rejects.toThrow('This chunk is gone.')
  await lazy.requestHistory(history.coin, history.period)
  expect(calls).toEqual(['history bitcoin 1d'])
})

test('account and server requests fail when the bridge’s code cannot be loaded, and are not sent later', async () => {
  const lazy = lazyBridge(vi.fn<() => Promise<Bridge>>(gone).mockImplementationOnce(gone).mockResolvedValue(bridge))
  const nothing = { ok: false, status: 0, error_code: null, message: 'This chunk is gone.' }
  expect(await Promise.all([lazy.account({ kind: 'load-policies' }), lazy.ask({ kind: 'open-portal' })])).toEqual([nothing, nothing]) // prettier-ignore
  expect(calls).toEqual([])
})
