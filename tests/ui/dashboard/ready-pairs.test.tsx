import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import type { ReadyPairAnswer } from '../../../src/contract/market'
import { readBoard } from '../../../src/db/board-rows'
import { FedDashboard } from '../support/fed'
import { seedLimit, START, startLocalApp, noticesOf } from '../support/local-app'

const dashboard = <FedDashboard />
const PLACE = { days: 90, below: 78, low: 0.02, median: 0.03, high: 0.04 }
const pair = (a: string, b: string, values: Partial<ReadyPairAnswer>) =>
  ({ coin_a_id: a, coin_b_id: b, ratio: 0.035, place: PLACE, ...values }) as ReadyPairAnswer
const ANSWER = [
  pair('ethereum', 'bitcoin', {}),
  pair('solana', 'ethereum', { place: null }),
  pair('binancecoin', 'ethereum', { ratio: null, place: null }),
]
const cardOf = async (title: string) =>
  within((await screen.findByRole('heading', { level: 3, name: title })).closest('li')!)

it('three ready pairs show ratio and place where the server knows them, and say so where it does not', async () => {
  const app = await startLocalApp()
  app.answerCall('readyPairs', () => ({ ok: true, value: ANSWER }))
  app.render(dashboard)
  const first = await cardOf('ETH / BTC')
  expect(await first.findByText('0.035000')).toBeDefined()
  expect(first.getByText('87th percentile of 90 days')).toBeDefined()
  const bar = first.getByRole('img', { name: '90 days: low 0.020000, median 0.030000, high 0.040000' })
  expect([...bar.children].map((mark) => (mark as HTMLElement).style.left)).toEqual(['50%', '75%'])
  const second = await cardOf('SOL / ETH')
  expect(second.getByText('0.035000')).toBeDefined()
  expect(second.getByText('Its last 90 days are not known yet.')).toBeDefined()
  expect(second.queryByRole('img')).toBeNull()
  expect((await cardOf('BNB / ETH')).getByText('No price is known at the moment.')).toBeDefined()
})

it('one press adds a ready pair by its symbols, before any list of coins has come, and its card takes the focus', async () => {
  const app = await startLocalApp()
  await seedLimit(app, 5)
  app.render(dashboard)
  await userEvent.click((await cardOf('SOL / ETH')).getByRole('button', { name: 'Add SOL / ETH' }))
  const card = await screen.findByRole('article', { name: 'SOL / ETH' })
  await waitFor(() => expect(document.activeElement).toBe(card))
  expect(screen.queryByText("You haven't added any crypto pairs yet.")).toBeNull()
  const board = await readBoard(app.db)
  expect(board?.widgets.map(({ coinA, coinB }) => [coinA.id, coinA.name, coinB.id])).toEqual([
    ['solana', 'Solana', 'ethereum'],
  ])
  expect(board?.changes.map(({ title }) => title)).toEqual(['Add SOL/ETH'])
  expect(app.syncs).toContain('command')
})

it('offline, ready pairs are offered without figures and can be added', async () => {
  const app = await startLocalApp()
  app.answerCall('readyPairs', () => ({ ok: false, status: 0, error_code: null, message: 'offline' }))
  app.render(dashboard)
  const first = await cardOf('ETH / BTC')
  expect(await first.findByText('The ratio shows once the server can be reached.')).toBeDefined()
  await userEvent.click(first.getByRole('button', { name: 'Add ETH / BTC' }))
  expect(await screen.findByRole('article', { name: 'ETH / BTC' })).toBeDefined()
})

it('ready pairs ask again as often as prices are polled, and show no ratio that could not be asked for again', async () => {
  const app = await startLocalApp()
  app.answerCall('readyPairs', () => ({ ok: true, value: ANSWER }))
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setInterval', 'clearInterval'] })
  app.render(dashboard)
  const first = await cardOf('ETH / BTC')
  expect(await first.findByText('0.035000')).toBeDefined()
  app.answerCall('readyPairs', () => ({ ok: true, value: [pair('ethereum', 'bitcoin', { ratio: 0.036 })] }))
  await act(() => vi.advanceTimersByTimeAsync(75_000))
  expect(await first.findByText('0.036000')).toBeDefined()
  app.answerCall('readyPairs', () => ({ ok: false, status: 0, error_code: null, message: 'offline' }))
  await act(() => vi.advanceTimersByTimeAsync(75_000))
  expect(await first.findByText('The ratio shows once the server can be reached.')).toBeDefined()
  expect(first.queryByText('0.036000')).toBeNull()
})

const figures = (ratio: number) => ({ ok: true, value: [pair('ethereum', 'bitcoin', { ratio })] }) as const

it('ready pairs seen again after more than 75 seconds show no old ratio, and ask for the present one at once', async () => {
  const app = await startLocalApp()
  app.answerCall('readyPairs', () => figures(0.035))
  app.render(dashboard)
  const first = await cardOf('ETH / BTC')
  expect(await first.findByText('0.035000')).toBeDefined()
  const seen = (visibility: 'visible' | 'hidden') => {
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(visibility)
    act(() => void document.dispatchEvent(new Event('visibilitychange')))
  }
  seen('hidden')
  app.setNow(START + 60_000)
  seen('visible')
  expect(first.queryByText('0.035000')).not.toBeNull()
  expect(app.calls).toHaveLength(1)

  seen('hidden')
  app.setNow(START + 3 * 3_600_000)
  let answer: () => void = () => {}
  app.answerCall('readyPairs', async () => {
    await new Promise<void>((resolve) => (answer = resolve))
    return figures(0.036)
  })
  seen('visible')
  expect(first.queryByText('0.035000')).toBeNull()
  await waitFor(() => expect(app.calls).toHaveLength(2))
  await act(async () => answer())
  expect(await first.findByText('0.036000')).toBeDefined()
})

it('ready pairs that leave the screen and come back show no ratio before they have asked again', async () => {
  const app = await startLocalApp()
  app.answerCall('readyPairs', () => figures(0.035))
  const { unmount } = app.render(dashboard)
  expect(await (await cardOf('ETH / BTC')).findByText('0.035000')).toBeDefined()
  unmount()
  app.answerCall('readyPairs', () => new Promise(() => {}))
  app.render(dashboard)
  const first = await cardOf('ETH / BTC')
  await waitFor(() => expect(app.calls).toHaveLength(2))
  expect(first.queryByText('0.035000')).toBeNull()
})

it('a ready pair that cannot be added says why', async () => {
  const app = await startLocalApp()
  await seedLimit(app, 0)
  app.render(dashboard)
  await userEvent.click((await cardOf('ETH / BTC')).getByRole('button', { name: 'Add ETH / BTC' }))
  await waitFor(() => expect(noticesOf(app)[0]?.message).toMatch(/^Maximum number of widgets \(0\) reached/))
})
