import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { Screens } from '../../../src/app/screens'
import { dashboardChoiceAtom } from '../../../src/state/dashboard-choice'
import { localToastsAtom } from '../../../src/state/toasts'
import { catchReports } from '../support/local-app'
import { appWithPair } from '../support/app-with-pair'
import { SLOW } from '../support/slow'
import { setWidth } from '../support/viewport'

// A module without the component: each use of it fails, as an import does whose chunk is gone.
vi.mock('../../../src/features/chart/chart-screen', () => ({}))
beforeEach(() => setWidth(1440))

test('a chart beside the list whose code cannot be had is closed, and a message says so', async () => {
  const reports = catchReports()
  const { app } = await appWithPair()
  app.store.set(dashboardChoiceAtom, { view: 'list', order: 'hand', keys: true })
  history.replaceState(null, '', '/')
  app.render(<Screens />)
  await waitFor(
    () =>
      expect(app.store.get(localToastsAtom)).toMatchObject([
        { type: 'error', message: expect.stringMatching(/^This part of the app could not be loaded\./) as string },
      ]),
    SLOW,
  )
  expect(screen.getByRole('table', { name: 'Pairs' })).toBeDefined()
  expect(screen.queryByRole('region', { name: /Historical Ratio$/ })).toBeNull()
  expect(screen.queryByText('Loading historical data for chart...')).toBeNull()
  expect(reports).toHaveLength(1)
})
