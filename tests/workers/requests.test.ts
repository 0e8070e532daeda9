import { beforeEach, expect, test, vi } from 'vitest'
import { askWorker } from '../../src/app/bridge/engine-host'
import { LocalDatabase } from '../../src/db/database'
import { type Serve, requestListener } from '../../workers/requests'

/** A web worker that answers over real channels; a test says how the code of its engine loads. */
const thread = (load: () => Promise<Serve>): Pick<Worker, 'postMessage'> => {
  const listen = requestListener(load)
  return {
    postMessage: ((data: unknown, ports: MessagePort[]) =>
      listen({ data: structuredClone(data), ports })) as Worker['postMessage'],
  }
}
const sync = { kind: 'sync', reason: 'start' } as const
const serve: Serve = (_, port) => port.postMessage({ kind: 'synced', nextDueAt: 42 })

beforeEach(() => vi.stubGlobal('location', { origin: 'https://app.example' }))

test('the web worker loads its engine with the first request, again after a failed load, and then once for all', async () => {
  const load = vi.fn(async () => serve).mockRejectedValueOnce(new Error('This chunk is gone.'))
  const worker = thread(load)
  expect(load).not.toHaveBeenCalled()
  await expect(askWorker(worker, sync, 60_000)).rejects.toThrow('This chunk is gone.')
  const both = await Promise.all([askWorker(worker, sync, 60_000), askWorker(worker, sync, 60_000)])
  expect(both).toEqual([
    { kind: 'synced', nextDueAt: 42 },
    { kind: 'synced', nextDueAt: 42 },
  ])
  expect(load).toHaveBeenCalledTimes(2)
})

test('calls of the charts do not load the engine of the web worker', () => {
  const load = vi.fn(async () => serve)
  thread(load).postMessage({ id: '1', type: 'APPLY', path: ['chart'], argumentList: [] }, [new MessageChannel().port1])
  expect(load).not.toHaveBeenCalled()
})

test('the web worker’s engine answers a page’s request, and its stream waits for a visible page and says that polling goes on', async () => {
  const fetch = vi.fn(() => Promise.reject(new TypeError('Failed to fetch')))
  vi.stubGlobal('fetch', fetch)
  const db = new LocalDatabase(`host-${Math.random()}`)
  const { createHost } = await import('../../workers/engine')
  const host = createHost(db)
  const worker = thread(async () => host)
  expect(await askWorker(worker, sync, 60_000)).toMatchObject({ kind: 'synced' })
  const { port1, port2 } = new MessageChannel()
  worker.postMessage({ kind: 'stream' }, [port2])
  port1.postMessage('visible')
  await vi.waitFor(async () => expect(await db.meta.get('stream')).toMatchObject({ value: { kind: 'polling' } }))
  port1.close()
  await db.delete()
})
