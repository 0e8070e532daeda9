import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Screens } from '../../../src/app/screens'
import { cardFocusAtom } from '../../../src/state/card-focus'
import { alertRow, ownerOf } from '../alerts/alert-rows'
import { appWithPair } from '../support/app-with-pair'
import { catchReports } from '../support/local-app'
import { setWidth } from '../support/viewport'
import { SLOW } from '../support/slow'

let reports: unknown[]
beforeEach(() => {
  setWidth(1440)
  reports = catchReports()
})
afterEach(() => expect(reports).toEqual([]))

test('a chart opened from the alerts page closes back to the alerts page, and requests focus for no card', async () => {
  history.replaceState(null, '', '/alerts')
  const { app, id: widget } = await appWithPair()
  await app.db.alerts.put(alertRow(await ownerOf(app), widget))
  app.render(<Screens />)

  await userEvent.click(await screen.findByRole('link', { name: 'BTC / ETH' }, SLOW))
  expect(location.pathname).toBe(`/chart/${widget}/7d`)
  await userEvent.click(await screen.findByRole('button', { name: '24h' }, SLOW))
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

  await userEvent.click(await screen.findByRole('button', { name: 'Close chart' }, SLOW))
  await waitFor(() => expect(location.pathname).toBe('/'))
  expect(app.store.get(cardFocusAtom)).toBe(widget)
})
