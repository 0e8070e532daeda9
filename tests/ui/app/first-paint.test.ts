import { createStore } from 'jotai'
import { expect, test, vi } from 'vitest'
import { readFirstPaint } from '../../../src/app/first-paint'
import { storeMeta } from '../../../src/db/write-transaction'
import { dashboardChoiceAtom } from '../../../src/state/dashboard-choice'
import { boardAtom, nowAtom, pricesAtom } from '../../../src/state/live-data'
import { appWithPair } from '../support/app-with-pair'
import { START, startLocalApp } from '../support/local-app'

test('the board, its view, the prices and the time are read from the database before the first paint', async () => {
  const { app } = await appWithPair({ prices: { 0: 100_000, 1: 4_000 } })
  await storeMeta(app.db, 'dashboard', { view: 'list', order: 'near', keys: true })
  const store = createStore()
  await readFirstPaint(store, app.db, () => START, false)
  expect(store.get(dashboardChoiceAtom)).toEqual({ view: 'list', order: 'near', keys: true })
  expect(store.get(boardAtom)?.widgets.map((widget) => widget.coinA.symbol)).toEqual(['BTC'])
  expect(store.get(pricesAtom)?.polled_at).toBe(START)
  expect(store.get(nowAtom)).toBe(START)
})

test('the first paint does not wait for a database that hangs or fails', async () => {
  const app = await startLocalApp()
  const store = createStore()
  vi.spyOn(app.db, 'transaction').mockReturnValue(new Promise(() => {}) as never)
  await readFirstPaint(store, app.db, () => START, false)
  expect(store.get(boardAtom)).toBeUndefined()

  vi.spyOn(app.db, 'transaction').mockRejectedValue(new Error('InvalidStateError'))
  await readFirstPaint(store, app.db, () => START, false)
  expect(store.get(boardAtom)).toBeUndefined()
})
