import { renderHook } from '@testing-library/react'
import { createStore, Provider } from 'jotai'
import { expect, test, vi } from 'vitest'
import type { HeldChange } from '../../../src/db/held-change'
import { type Services, ServicesContext } from '../../../src/state/services'
import { localNoticesAtom } from '../../../src/state/toasts'
import { useHold } from '../../../src/state/use-command'

test('a component that may hold a change is rendered, and the toast shown, before the local database is open', () => {
  const db = vi.fn(() => {
    throw new Error('The local database is not open yet.')
  })
  const commands = Object.defineProperty({ now: () => 0 }, 'db', { get: db })
  const store = createStore()
  const { result } = renderHook(useHold, {
    wrapper: ({ children }) => (
      <Provider store={store}>
        <ServicesContext value={{ commands } as unknown as Services}>{children}</ServicesContext>
      </Provider>
    ),
  })
  const hold = result.current('BTC / ETH removed.')
  expect(hold.ms).toBe(11_000)
  hold.onHeld({ at: 0, written: [] } as unknown as HeldChange)
  expect(store.get(localNoticesAtom).map(({ message }) => message)).toEqual(['BTC / ETH removed.'])
  expect(db).not.toHaveBeenCalled()
})
