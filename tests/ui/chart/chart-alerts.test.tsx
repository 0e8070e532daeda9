import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Toasts } from '../../../src/features/toasts/toasts'
import type { ChartReady } from '../../../workers/api'
import { seedCheckpoints, seedPrices, START } from '../support/local-app'
import { chartOf } from './charts'
import { stubCanvas } from './no-canvas'
import { button, openChart, plot } from './open-chart'

beforeEach(stubCanvas)
afterEach(() => vi.restoreAllMocks())

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
const preview = () => screen.getByText(/^Widget Alerts:/).textContent

describe('Set Alerts button', () => {
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

  it('Set Alerts stores both thresholds in one outbox entry, armed where the ratio has still to cross them, and shows a toast', async () => {
    const opened = await openChart(bandsOf({ high: 29.123456789, low: 28.8 }))
    const { app, id } = opened
    app.render(<Toasts />)
    await plot()
    await seedPrices(app, { 0: 28.5, 1: 1 })
    await userEvent.click(button('Bands (2σ)'))
    await userEvent.click(button('Set Alerts'))
    await waitFor(() => expect(preview()).toBe('Widget Alerts: 29.1 / 28.8'))
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

  it('the chart screen shows thresholds set from the bands in the frame of the click on Set Alerts', async () => {
    await openChart(bandsOf({ high: 29, low: 28 }))
    await plot()
    await userEvent.click(button('Bands (2σ)'))
    fireEvent.click(button('Set Alerts'))
    expect(preview()).toBe('Widget Alerts: 29.0 / 28.0')
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
    expect(preview()).toBe('Widget Alerts: N/A / N/A')
  })
})

describe('legend of alerts and checkpoints', () => {
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
})
