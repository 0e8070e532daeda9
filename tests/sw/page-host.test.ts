import { expect, test, vi } from 'vitest'
import { pageHost } from '../../src/app/bridge/page-host'
import type { LocalDatabase } from '../../src/db/database'

const MODULE = '../../src/app/bridge/page-engine'
const db = {} as LocalDatabase

test('an engine that could not be loaded is loaded with the next request, and once only', async () => {
  const createPageEngine = vi.fn(() => ({ sync: async () => 42, history: async () => undefined }))
  const host = pageHost(db)
  vi.doMock(MODULE, () => {
    throw new Error('Failed to fetch dynamically imported module')
  })
  await expect(host.sync('start')).rejects.toThrow()

  vi.doMock(MODULE, () => ({ createPageEngine }))
  expect(await Promise.all([host.sync('online'), host.sync('tick')])).toEqual([42, 42])
  expect(createPageEngine).toHaveBeenCalledExactlyOnceWith(db)
})
