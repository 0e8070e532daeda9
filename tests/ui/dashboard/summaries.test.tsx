import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { FedDashboard } from '../support/fed'
import { seedCoins, seedLimit, seedPrices, seedWidgets, START, startLocalApp, summaryOf } from '../support/local-app'
import { catchReports } from '../support/reports'
import { HOUR } from '../../../src/domain/granularity'
import { nowAtom, pricesAtom } from '../../../src/state/live-data'
import type { WorkerApi } from '../../../workers/api'

const dashboard = <FedDashboard />

async function board(summaries: WorkerApi['summaries']) {
  const app = await startLocalApp({ summaries })
  await seedCoins(app, 6)
  await seedLimit(app, 2)
  await seedWidgets(app, 3)
  await seedPrices(app, { 0: 10, 1: 5 })
  return app
}

it('card summaries of the last day come from the worker, for the active pairs only', async () => {
  const asked: string[][] = []
  const app = await board((pairs) => {
    asked.push(pairs.map(({ coinA, coinB }) => `${coinA}/${coinB}`))
    return Promise.resolve([summaryOf(0, 1), summaryOf(2, 3, { change24h: -0.05, trend: 0 })])
  })
  app.render(dashboard)
  const first = within(await screen.findByRole('article', { name: 'BTC / ETH' }))
  expect(await first.findByText('+1.23%')).toBeDefined()
  expect(first.getByText('2 of 3 steps up')).toBeDefined()
  const second = within(screen.getByRole('article', { name: 'C2 / C3' }))
  expect(second.getByText('−5.00%')).toBeDefined()
  expect(second.getByText('flat')).toBeDefined()
  expect(new Set(asked.flat())).toEqual(new Set(['bitcoin/ethereum', 'coin-2/coin-3']))
})

it('card summaries are requested again at an unchanged price once the day has moved on by five minutes', async () => {
  let asked = 0
  const app = await board(() => {
    asked += 1
    return Promise.resolve([summaryOf(0, 1)])
  })
  app.render(dashboard)
  await screen.findByText('+1.23%')
  const before = asked
  app.setNow(START + 5 * 60_000)
  await seedPrices(app, { 0: 10, 1: 5 }, START + 3)
  await waitFor(() => expect(app.store.get(pricesAtom)?.polled_at).toBe(START + 3))
  expect(asked).toBe(before)
  await seedPrices(app, { 0: 10, 1: 5 }, START + 5 * 60_000)
  await waitFor(() => expect(asked).toBe(before + 1))
})

it('card summaries are requested again each hour without any price, since closes grow old meanwhile', async () => {
  let asked = 0
  const app = await board(() => {
    asked += 1
    return Promise.resolve([summaryOf(0, 1)])
  })
  app.render(dashboard)
  await screen.findByText('+1.23%')
  const before = asked
  for (const [now, requests] of [
    [START + HOUR - 1, before],
    [START + HOUR, before + 1],
    [START + 30 * HOUR, before + 2],
  ] as const) {
    app.setNow(now)
    act(() => app.store.set(nowAtom, now))
    await waitFor(() => expect(asked).toBe(requests))
  }
})

it('card summaries are requested at once when other daily closes are stored', async () => {
  let asked = 0
  const app = await board(() => {
    asked += 1
    return Promise.resolve([summaryOf(0, 1)])
  })
  app.render(dashboard)
  await screen.findByText('+1.23%')
  const before = asked
  const row = {
    key: 'usd',
    source: 'simulated',
    matrix: new ArrayBuffer(0),
    last_day: 20_000,
    fetched_at: START,
  } as const
  await app.db.daily_closes.put({ ...row, etag: 'W/"1"' })
  await waitFor(() => expect(asked).toBe(before + 1))
  // The same closes, confirmed once more.
  await app.db.daily_closes.put({ ...row, etag: 'W/"1"', fetched_at: START + 1 })
  await app.db.daily_closes.put({ ...row, etag: 'W/"2"', fetched_at: START + 2 })
  await waitFor(() => expect(asked).toBe(before + 2))
})

it('card summaries follow prices of the second at most every 20 s, and another pair or newer history at once', async () => {
  let asked = 0
  const app = await board((pairs) => {
    asked += 1
    return Promise.resolve(pairs.map((pair) => ({ ...summaryOf(0, 1), ...pair })))
  })
  await seedPrices(app, { 0: 10, 1: 5, 2: 1, 3: 1, 4: 1, 5: 1 })
  app.render(dashboard)
  const card = within(await screen.findByRole('article', { name: 'BTC / ETH' }))
  await card.findByText('+1.23%')
  const before = asked
  for (let second = 1; second <= 3; second += 1) {
    app.setNow(START + second * 1_000)
    await seedPrices(app, { 0: 10 + second, 1: 5, 2: 1, 3: 1, 4: 1, 5: 1 }, START + second * 1_000)
    await card.findByText(`$1${second}.00`)
  }
  expect(asked).toBe(before)
  await seedLimit(app, 3)
  await waitFor(() => expect(asked).toBe(before + 1))
  app.setNow(START + 23_000)
  await seedPrices(app, { 0: 20, 1: 5, 2: 1, 3: 1, 4: 1, 5: 1 }, START + 23_000)
  await waitFor(() => expect(asked).toBe(before + 2))
})

it('card summaries read "n.a." when the worker fails, and come with the next price', async () => {
  const reports = catchReports()
  let works = false
  const app = await board(() =>
    works ? Promise.resolve([summaryOf(0, 1)]) : Promise.reject(new Error('The worker broke')),
  )
  app.render(dashboard)
  const card = within(await screen.findByRole('article', { name: 'BTC / ETH' }))
  // Change and trend; since checkpoint says so anyway, as there is none.
  await waitFor(() => expect(card.getAllByText('n.a.').length).toBe(3))
  expect(new Set(reports.map(String))).toEqual(new Set(['Error: The worker broke']))
  works = true
  app.setNow(START + 75_000)
  await seedPrices(app, { 0: 11, 1: 5 }, START + 75_000)
  expect(await card.findByText('+1.23%')).toBeDefined()
})

it('card summaries stay on the screen when a later request fails', async () => {
  const reports = catchReports()
  let works = true
  const app = await board(() => (works ? Promise.resolve([summaryOf(0, 1)]) : Promise.reject(new Error('broke'))))
  app.render(dashboard)
  const card = within(await screen.findByRole('article', { name: 'BTC / ETH' }))
  await card.findByText('+1.23%')
  works = false
  app.setNow(START + 75_000)
  await seedPrices(app, { 0: 11, 1: 5 }, START + 75_000)
  await waitFor(() => expect(reports.length).toBe(1))
  expect(card.getByText('+1.23%')).toBeDefined()
})

it('card summaries show at once when the dashboard is opened again', async () => {
  let calls = 0
  const app = await board(() =>
    (calls += 1) === 1 ? Promise.resolve([summaryOf(0, 1)]) : new Promise(() => undefined),
  )
  const first = app.render(dashboard)
  await screen.findByText('+1.23%')
  first.unmount()
  app.render(dashboard)
  expect(screen.getByText('+1.23%')).toBeDefined()
})
