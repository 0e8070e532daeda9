import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { OperatorSlot } from '../../../src/app/shell-screens'
import { FedDashboard } from '../support/fed'
import { lateComponent } from '../../../src/ui/late-component'
import { type LocalApp, seedCoins, seedWidgets, signIn, startLocalApp, changeUser } from '../support/local-app'
import { setWidth } from '../support/viewport'
import { overviewOf } from './overviews'

beforeEach(() => setWidth(1440))
afterEach(() => setWidth(1440))

/** Comes when the panel would have come. */
const Marker = lateComponent(async () => {
  await import('../../../src/features/operator/operator-panel')
  return () => <p>The code is here</p>
})

async function dashboardOf(superuser: boolean, pairs: Parameters<typeof seedWidgets>[1] = [[0, 1]]): Promise<LocalApp> {
  const app = await startLocalApp()
  await seedCoins(app, 4)
  await signIn(app, { superuser })
  await seedWidgets(app, pairs)
  app.answerCall('overview', () => ({ ok: true, value: overviewOf() }))
  app.render(
    <>
      <FedDashboard Operator={OperatorSlot} />
      <Marker />
    </>,
  )
  return app
}
const panel = () => screen.queryByRole('region', { name: 'Operations' })
const appears = () => waitFor(() => expect(panel()).not.toBeNull())

test('a superuser sees the Operations panel above the pairs from 768 px, and not without the superuser right', async () => {
  setWidth(768)
  const app = await dashboardOf(true)
  await appears()
  const card = await screen.findByRole('article', { name: 'BTC / ETH' })
  expect(panel()!.compareDocumentPosition(card) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy()
  // happy-dom tells of no query that stops matching before it has told that it matches.
  setWidth(800)
  setWidth(767)
  await waitFor(() => expect(panel()).toBeNull())
  setWidth(768)
  await appears()
  await changeUser(app, { is_superuser: false })
  await waitFor(() => expect(panel()).toBeNull())
})

test('a superuser without pairs sees the Operations panel', async () => {
  await dashboardOf(true, [])
  await screen.findByText("You haven't added any crypto pairs yet.")
  await appears()
})

test.each([
  ['on a phone', true, 767],
  ['to a user who is no superuser', false, 1440],
])('the Operations panel is not shown and its figures are not requested %s', async (_what, superuser, width) => {
  setWidth(width)
  const app = await dashboardOf(superuser)
  await screen.findByRole('article', { name: 'BTC / ETH' })
  await screen.findByText('The code is here')
  expect(panel()).toBeNull()
  expect(app.calls).toEqual([])
})
