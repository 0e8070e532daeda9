import { createStore } from 'jotai'
import { expect, test, vi } from 'vitest'
import { backgroundFailure } from '../../../src/app/start-background'
import { StorageFull } from '../../../src/db/quota-eviction'
import { localNoticesAtom } from '../../../src/state/toasts'
import { catchReports } from '../support/reports'

test('a failure in the background is only reported, except that full storage also shows a toast, once', async () => {
  const reports = catchReports()
  const store = createStore()
  const toasts = () => store.get(localNoticesAtom).map(({ kind, message }) => `${kind}: ${message}`)
  const failed = backgroundFailure(store)
  failed(new Error('Something else.'))
  failed(new StorageFull(new Error('The disk is full.')))
  await vi.waitFor(() => expect(toasts()).toHaveLength(1))
  store.set(localNoticesAtom, [])
  // As it comes from another thread.
  failed(Object.assign(new Error('Full.'), { name: 'QuotaExceededError' }))
  await vi.waitFor(() => expect(reports).toHaveLength(3))
  await vi.dynamicImportSettled()
  expect(toasts()).toEqual([])
  const fresh = createStore()
  backgroundFailure(fresh)(Object.assign(new Error('Full.'), { name: 'StorageFull' }))
  await vi.waitFor(() =>
    expect(fresh.get(localNoticesAtom).map(({ kind, message }) => `${kind}: ${message}`)).toEqual([
      'error: Storage on this device is full. Free some space and try again.',
    ]),
  )
})
