import { beforeEach, expect, test, vi } from 'vitest'
import { lazyBridge } from '../../../src/app/lazy-services'
import type { Bridge } from '../../../src/app/bridge/start-bridge'

const calls: string[] = []
const bridge: Bridge = {
  requestSync: (reason) => void calls.push(`sync ${reason}`),
  call: async (route) => {
    calls.push(`call ${route}`)
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
const gone = () => Promise.reject(new Error('This chunk is gone.'))
const history = { id: 'bitcoin' as never, period: '1d' as const }

test('the lazy bridge loads its code at once and only once, and carries out calls made before the code is there', async () => {
  const load = vi.fn(async () => bridge)
  const lazy = lazyBridge(load)
  expect(load).toHaveBeenCalledOnce()
  lazy.requestSync('start')
  lazy.applyUpdate()
  await lazy.call('historical', history)
  expect(await lazy.call('createPortalSession', {})).toMatchObject({ ok: false, status: 403 })
  expect(calls).toEqual(['sync start', 'update', 'call historical', 'call createPortalSession'])
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
  expect(await lazy.call('historical', history)).toMatchObject({ ok: false, status: 0, message: 'This chunk is gone.' })
  await lazy.call('historical', history)
  expect(calls).toEqual(['call historical'])
})

test('account and server requests fail when the bridge’s code cannot be loaded, and are not sent later', async () => {
  const lazy = lazyBridge(vi.fn<() => Promise<Bridge>>(gone).mockImplementationOnce(gone).mockResolvedValue(bridge))
  const nothing = { ok: false, status: 0, error_code: null, message: 'This chunk is gone.' }
  expect(await Promise.all([lazy.call('currentPolicies', {}), lazy.call('createPortalSession', {})])).toEqual([
    nothing,
    nothing,
  ])
  expect(calls).toEqual([])
})
