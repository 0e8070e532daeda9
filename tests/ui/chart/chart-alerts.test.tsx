import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import { Toasts } from '../../../src/features/toasts/toasts'
import type { ChartReady } from '../../../workers/api'
import { setThreshold } from '../../support/set-threshold'
import { readBoard } from '../../../src/db/board-rows'
import type { WidgetRow } from '../../../src/db/rows'
import type { WidgetId } from '../../../src/domain/ids'
import { type LocalApp, seedCheckpoints, seedPrices, START } from '../support/local-app'
import { chartOf } from './charts'
import { stubCanvas } from './no-canvas'
import { button, openChart, plot } from './open-chart'

beforeEach(stubCanvas)

const bandsOf = (bands: ChartReady['currentBands']) => ({
  chart: () => Promise.resolve({ ...chartOf([27, 28, 28.5], START), currentBands: bands }),
})
const stored = async ({ app, id }: Awaited<ReturnType<typeof openChart>>) => {
  const changes = await app.db.outbox.toArray()
  return changes.map(({ kind, payload }) => ({ kind, payload, ours: JSON.stringify(payload).includes(id) }))
}
/** The entries of a list without what is hidden from screen readers. */
const heard = (list: HTMLElement) =>
  within(list)
    .getAllByRole('listitem')
    .map((item) =>
      [...item.children]
        .filter((part) => part.getAttribute('aria-hidden') !== 'true')
        .map(({ textContent }) => textContent)
        .join(''),
    )
const shownWidget = async (app: LocalApp, id: WidgetId) =>
  (await readBoard(app.db))?.widgets.find((widget) => widget.id === id)
const preview = () => screen.getByText(/^Widget Alerts:/).textContent

it('Set Alerts is enabled only while the bands are shown', async () => {
  await openChart()
  await plot()
  expect(button('Set Alerts').disabled).toBe(true)
  await userEvent.click(button('Bands (2σ)'))
  expect(button('Set Alerts').disabled).toBe(false)
  await userEvent.click(button('Bands (2σ)'))
  expect(button('Set Alerts').disabled).toBe(true)
})

it('Set Alerts stays disabled when the chart has no band values', async () => {
  await openChart(bandsOf(null))
  await plot()
  await userEvent.click(button('Bands (2σ)'))
  expect(button('Set Alerts').disabled).toBe(true)
})

it('Set Alerts stays disabled while another period loads', async () => {
  const chart = chartOf([27, 28], START)
  await openChart({
    chart: ({ period }) => (period === '7d' ? Promise.resolve(chart) : new Promise(() => undefined)),
  })
  await plot()
  await userEvent.click(button('Bands (2σ)'))
  await userEvent.click(button('1y'))
  expect(button('Set Alerts').disabled).toBe(true)
})

it('Set Alerts, the bands and the estimated period wait while a chart is drawn from other periods’ data', async () => {
  const chart = { ...chartOf([27, 28], START), basis: 'part' as const }
  await openChart({ chart: () => Promise.resolve(chart), requestHistory: () => new Promise(() => undefined) })
  await plot()
  await userEvent.click(button('Bands (2σ)'))
  expect(button('Set Alerts').disabled).toBe(true)
  expect(screen.getByText('Current Bands:').textContent).toBe('Current Bands: high N/A / low N/A')
  expect(button(/Est. Period/).textContent).toBe('Est. Period: N/A')
  expect(screen.getByText('Loading historical data for chart...')).toBeDefined()
})

it('Set Alerts stores both thresholds in one outbox entry, armed where the ratio has still to cross them, and shows a toast', async () => {
  const opened = await openChart(bandsOf({ high: 29.123456789, low: 28.8 }))
  const { app, id } = opened
  app.render(<Toasts />)
  await plot()
  await seedPrices(app, { 0: 28.5, 1: 1 })
  await userEvent.click(button('Bands (2σ)'))
  await userEvent.click(button('Set Alerts'))
  await waitFor(() => expect(preview()).toBe('Widget Alerts: high 29.1 / low 28.8'))
  expect(
    (await screen.findAllByText('Alert thresholds updated for BTC/ETH based on chart bands.')).length,
  ).toBeGreaterThan(0)
  const body = {
    high_threshold: 29.123457,
    high_threshold_active: true,
    low_threshold: 28.8,
    low_threshold_active: false,
  }
  expect(await stored(opened)).toEqual([{ kind: 'widget.update@1', payload: { widget: id, body }, ours: true }])
  expect(app.syncs).toContain('command')
  const legend = screen.getByRole('list', { name: 'Alerts and checkpoints' })
  expect(heard(legend)).toEqual(['High alert: 29.1235', 'Low alert: 28.8000'])
})

it('the chart screen shows thresholds set from the bands once they are stored', async () => {
  await openChart(bandsOf({ high: 29, low: 28 }))
  await plot()
  await userEvent.click(button('Bands (2σ)'))
  fireEvent.click(button('Set Alerts'))
  expect(preview()).toBe('Widget Alerts: high N/A / low N/A')
  await waitFor(() => expect(preview()).toBe('Widget Alerts: high 29.0 / low 28.0'))
})

it.each([
  ['reach 0', { high: 29, low: 0 }],
  ['meet', { high: 29, low: 29 }],
])('Set Alerts stores nothing where the bands %s, and logs a warning', async (_how, bands) => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  const opened = await openChart(bandsOf(bands))
  await plot()
  await userEvent.click(button('Bands (2σ)'))
  await userEvent.click(button('Set Alerts'))
  await waitFor(() => expect(warn).toHaveBeenCalledOnce())
  expect(await stored(opened)).toEqual([])
  expect(preview()).toBe('Widget Alerts: high N/A / low N/A')
})

const note = () => document.getElementById(button('Set Alerts').getAttribute('aria-describedby') ?? '')
const words = () => note()?.textContent.trim()

it('the note beside Set Alerts says that the bands have to be shown first, and shows them at one press', async () => {
  await openChart(bandsOf({ high: 29.123456789, low: 27.8 }))
  await plot()
  expect(words()).toBe('To set alerts at the bands, show the bands first')
  await userEvent.click(button('show the bands first'))
  expect(button('Bands (2σ)').getAttribute('aria-pressed')).toBe('true')
  expect(button('Set Alerts').disabled).toBe(false)
  expect(words()).toBe('Sets High = 29.1235, Low = 27.8000')
  expect(document.activeElement).toBe(note())
})

it('the note beside Set Alerts says that the period has too few points for bands', async () => {
  await openChart(bandsOf(null))
  await plot()
  await userEvent.click(button('Bands (2σ)'))
  expect(words()).toBe('Set Alerts waits for bands: this period has too few points.')
})

it('the note beside Set Alerts says that the chart is waited for', async () => {
  await openChart({ chart: () => new Promise(() => undefined) })
  await waitFor(() => expect(words()).toBe('Set Alerts waits for the chart.'))
})

it('the note beside Set Alerts says that bands which meet can set no alerts', async () => {
  await openChart(bandsOf({ high: 29, low: 29 }))
  await plot()
  await userEvent.click(button('Bands (2σ)'))
  expect(words()).toBe('The bands reach down to 0 or meet: no alerts can be set at them.')
})

it('the note beside Set Alerts says that alerts are off once thresholds are set, and switches them on at one press', async () => {
  const { app, id } = await openChart(bandsOf({ high: 29, low: 28 }))
  await plot()
  expect(note()?.textContent).not.toContain('Alerts are off')
  await userEvent.click(button('Bands (2σ)'))
  await userEvent.click(button('Set Alerts'))
  await waitFor(() => expect(note()?.textContent).toContain('Alerts are off: switch alerts on'))
  await userEvent.click(button('switch alerts on'))
  expect(app.pushed).toEqual(['enable'])
  expect(document.activeElement).toBe(note())
  await waitFor(() => expect(note()?.textContent).not.toContain('Alerts are off'))
  expect((await shownWidget(app, id))?.notificationsEnabled).toBe(true)
})

it('the note beside Set Alerts says that alerts are off also while the bands are hidden', async () => {
  const { app, id } = await openChart(bandsOf({ high: 29, low: 28 }))
  await plot()
  await setThreshold(app.services.commands, id, 'high', 35, true)
  await waitFor(() => expect(words()).toBe('To set alerts at the bands, show the bands first Alerts are off.'))
})

const BANDS = bandsOf({ high: 29, low: 27 })

async function setAtBands(values: Partial<WidgetRow>) {
  const opened = await openChart(BANDS)
  const { app } = opened
  app.render(<Toasts />)
  await plot()
  await seedPrices(app, { 0: 28, 1: 1 })
  const [row] = await app.db.widgets.toArray()
  await app.db.widgets.put({ ...row!, ...values })
  await userEvent.click(button('Bands (2σ)'))
  await waitFor(() => expect(preview()).not.toBe('Widget Alerts: high N/A / low N/A'))
  await userEvent.click(button('Set Alerts'))
  await screen.findByRole('button', { name: 'Undo' })
  return opened
}

it('Undo in the toast of Set Alerts puts back both thresholds and both armed flags', async () => {
  const before = { high_threshold: 40, high_threshold_active: false, low_threshold: 20, low_threshold_active: true }
  const opened = await setAtBands(before)
  const { app, id } = opened
  await waitFor(() => expect(preview()).toBe('Widget Alerts: high 29.0 / low 27.0'))
  await userEvent.click(button('Undo'))
  await waitFor(() => expect(preview()).toBe('Widget Alerts: high 40.0 / low 20.0'))
  await waitFor(async () =>
    expect(await shownWidget(app, id)).toMatchObject({
      alerts: { high: { threshold: 40, armed: false }, low: { threshold: 20, armed: true } },
    }),
  )
})

it('Undo in the toast of Set Alerts changes nothing where a threshold was changed since, and says so', async () => {
  const { app, id } = await setAtBands({ high_threshold: 40 })
  await setThreshold(app.services.commands, id, 'high', 35, true)
  await userEvent.click(button('Undo'))
  expect(await screen.findByText('The thresholds have changed since, so nothing was undone.')).toBeDefined()
  expect(await shownWidget(app, id)).toMatchObject({ alerts: { high: { threshold: 35 }, low: { threshold: 27 } } })
})

it('the toast of Set Alerts offers to switch alerts on while they are off', async () => {
  const { app, id } = await setAtBands({ high_threshold: 40 })
  await userEvent.click(button('Switch alerts on'))
  expect(app.pushed).toEqual(['enable'])
  await waitFor(async () => expect((await shownWidget(app, id))?.notificationsEnabled).toBe(true))
})

it('the toast of Set Alerts offers no switch while alerts are on', async () => {
  await setAtBands({ high_threshold: 40, notifications_enabled: true })
  expect(screen.queryByRole('button', { name: 'Switch alerts on' })).toBeNull()
})

it('the chart legend lists low alert, default checkpoint and other checkpoints once each, with values for screen readers', async () => {
  const { app, id } = await openChart()
  await plot()
  expect(screen.queryByRole('list', { name: 'Alerts and checkpoints' })).toBeNull()
  await seedCheckpoints(app, id, [27.5, 26, 25], 0)
  const [row] = await app.db.widgets.toArray()
  if (row === undefined) throw new Error('no widget')
  await app.db.widgets.put({ ...row, low_threshold: 20 })
  const legend = await screen.findByRole('list', { name: 'Alerts and checkpoints' })
  await waitFor(() =>
    expect(heard(legend)).toEqual([
      'Low alert: 20.0000',
      'Default checkpoint: 27.5000',
      'Other checkpoints: 26.0000, 25.0000',
    ]),
  )
})
