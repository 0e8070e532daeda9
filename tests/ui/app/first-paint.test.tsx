import { createStore } from 'jotai'
import { expect, test } from 'vitest'
import { readFirstPaint } from '../../../src/app/first-paint'
import { writeMeta } from '../../../src/db/database'
import { type FirstRead, readFirstRows } from '../../../src/db/first-rows'
import { changePushRegistration } from '../../../src/db/push-registration'
import type { SessionRow } from '../../../src/db/rows'
import { anonymousId } from '../../../src/domain/ids'
import { accountAtom } from '../../../src/state/account'
import { dashboardChoiceAtom } from '../../../src/state/dashboard-choice'
import { boardAtom, nowAtom, pricesAtom } from '../../../src/state/live-data'
import { pushDeclinedAtom, pushStateAtom } from '../../../src/state/push'
import { tierLimitsAtom } from '../../../src/state/server-settings'
import { appWithPair } from '../support/app-with-pair'
import { seedLimit, START } from '../support/local-app'
import { catchReports } from '../support/reports'
import { fakeBrowser } from './push/browser'

const owner = anonymousId(START, new Uint8Array(24))
const guest: SessionRow = { key: 'current', owner, tokens: null, user: null, anonymous_id: owner }

async function firstPaint(read: () => Promise<FirstRead>) {
  const store = createStore()
  await readFirstPaint(store, { now: () => START, guest, isWelcomed: false, read })
  return store
}

test('the board, its view, the prices, the limits and the time are read from the database before the first paint', async () => {
  const { app } = await appWithPair({ prices: { 0: 100_000, 1: 4_000 }, seed: (app) => seedLimit(app, 7) })
  await writeMeta(app.db, 'dashboard', { view: 'list', order: 'near', keys: true })
  await changePushRegistration(app.db, () => ({ off: true }))
  fakeBrowser()
  const store = await firstPaint(() => readFirstRows(app.db.name))
  expect(store.get(accountAtom)).toEqual(app.store.get(accountAtom))
  expect(store.get(dashboardChoiceAtom)).toEqual({ view: 'list', order: 'near', keys: true })
  expect(store.get(boardAtom)?.widgets.map((widget) => widget.coinA.symbol)).toEqual(['BTC'])
  expect(store.get(pricesAtom)?.polled_at).toBe(START)
  expect(store.get(tierLimitsAtom)?.free.max_widgets).toBe(7)
  expect(store.get(nowAtom)).toBe(START)
  expect([store.get(pushDeclinedAtom), store.get(pushStateAtom)]).toEqual([true, 'off'])
})

test('a first visit paints the empty board of the guest who is stored after it', async () => {
  const store = await firstPaint(async () => ({ kind: 'none' }))
  expect(store.get(accountAtom)).toMatchObject({ owner, account: 'guest' })
  expect(store.get(boardAtom)).toMatchObject({ owner, widgets: [], loaded: false })
})

test('a database that another version made is not shown before it is upgraded', async () => {
  const store = await firstPaint(async () => ({ kind: 'other-version' }))
  expect(store.get(accountAtom)).toBeUndefined()
})

test('the first paint does not wait for a database that hangs', async () => {
  const store = await firstPaint(() => new Promise(() => {}))
  expect(store.get(boardAtom)).toBeUndefined()
})

test('the first paint comes without a database that fails, and the failure is reported', async () => {
  const reports = catchReports()
  const failure = new Error('InvalidStateError')
  const store = await firstPaint(() => Promise.reject(failure))
  expect(store.get(boardAtom)).toBeUndefined()
  expect(reports).toEqual([failure])
})
