import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { Screens } from '../../../src/app/screens'
import { readMeta, writeMeta } from '../../../src/db/database'
import { cardFocusAtom } from '../../../src/state/card-slot'
import { alertRow, ownerOf } from '../alerts/alert-rows'
import { chartOf } from '../chart/charts'
import { stubCanvas } from '../chart/no-canvas'
import { appWithPair } from '../support/app-with-pair'
import { START } from '../support/local-app'
import { setWidth } from '../support/viewport'
import { SLOW } from '../support/slow'

beforeEach(() => {
  stubCanvas()
  setWidth(1440)
})

test('a chart opened from the alerts page closes back to the alerts page, and requests focus for no card', async () => {
  history.replaceState(null, '', '/alerts')
  const { app, id: widget } = await appWithPair()
  await app.db.alerts.put(alertRow(await ownerOf(app), widget))
  app.render(<Screens />)

  await userEvent.click(await screen.findByRole('link', { name: 'BTC / ETH' }, SLOW))
  const day = await screen.findByRole('button', { name: '24h' }, SLOW)
  await waitFor(() => expect(location.pathname).toBe(`/chart/${widget}/7d`))
  await userEvent.click(day)
  expect(location.pathname).toBe(`/chart/${widget}/1d`)
  await userEvent.click(screen.getByRole('button', { name: 'Close chart' }))
  await waitFor(() => expect(location.pathname).toBe('/alerts'))
  expect(await screen.findByRole('link', { name: 'BTC / ETH' }, SLOW)).toBeDefined()
  expect(app.store.get(cardFocusAtom)).toBeNull()
})

test('a chart opened by its address closes to the dashboard, not to the page before the app', async () => {
  const { app, id: widget } = await appWithPair()
  history.replaceState(null, '', '/help-of-another-site')
  history.pushState(null, '', `/chart/${widget}/7d`)
  app.render(<Screens />)

  const chart = within(await screen.findByRole('region', { name: 'BTC/ETH Historical Ratio' }, SLOW))
  await userEvent.click(chart.getByRole('button', { name: 'Close chart' }))
  await waitFor(() => expect(location.pathname).toBe('/'))
  await waitFor(() => expect(document.activeElement?.closest('article')?.textContent).toContain('BTC / ETH'), SLOW)
})

test('a chart opens with the period and the lines that were chosen last on this device, and a week at first', async () => {
  const worker = { chart: () => Promise.resolve(chartOf([27, 28, 28.5], START)) }
  const { app, id: widget } = await appWithPair({ worker })
  history.replaceState(null, '', `/chart/${widget}`)
  const { unmount } = app.render(<Screens />)
  expect(await screen.findByRole('button', { name: '7d', pressed: true }, SLOW)).toBeDefined()
  await waitFor(() => expect(location.pathname).toBe(`/chart/${widget}/7d`))
  await userEvent.click(screen.getByRole('button', { name: '3m' }))
  await waitFor(() => expect(screen.getByRole('button', { name: 'Bands (2σ)' })).toHaveProperty('disabled', false))
  await userEvent.click(screen.getByRole('button', { name: 'Bands (2σ)' }))
  await waitFor(async () =>
    expect(await readMeta(app.db, 'chart_choices')).toEqual({ average: false, bands: true, period: '3m' }),
  )
  unmount()

  // Another start of the app: nothing of the first is in memory.
  const again = await appWithPair({ worker })
  await writeMeta(again.app.db, 'chart_choices', (await readMeta(app.db, 'chart_choices'))!)
  history.replaceState(null, '', `/chart/${again.id}`)
  again.app.render(<Screens />)
  expect(await screen.findByRole('button', { name: '3m', pressed: true }, SLOW)).toBeDefined()
  expect(screen.getByRole('button', { name: 'Bands (2σ)', pressed: true })).toBeDefined()
  expect(screen.getByRole('button', { name: /^EMA/, pressed: false })).toBeDefined()
  await waitFor(() => expect(location.pathname).toBe(`/chart/${again.id}/3m`))
})
