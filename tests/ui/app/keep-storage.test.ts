import { createStore } from 'jotai'
import { expect, test, vi } from 'vitest'
import { keepStorage } from '../../../src/app/start-background'
import type { BoardView } from '../../../src/db/view'
import { boardAtom } from '../../../src/state/live-data'
import { widgetView } from '../../support/widget-view'
import { catchReports } from '../support/reports'

const board = (count: number): BoardView => ({
  owner: 'anon-1' as BoardView['owner'],
  account: 'guest',
  widgets: Array.from({ length: count }, (_, index) => widgetView({ key: String(index) })),
  limits: { max_widgets: 5, max_checkpoints_per_widget: 1 },
  loaded: true,
  changes: [],
  layout: 'idle',
  ids: {},
})

function start(persisted: boolean) {
  const persist = vi.fn(() => Promise.resolve(true))
  vi.stubGlobal('navigator', { storage: { persist, persisted: () => Promise.resolve(persisted) } })
  const reports = catchReports()
  const store = createStore()
  keepStorage(store)
  return { persist, store, reports }
}

test('the app requests persistent storage once, and only when the board holds a pair', async () => {
  const { persist, store } = start(false)
  store.set(boardAtom, board(0))
  await Promise.resolve()
  expect(persist).not.toHaveBeenCalled()
  store.set(boardAtom, board(1))
  store.set(boardAtom, board(2))
  await vi.waitFor(() => expect(persist).toHaveBeenCalledOnce())
})

test('the app does not request persistent storage that the browser has granted already', async () => {
  const { persist, store, reports } = start(true)
  store.set(boardAtom, board(1))
  await new Promise((resolve) => setTimeout(resolve))
  expect(persist).not.toHaveBeenCalled()
  expect(reports).toEqual([])
})
