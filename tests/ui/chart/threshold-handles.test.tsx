import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Dexie } from 'dexie'
import { beforeEach, expect, test, vi } from 'vitest'
import type { WidgetRow } from '../../../src/db/rows'
import { Toasts } from '../../../src/features/toasts/toasts'
import { seedPrices } from '../support/local-app'
import { catchReports } from '../support/reports'
import { stubCanvas } from './no-canvas'
import { button, openChart, plot } from './open-chart'

beforeEach(stubCanvas)

/** The chart of BTC / ETH at 28, with these thresholds. */
async function openWith(values: Partial<WidgetRow>) {
  const opened = await openChart()
  const { app } = opened
  app.render(<Toasts />)
  await plot()
  await seedPrices(app, { 0: 28, 1: 1 })
  const [row] = await app.db.widgets.toArray()
  await app.db.widgets.put({ ...row!, ...values })
  const stored = async () => (await app.db.outbox.toArray()).map(({ payload }) => payload)
  return { ...opened, stored }
}

// A plot without pixels has no places: the handles are hidden, and work.
const handle = (name: string) => screen.findByRole('slider', { name, hidden: true })
const text = (element: HTMLElement) => element.getAttribute('aria-valuetext')?.replaceAll('\u00A0', ' ')

test('keys move an alert line without storing it, and Enter stores it with a toast that undoes it', async () => {
  const { stored } = await openWith({ high_threshold: 30, low_threshold: 20 })
  const high = await handle('High alert')
  await waitFor(() => expect(text(high)).toBe('30.0000, 7.1 % above now'))
  fireEvent.keyDown(high, { key: 'ArrowUp' })
  fireEvent.keyDown(high, { key: 'ArrowDown', shiftKey: true })
  expect(text(high)).toContain('29.7300')
  expect(text(high)).toContain('not stored')
  expect(await stored()).toEqual([])
  fireEvent.keyDown(high, { key: 'Enter' })
  await waitFor(async () =>
    expect(await stored()).toMatchObject([{ body: { high_threshold: 29.73, high_threshold_active: true } }]),
  )
  expect(await screen.findByText('High alert of BTC/ETH set to 29.7300.')).toBeDefined()
  await userEvent.click(button('Undo'))
  await waitFor(() => expect(text(high)).toBe('30.0000, 7.1 % above now'))
})

test('a line that was let go of is shown as set only once its command has stored it, and Enter stores it once', async () => {
  const { app, stored } = await openWith({ high_threshold: 30, low_threshold: 20 })
  const high = await handle('High alert')
  await waitFor(() => expect(text(high)).toBe('30.0000, 7.1 % above now'))
  fireEvent.keyDown(high, { key: 'PageUp' })
  let release = (): void => undefined
  let store = Promise.resolve()
  await new Promise<void>((held) => {
    store = app.db.transaction('rw', app.db.outbox, () => {
      held()
      return Dexie.waitFor(new Promise<void>((resolve) => (release = resolve)))
    })
  })
  fireEvent.keyDown(high, { key: 'Enter' })
  fireEvent.keyDown(high, { key: 'Enter' })
  // The screen knows by then all that it can know without the database.
  await act(() => new Promise((resolve) => setTimeout(resolve)))
  expect(text(high)).toBe('30.3000, 8.2 % above now, not stored yet')
  expect(screen.getByText(/^Widget Alerts:/).textContent).toBe('Widget Alerts: high 30.0 / low 20.0')
  release()
  await store
  await waitFor(() => expect(text(high)).toBe('30.3000, 8.2 % above now'))
  expect(screen.getByText(/^Widget Alerts:/).textContent).toBe('Widget Alerts: high 30.3 / low 20.0')
  expect(await stored()).toMatchObject([{ body: { high_threshold: 30.3 } }])
  expect(await screen.findAllByText('High alert of BTC/ETH set to 30.3000.')).toHaveLength(1)
})

test('a line whose command fails goes back to where it is stored', async () => {
  const { app, stored } = await openWith({ high_threshold: 30 })
  const reports = catchReports()
  const high = await handle('High alert')
  await waitFor(() => expect(text(high)).toContain('30.0000'))
  fireEvent.keyDown(high, { key: 'ArrowUp' })
  vi.spyOn(app.db.outbox, 'add').mockRejectedValue(new Error('The disk is full.'))
  fireEvent.keyDown(high, { key: 'Enter' })
  expect(await screen.findByText(/^Failed to update BTC \/ ETH: .*Reverting change\.$/)).toBeDefined()
  expect(text(high)).toBe('30.0000, 7.1 % above now')
  expect([(await stored()).length, reports.length]).toEqual([0, 1])
})

test('Escape, and leaving the handle, give a moved line up, and the chart stays open', async () => {
  const { stored, closed } = await openWith({ high_threshold: 30 })
  const high = await handle('High alert')
  await waitFor(() => expect(text(high)).toContain('30.0000'))
  fireEvent.keyDown(high, { key: 'PageUp' })
  fireEvent.keyDown(high, { key: 'Escape' })
  expect(text(high)).toBe('30.0000, 7.1 % above now')
  fireEvent.keyDown(high, { key: 'PageUp' })
  fireEvent.blur(high)
  expect(text(high)).toBe('30.0000, 7.1 % above now')
  expect([await stored(), closed()]).toEqual([[], 0])
})

test('a side without a threshold has a handle five per cent away that must be moved before anything is stored', async () => {
  const { stored } = await openWith({ high_threshold: 30, low_threshold: null })
  const low = await handle('Set low alert here')
  await waitFor(() => expect(text(low)).toBe('26.6000, 5.0 % below now'))
  fireEvent.focus(low)
  fireEvent.blur(low)
  expect(await stored()).toEqual([])
  fireEvent.keyDown(low, { key: 'ArrowDown' })
  fireEvent.keyDown(await handle('Low alert'), { key: 'Enter' })
  await waitFor(async () => expect(await stored()).toMatchObject([{ body: { low_threshold: 26.573 } }]))
})

test('a high line cannot be moved below the low one, and one that the ratio is beyond is stored disarmed', async () => {
  const { stored } = await openWith({ high_threshold: 29, low_threshold: 27.9 })
  const high = await handle('High alert')
  await waitFor(() => expect(text(high)).toContain('29.0000'))
  for (let step = 0; step < 8; step++) fireEvent.keyDown(high, { key: 'PageDown' })
  expect(text(high)).toContain('27.9280')
  fireEvent.keyDown(high, { key: 'Enter' })
  await waitFor(async () =>
    expect(await stored()).toMatchObject([{ body: { high_threshold: 27.928, high_threshold_active: false } }]),
  )
})
