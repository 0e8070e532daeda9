import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { writeMeta } from '../../../src/db/database'
import type { WidgetId } from '../../../src/domain/ids'
import { UNREACHED } from '../../../src/domain/error-message'
import { formatDate } from '../../../src/domain/chart-time'
import { boardAtom } from '../../../src/state/live-data'
import type { ChartAnswer } from '../../../workers/api'
import { seedPrices, START, noticesOf } from '../support/local-app'
import { chartOf } from './charts'
import { stubCanvas } from './no-canvas'
import { button, openChart, plot } from './open-chart'

const HOUR = 3_600_000

beforeEach(stubCanvas)

it('the chart screen has the names and texts of the specification', async () => {
  await openChart()
  await plot()
  const region = screen.getByRole('region', { name: 'BTC/ETH Historical Ratio' })
  expect(within(region).getByRole('heading', { level: 1 }).textContent).toBe('BTC/ETH Historical Ratio')
  expect(within(region).getByText('Bitcoin/Ethereum Price Ratio')).toBeDefined()
  expect(within(region).getByText('28.5000')).toBeDefined()
  const estimate = button('Est. Period: ~3.2 days')
  expect(document.getElementById(estimate.getAttribute('aria-describedby') ?? '')?.textContent).toBe(
    'Estimated dominant oscillation period based on peak/trough analysis',
  )
  expect(within(region).getByText('one swing up and down')).toBeDefined()
  expect(within(region).getByText(/^Current Bands:/).textContent).toBe('Current Bands: high 29.5 / low 27.5')
  expect(button('Close chart')).toBeDefined()
})

it('the labels of the indicators explain themselves beside their buttons, by the window of the period', async () => {
  await openChart()
  await plot()
  const said = (name: string) =>
    document.getElementById(button(name).getAttribute('aria-describedby') ?? '')?.textContent
  expect([said('EMA (1d Target)'), said('Bands (2σ)')]).toEqual(['average over 1 day', 'usual range around it'])
  await userEvent.click(button('24h'))
  expect(said('EMA (0.125d Target)')).toBe('average over 3 hours')
})

it('the chart has five period buttons, of which the period shown is pressed', async () => {
  await openChart()
  await plot()
  const pressed = ['24h', '7d', '1m', '3m', '1y'].filter((name) => button(name).getAttribute('aria-pressed') === 'true')
  expect(pressed).toEqual(['7d'])
})

it('the chart legend lists the lines that are switched on, at first the ratio alone', async () => {
  await openChart()
  await plot()
  const legend = () =>
    within(screen.getByRole('list', { name: 'Lines' }))
      .getAllByRole('listitem')
      .map((item) => item.querySelector('span')?.textContent)
  expect(legend()).toEqual(['Ratio'])
  expect(button('EMA (1d Target)').getAttribute('aria-pressed')).toBe('false')
  await userEvent.click(button('EMA (1d Target)'))
  await userEvent.click(button('Bands (2σ)'))
  expect(legend()).toEqual(['Ratio', 'EMA (1d Target)', 'Upper band', 'Lower band'])
  expect(button('Bands (2σ)').getAttribute('aria-pressed')).toBe('true')
  await waitFor(async () =>
    expect((await plot()).getAttribute('aria-valuetext')).toContain(
      'Ratio 28.5, EMA (1d Target) 28.5, Upper band 29.5, Lower band 27.5',
    ),
  )
})

it('an opened chart asks the server for the history of both coins', async () => {
  const { histories } = await openChart()
  await plot()
  expect(histories).toEqual([
    { coin: 'bitcoin', period: '7d' },
    { coin: 'ethereum', period: '7d' },
  ])
})

it('the chart says "Simulated prices" for simulated data, and leaves the credit of a provider to the footer', async () => {
  const { app } = await openChart()
  await plot()
  await seedPrices(app, { 0: 28.5, 1: 1 })
  expect(await screen.findByText('Simulated prices')).toBeDefined()
  const attribution = { text: 'Data by CoinGecko', url: 'https://www.coingecko.com' }
  await writeMeta(app.db, 'config', {
    config: { market_data: { source: 'coingecko', price_url: '', attribution } },
    fetched_at: START,
  } as never)
  await waitFor(() => expect(screen.queryByText('Simulated prices')).toBeNull())
  expect(screen.queryByText('Data by CoinGecko')).toBeNull()
})

it('the chart says how old its data is once the data is two hours old', async () => {
  const { app } = await openChart()
  await plot()
  expect(screen.queryByText(/^Data from/)).toBeNull()
  app.setNow(START + 2 * HOUR)
  expect(await screen.findByText('Data from 2 h ago', {}, { timeout: 4000 })).toBeDefined()
})

it('a chart whose prices begin after its period says how far back they reach, and a whole chart does not', async () => {
  const chart = chartOf([27, 28, 28.5], START)
  const { say } = await openChart({
    chart: ({ period }) => Promise.resolve(period === '1y' ? { ...chart, from: START - 365 * 24 * HOUR } : chart),
  })
  await plot()
  expect(screen.queryByText(/reach back/)).toBeNull()
  act(() => say('1y'))
  expect(await screen.findByText(`Prices reach back to ${formatDate(chart.times[0]!)}`)).toBeDefined()
})

it('an open chart shows the new ratio after a price poll', async () => {
  let ratios = [27, 28]
  const { app } = await openChart({ chart: () => Promise.resolve(chartOf(ratios, START)) })
  expect(await screen.findByText('28.0000')).toBeDefined()
  ratios = [27, 28, 31.25]
  await seedPrices(app, { 0: 31.25, 1: 1 }, START + 75_000)
  expect(await screen.findByText('31.2500')).toBeDefined()
})

it('the chart screen shows the alert thresholds of its widget, also after they change', async () => {
  const { app } = await openChart()
  await plot()
  expect(screen.getByText(/^Widget Alerts:/).textContent).toBe('Widget Alerts: high N/A / low N/A')
  const [row] = await app.db.widgets.toArray()
  if (row === undefined) throw new Error('no widget')
  await app.db.widgets.put({ ...row, high_threshold: 30.123 })
  await waitFor(() =>
    expect(screen.getByText(/^Widget Alerts:/).textContent).toBe('Widget Alerts: high 30.1 / low N/A'),
  )
})

it('a chosen period is reported to the parent, and the old plot stays dimmed until the new chart is ready', async () => {
  const answers: ((answer: ChartAnswer) => void)[] = []
  const { periods } = await openChart({
    chart: ({ period }) =>
      period === '7d' ? Promise.resolve(chartOf([1, 2], START)) : new Promise((resolve) => answers.push(resolve)),
  })
  const before = await plot()
  await userEvent.click(button('1y'))
  expect(periods).toEqual(['1y'])
  expect(button('1y').getAttribute('aria-pressed')).toBe('true')
  expect(await plot()).toBe(before)
  expect(before.dataset['dimmed']).toBe('true')
  expect(screen.getByText('Processing chart data...')).toBeDefined()
  expect(button('Est. Period: N/A')).toBeDefined()
  expect(screen.getByText(/^Current Bands:/).textContent).toBe('Current Bands: high N/A / low N/A')
  expect(button('EMA (30d Target)').disabled).toBe(true)
  await act(async () => answers.forEach((answer) => answer(chartOf([1, 7], START))))
  await waitFor(() => expect(before.dataset['dimmed']).toBe('false'))
  expect(screen.getByText('7.0000')).toBeDefined()
  expect(button('EMA (30d Target)').disabled).toBe(false)
})

it('a slow chart answer for the period before does not overwrite the chart of the chosen period', async () => {
  let slow: (answer: ChartAnswer) => void = () => undefined
  await openChart({
    chart: ({ period }) =>
      period === '7d' ? new Promise((resolve) => (slow = resolve)) : Promise.resolve(chartOf([5, 6], START)),
  })
  await screen.findByText('Processing chart data...')
  await userEvent.click(button('24h'))
  expect(await screen.findByText('6.0000')).toBeDefined()
  await act(async () => slow(chartOf([1, 99], START)))
  expect(screen.getByText('6.0000')).toBeDefined()
  expect(screen.queryByText('99.0000')).toBeNull()
})

const pressed = () =>
  within(screen.getByRole('group', { name: 'Period' }))
    .getAllByRole('button', { pressed: true })
    .map(({ textContent }) => textContent)
    .join()

it('the chart follows each period that its parent sets, and does not report that period back', async () => {
  const { periods, say } = await openChart()
  await plot()
  await userEvent.click(button('1y'))
  act(() => say('3m'))
  expect(pressed()).toBe('3m')
  act(() => say('1d'))
  expect(pressed()).toBe('24h')
  expect(periods).toEqual(['1y'])
})

it('the chart shows one day when its parent sets no period', async () => {
  await openChart({ period: null })
  await plot()
  expect(pressed()).toBe('24h')
})

describe('chart without data', () => {
  const missing: ChartAnswer = { kind: 'error', message: 'Chart data (thirtyMinutely) not available.' }

  it('a chart without data waits for the server, then shows the error and its reason, and Try again asks the server again', async () => {
    let refuse: (reason: Error) => void = () => undefined
    const { histories } = await openChart({
      chart: () => Promise.resolve(missing),
      requestHistory: (coin) =>
        coin === 'bitcoin' ? new Promise((_, reject) => (refuse = reject)) : Promise.resolve(),
    })
    expect(await screen.findByRole('button', { name: 'Bands (2σ)' })).toHaveProperty('disabled', true)
    expect(await screen.findByText('Loading historical data for chart...')).toBeDefined()
    await act(async () => refuse(new Error('Error fetching history for bitcoin (7d): down')))
    const alert = await screen.findByRole('alert')
    expect(within(alert).getByText('Chart data (thirtyMinutely) not available.')).toBeDefined()
    expect(within(alert).getByText('Error fetching history for bitcoin (7d): down')).toBeDefined()
    expect(button('EMA (1d Target)').disabled).toBe(true)
    expect(screen.queryByRole('slider')).toBeNull()
    await userEvent.click(button('Try again'))
    expect(histories).toHaveLength(4)
    expect(await screen.findByText('Loading historical data for chart...')).toBeDefined()
  })

  it('the chart says that no ratio data is available when the period has none', async () => {
    await openChart({ chart: () => Promise.resolve({ kind: 'empty' }) })
    expect(await screen.findByText('No ratio data available to display for this period')).toBeDefined()
  })

  it('a chart whose data does not reach back to the start of the period says why, and Try again asks the server again', async () => {
    const short = { ...chartOf([27, 28], START), from: START - 7 * 24 * HOUR }
    const { histories } = await openChart({
      chart: () => Promise.resolve(short),
      requestHistory: () => Promise.reject(new Error('Error fetching history for bitcoin (7d): down')),
    })
    expect(await screen.findByText('Error fetching history for bitcoin (7d): down')).toBeDefined()
    await userEvent.click(button('Try again'))
    expect(histories).toHaveLength(4)
  })

  it('without a network a chart says that more history needs a connection, and with one that the server could not be reached', async () => {
    const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
    const short = { ...chartOf([27, 28], START), from: START - 7 * 24 * HOUR }
    await openChart({
      chart: () => Promise.resolve(short),
      requestHistory: () => Promise.reject(new Error(UNREACHED)),
    })
    expect(await screen.findByText('You are offline. More history needs a connection.')).toBeDefined()
    online.mockReturnValue(true)
    act(() => void window.dispatchEvent(new Event('online')))
    expect(await screen.findByText(UNREACHED)).toBeDefined()
  })

  it('a chart with whole data does not show the error of a failed history fetch', async () => {
    await openChart({ requestHistory: () => Promise.reject(new Error('down')) })
    await plot()
    await waitFor(() => expect(button('Export CSV').disabled).toBe(false))
    expect(screen.queryByText('down')).toBeNull()
  })

  it('a chart that shows an error still shows the ratio of the current prices', async () => {
    const { app } = await openChart({ chart: () => Promise.resolve(missing) })
    await screen.findByRole('alert')
    expect(screen.getAllByText('N/A').length).toBeGreaterThan(0)
    await seedPrices(app, { 0: 100, 1: 4 })
    expect(await screen.findByText('25.0000')).toBeDefined()
  })

  it('a chart that shows an error is computed again when the network returns', async () => {
    let answer: ChartAnswer = missing
    await openChart({ chart: () => Promise.resolve(answer) })
    await screen.findByRole('alert')
    answer = chartOf([1, 2], START)
    window.dispatchEvent(new Event('online'))
    expect(await plot()).toBeDefined()
  })
})

it('the close button and Escape close the chart', async () => {
  const { closed } = await openChart()
  await plot()
  await userEvent.click(button('Close chart'))
  expect(closed()).toBe(1)
  await userEvent.keyboard('{Escape}')
  expect(closed()).toBe(2)
})

it('Escape does not close the chart when a tooltip takes the key or a dialog is open', async () => {
  const { closed } = await openChart()
  await plot()
  await userEvent.hover(button(/^Est. Period/))
  fireEvent.keyDown(button(/^Est. Period/), { key: 'Escape' })
  expect(closed()).toBe(0)
  const dialog = document.body.appendChild(document.createElement('dialog'))
  dialog.setAttribute('open', '')
  await userEvent.keyboard('{Escape}')
  expect(closed()).toBe(0)
  dialog.remove()
})

it('the chart screen of an unknown widget says that the pair is gone once the list of pairs has loaded, and its button leads back', async () => {
  const { app, closed } = await openChart({ widget: 'gone' as WidgetId })
  await screen.findByText('This pair is not on your dashboard any more.')
  act(() => app.store.set(boardAtom, (board) => board && { ...board, loaded: false }))
  expect(screen.getByText('Loading historical data for chart...')).toBeDefined()
  act(() => app.store.set(boardAtom, (board) => board && { ...board, loaded: true }))
  expect(await screen.findByText('This pair is not on your dashboard any more.')).toBeDefined()
  await userEvent.click(button('Back to dashboard'))
  expect(closed()).toBe(1)
})

it('the plot is a slider over the points of the chart that reads the newest point in words', async () => {
  await openChart({
    chart: () => Promise.resolve(chartOf([27.1, 28.2, 29.3], new Date(2026, 10, 21, 12, 0).getTime())),
  })
  const slider = await plot()
  const at = () => slider.getAttribute('aria-valuetext')
  await waitFor(() => expect(at()).toBe('Nov 21, 2026 12:00, Ratio 29.3'))
  expect(slider.getAttribute('aria-valuemax')).toBe('2')
  expect(slider.getAttribute('aria-valuenow')).toBe('2')
})

it('keys zoom the plot, and the plot has the focus once Reset zoom has gone', async () => {
  await openChart({
    chart: () =>
      Promise.resolve(
        chartOf(
          Array.from({ length: 40 }, (_, i) => 27 + i / 40),
          START,
        ),
      ),
  })
  const slider = await plot()
  slider.focus()
  await userEvent.keyboard('+')
  await userEvent.click(await screen.findByRole('button', { name: 'Reset zoom' }))
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Reset zoom' })).toBeNull())
  await waitFor(() => expect(document.activeElement).toBe(slider))
})

const EXPLANATION = 'Estimated dominant oscillation period based on peak/trough analysis'

it('a tap on the estimated period explains the period in a toast, and a mouse click shows no toast', async () => {
  const { app } = await openChart()
  await plot()
  const said = () => noticesOf(app).map(({ message }) => message)
  await userEvent.click(button(/^Est. Period/))
  expect(said()).toEqual([])
  await userEvent.pointer({ keys: '[TouchA]', target: button(/^Est. Period/) })
  expect(said()).toEqual([EXPLANATION])
})
