import { expect, test, vi } from 'vitest'
import { pageHost } from '../../src/app/bridge/start-bridge'
import type { LocalDatabase } from '../../src/db/database'

const MODULE = '../../src/app/bridge/page-engine'
const db = {} as LocalDatabase

test('the page host loads its engine again at the next request after a failed load, and only once', async () => {
  const createPageEngine = vi.fn(() => ({ sync: async () => 42, call: async () => undefined }))
  const host = pageHost(db)
  vi.doMock(MODULE, () => {
    throw new Error('Failed to fetch dynamically imported module')
  })
  await expect(host.sync('start')).rejects.toThrow()

  vi.doMock(MODULE, () => ({ createPageEngine }))
  expect(await Promise.all([host.sync('online'), host.sync('tick')])).toEqual([42, 42])
  expect(createPageEngine).toHaveBeenCalledExactlyOnceWith(db)
})
