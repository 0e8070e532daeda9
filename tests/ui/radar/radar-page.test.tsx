import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ChanceRequest, RadarAnswer, RadarRequest, WorkerApi } from '../../../workers/api'
import type { ChanceCount } from '../../../src/domain/chance-of-extremes'
import { writeMeta } from '../../../src/db/database'
import { matrixLayout } from '../../../src/features/radar/matrix/matrix-drawing'
import { radarAtom } from '../../../src/features/radar/radar-data'
import { RadarPage } from '../../../src/features/radar/radar-page'
import { seedCoins, seedPrices, seedWidgets, START, startLocalApp } from '../support/local-app'
import { fed } from '../support/fed'
import { catchReports } from '../support/reports'
import { setWidth } from '../support/viewport'
import { MONEY, radarAnswer, wave, young } from './radar-market'

const page = fed(<RadarPage pairLink={(coinA, coinB) => ({ href: `/radar/${coinA}/${coinB}`, state: null })} />)

const COURSES = [wave(0), wave(9), wave(-14), wave(3), young(40)]

async function openRadar(
  answer: () => RadarAnswer | Promise<RadarAnswer> = () => radarAnswer(COURSES),
  own: [number, number][] = [],
  chance: WorkerApi['chance'] = () => Promise.resolve(null),
) {
  const requests: RadarRequest[] = []
  const app = await startLocalApp({
    radar: async (request) => {
      requests.push(request)
      return answer()
    },
    chance,
  })
  await seedCoins(app, 6)
  await seedPrices(app, { 0: 1 })
  const limits = { max_widgets: 5, max_checkpoints_per_widget: 1, radar_coins: 20 }
  await writeMeta(app.db, 'tier_limits', {
    limits: { free: limits, premium: { ...limits, radar_coins: 100 } },
    fetched_at: START,
  })
  await seedWidgets(app, own)
  app.render(page)
  return { app, requests }
}

const pairs = () => within(screen.getByRole('region', { name: 'Pairs' }))
const names = () =>
  pairs()
    .getAllByRole('listitem')
    .map((row) => within(row).getByRole('link').textContent)

beforeEach(() => history.replaceState(null, '', '/radar'))
afterEach(() => {
  setWidth(1024)
  history.replaceState(null, '', '/')
})

describe('Radar', () => {
  it('lists every pair as a link, the furthest from its average first, with figures in words', async () => {
    await openRadar()
    const row = within((await screen.findAllByRole('listitem'))[0]!)
    expect(row.getByRole('link', { name: 'C3 / ETH' }).getAttribute('href')).toBe('/radar/coin-3/ethereum')
    expect(row.getByText('lowest')).toBeDefined()
    expect(row.getByText(/^−\d\.\d\dσ ·/).textContent).toMatch(/−\d\.\d\dσ · −\d\.\d\u00A0%$/)
    expect(row.getByText('Nov 20').textContent).toBe('close of Nov 20')
    expect(names().length).toBe(10)
    expect(screen.getByText(/Closes/).closest('p')?.textContent).toBe('10 pairs · 90 days · Closes up to Nov 20')
    expect(pairs().getAllByText('39 of 60 days needed').length).toBe(4)
  })
  it('says how many pairs stand far out, and once the worker has counted, how many chance puts there', async () => {
    const asked: ChanceRequest[] = []
    let answer: (found: ChanceCount) => void = () => {}
    await openRadar(undefined, [], (request) => {
      asked.push(request)
      return new Promise((resolve) => (answer = resolve))
    })
    await screen.findByText('4 of 6 pairs beyond 2σ.')
    await waitFor(() => expect(asked).toHaveLength(1))
    expect(asked[0]).toMatchObject({ window: 90, line: 'deviations' })
    expect(asked[0]!.a.length).toBe(10)
    await act(async () => answer({ median: 1, low: 0, high: 4 }))
    const line = await screen.findByText(/beyond 2σ; the same days/)
    expect(line.textContent).toBe('4 of 6 pairs beyond 2σ; the same days in shuffled order put 1 there (0 to 4).')
    await userEvent.setup().click(screen.getByRole('button', { name: '1 y' }))
    await screen.findByText(/^\d of 6 pairs beyond 2σ\.$/)
  })
  it('calls a price live for 15 minutes, then by its time, and marks no extreme while closes are behind', async () => {
    const answer = radarAnswer(COURSES)
    answer.live.fill(1)
    const [live, old] = [START - 15 * 60_000, START - 16 * 60_000]
    answer.pricedAt.set([live, live, old, live, live])
    const { app } = await openRadar(() => answer)
    const row = (name: string) => screen.getByRole('link', { name }).closest('li')!
    await screen.findByRole('link', { name: 'C3 / ETH' })
    expect(row('C3 / ETH').dataset['extreme']).toBe('low')
    await vi.waitFor(() => expect(within(row('C3 / ETH')).getByText('live')).toBeDefined())
    expect(within(row('C2 / BTC')).getByText(/^\d\d:44$/)).toBeDefined()
    act(() => {
      const data = app.store.get(radarAtom)
      if (data?.kind !== 'ready') throw new Error('There is no market.')
      const age = { ...data.market.age, daysBehind: 2, closes: 'behind' } as const
      app.store.set(radarAtom, { ...data, market: { ...data.market, age } })
    })
    expect(row('C3 / ETH').dataset['extreme']).toBeUndefined()
  })
  it('asks for the tier’s coins and those of the own pairs, and shows an own pair as the dashboard does', async () => {
    const { requests } = await openRadar(undefined, [[0, 2]])
    const link = await screen.findByRole('link', { name: 'BTC / C2' })
    expect(link.parentElement?.textContent).toContain('on your dashboard')
    expect(requests.at(-1)).toEqual({ ranked: 20, own: ['bitcoin', 'coin-2'] })
  })
  it('keeps every choice in the address, and shows what an address names', async () => {
    await openRadar()
    const user = userEvent.setup()
    await screen.findAllByRole('listitem')
    await user.selectOptions(screen.getByRole('combobox', { name: 'Order' }), 'By name')
    await user.click(screen.getByRole('button', { name: '1 y' }))
    await user.type(screen.getByRole('searchbox', { name: 'Search coins' }), 'btc')
    expect(location.search).toBe('?window=365&sort=name&q=btc')
    await waitFor(() => expect(names()).toEqual(['C2 / BTC', 'C3 / BTC', 'ETH / BTC', 'C4 / BTC']))
    act(() => history.replaceState(null, '', '/radar?q=c3+eth'))
    await waitFor(() => expect(names()).toEqual(['C3 / ETH']))
  })
  it('says nowhere that a pair reverts or trends', async () => {
    setWidth(1440, 900)
    await openRadar()
    await screen.findAllByRole('listitem')
    expect(screen.queryByRole('button', { name: 'Filters' })).toBeNull()
    const matrix = screen.getByRole('application')
    act(() => matrix.focus())
    await userEvent.keyboard('{Home}{PageUp}{ArrowRight}{ArrowRight}')
    expect(document.body.textContent).toContain('from average')
    expect(document.body.textContent).not.toMatch(/revert|trending|half-life/i)
  })
  it('counts the pegged pairs that it hides, and shows their distance in per cent at a press', async () => {
    await openRadar(() => radarAnswer(MONEY))
    const line = (await screen.findByText(/hidden/)).closest('p')!
    expect(line.textContent).toBe(
      '2 pegged pairs and 5 of the same money hidden · show pegged pairs · What pegged means',
    )
    expect(names().length).toBe(3)
    await userEvent.click(screen.getByRole('button', { name: 'show pegged pairs' }))
    expect(location.search).toBe('?pegged=shown')
    expect(names().length).toBe(10)
    const row = screen.getByRole('link', { name: 'C3 / BTC' }).closest('li')!
    expect(row.textContent).toMatch(/From average [+−]?0\.\d\d\u00A0%/)
    expect(row.textContent).not.toContain('σ')
  })
  it('names a coin without trading beside the list that leaves it out', async () => {
    const { firstDay } = radarAnswer(MONEY)
    await openRadar(() => radarAnswer(MONEY, 5, new Map([[1, firstDay + 325]])))
    expect(await screen.findByText('ETH: no trading seen since Oct 12')).toBeDefined()
    expect(names()).toEqual(['C2 / BTC'])
  })
  it('says which filter leaves no pair, and gives it up at a press', async () => {
    history.replaceState(null, '', '/radar?q=dogs')
    await openRadar()
    await userEvent.click(await screen.findByRole('button', { name: 'Clear "dogs" (10 pairs)' }))
    expect(names().length).toBe(10)
    expect(location.search).toBe('')
  })
  it('names what the tier lacks, with the way to Premium', async () => {
    history.replaceState(null, '', '/radar?scope=top100')
    await openRadar()
    const note = await screen.findByText(/^Your plan ranks the 20 best coins/)
    await waitFor(() => expect(note.textContent).toContain('Premium ranks 100.'))
    expect(within(note).getByRole('button', { name: 'See Premium' })).toBeDefined()
    expect(names().length).toBe(10)
  })
  it('shows the matrix in place of the list in a narrow window, and keeps that in the address', async () => {
    setWidth(800)
    await openRadar()
    await userEvent.click(await screen.findByRole('button', { name: 'Open matrix' }))
    expect(location.search).toBe('?view=matrix')
    expect(screen.getByRole('application')).toBeDefined()
    expect(screen.queryByRole('region', { name: 'Pairs' })).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: 'List' }))
    expect(names().length).toBe(10)
  })
  it('says why there is nothing before the daily closes have come, and asks for them', async () => {
    const { app } = await openRadar(() => ({ kind: 'none' }))
    expect(await screen.findByText('Waiting for the daily closes')).toBeDefined()
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(app.syncs).toEqual(['command'])
  })
  it('shows the figures as soon as a matrix is stored', async () => {
    let answer: RadarAnswer = { kind: 'none' }
    const { app } = await openRadar(() => answer)
    await screen.findByText('Waiting for the daily closes')
    answer = radarAnswer(COURSES)
    await app.db.daily_closes.put({
      key: 'usd',
      source: 'simulated',
      matrix: new ArrayBuffer(0),
      etag: null,
      last_day: 1,
      fetched_at: 1,
    })
    expect((await screen.findAllByRole('listitem')).length).toBe(10)
  })
  it('shows the error when the figures cannot be computed', async () => {
    const reports = catchReports()
    await openRadar(() => Promise.reject(new Error('no memory')))
    expect(await screen.findByText('no memory')).toBeDefined()
    expect(reports).toEqual([new Error('no memory')])
  })
  it('says up to which day the closes are known when the newest day is missing', async () => {
    const answer = radarAnswer(COURSES)
    await openRadar(() => ({ ...answer, firstDay: answer.firstDay - 2 }))
    expect((await screen.findByText(/the newest day/)).textContent).toContain(
      'up to Nov 18; the newest day has not come yet',
    )
  })
  it('the matrix is one tab stop whose keys walk the cells and have them said, and Enter opens the pair', async () => {
    setWidth(1440, 900)
    await openRadar()
    const matrix = await screen.findByRole('application', { name: 'Matrix of 5 × 5 coins' })
    act(() => matrix.focus())
    const user = userEvent.setup()
    await user.keyboard('{Home}{PageUp}{ArrowRight}{ArrowRight}')
    const said = () => screen.getAllByRole('status').map((status) => status.textContent)
    expect(
      said().some((words) =>
        /^BTC \/ C2: \+\d\.\d\dσ · \+\d+\u00A0% from average, (\d+\w\w percentile|highest)$/.test(words),
      ),
    ).toBe(true)
    await user.keyboard('{Enter}')
    expect(location.pathname).toBe('/radar/bitcoin/coin-2')
  })
  it('a click with the mouse on a cell of the matrix opens the pair of its row in its column', async () => {
    setWidth(1440, 900)
    await openRadar()
    const matrix = await screen.findByRole('application', { name: 'Matrix of 5 × 5 coins' })
    const { cell, gutter, ratio } = matrixLayout(0, 5, devicePixelRatio)
    const middleOf = (index: number) => (gutter + (index + 0.5) * cell) / ratio
    fireEvent.pointerUp(matrix, { clientY: middleOf(0), clientX: middleOf(2), button: 0, pointerType: 'mouse' })
    expect(location.pathname).toBe('/radar/bitcoin/coin-2')
  })
})
