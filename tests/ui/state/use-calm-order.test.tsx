import { act, fireEvent, renderHook } from '@testing-library/react'
import { createStore, Provider } from 'jotai'
import type { ReactNode } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import { pricesAtom } from '../../../src/state/live-data'
import { useCalmOrder } from '../../../src/state/use-calm-order'
import { alertsView, widgetView } from '../../support/widget-view'
import { coinNumber } from '../support/local-app'
import { pricesRow } from '../../support/price-row'

beforeEach(() => void vi.useFakeTimers())

const [ONE, OTHER, UNIT] = [coinNumber(0), coinNumber(1), coinNumber(2)]
const widgets = [ONE, OTHER].map((coinA) =>
  widgetView({ key: coinA.name, coinA, coinB: UNIT, alerts: alertsView({ high: { threshold: 3 } }) }),
)

test('prices do not change a computed order until five seconds after the last touch or scroll', () => {
  const store = createStore()
  const list = { current: document.createElement('div') }
  const priced = (first: number, second: number) =>
    act(() => store.set(pricesAtom, pricesRow({ [ONE.id]: first, [OTHER.id]: second, [UNIT.id]: 1 })))
  priced(2, 1)
  const { result } = renderHook(() => useCalmOrder(widgets, 'near', list), {
    wrapper: ({ children }: { readonly children: ReactNode }) => <Provider store={store}>{children}</Provider>,
  })
  expect(result.current).toEqual(['Bitcoin', 'Ethereum'])

  fireEvent.touchStart(list.current)
  priced(1, 2)
  act(() => void vi.advanceTimersByTime(4_000))
  fireEvent.scroll(window)
  act(() => void vi.advanceTimersByTime(4_000))
  expect(result.current).toEqual(['Bitcoin', 'Ethereum'])
  act(() => void vi.advanceTimersByTime(1_000))
  expect(result.current).toEqual(['Ethereum', 'Bitcoin'])
})
