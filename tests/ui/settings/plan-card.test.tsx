import { act, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { useFeeds } from '../../../src/features/dashboard/use-feeds'
import { PlanCard } from '../../../src/features/settings/plan-card'
import { authOpenAtom, upgradeOpenAtom } from '../../../src/state/panels'
import { type PushState, pushStateAtom } from '../../../src/state/push'
import { localToastsAtom } from '../../../src/state/toasts'
import { seedCoins, seedLimit, seedWidgets, signIn, startLocalApp } from '../support/local-app'

function Fed() {
  useFeeds()
  return <PlanCard />
}
/** Each line's name and what it says. */
const lines = () =>
  Object.fromEntries(
    screen.getAllByRole('term').map((term) => [term.textContent, term.nextElementSibling?.textContent]),
  )

test('a guest has the free tier, sees how much of it is used, and is told to log in', async () => {
  const app = await startLocalApp()
  await seedCoins(app, 4)
  await seedLimit(app, 5)
  await seedWidgets(app, [[0, 1]])
  app.render(<Fed />)
  await screen.findByText('1 in use')
  expect(lines()).toEqual({
    Plan: 'Free Tier',
    'Max widgets': '1 in use 5',
    'Checkpoints per widget': '1',
    'Real-time alerts': 'Included',
    'Notifications on this device': '',
  })
  expect(screen.getByText('Log in to manage your subscription or to upgrade.')).toBeDefined()
  await userEvent.click(screen.getByRole('button', { name: 'Log In' }))
  expect(app.store.get(authOpenAtom)).toEqual({ view: 'login' })
})

test('a free user is offered more', async () => {
  const app = await startLocalApp()
  await signIn(app, { premium: false })
  await seedWidgets(app, [])
  app.render(<Fed />)
  expect(await screen.findByText('Premium tracks 50 pairs with 20 checkpoints each.')).toBeDefined()
  expect(lines()).toMatchObject({ Plan: 'Free Tier', 'Max widgets': '0 in use 5' })
  await userEvent.click(screen.getByRole('button', { name: 'Upgrade' }))
  expect(app.store.get(upgradeOpenAtom)).toBe(true)
})

test('premium is called by its name, has advanced charting, and a way to its bills that says why it is closed', async () => {
  const app = await startLocalApp()
  await signIn(app)
  await seedWidgets(app, [])
  app.render(<Fed />)
  const portal = await screen.findByRole('button', { name: 'Open Billing Portal' })
  expect(lines()).toEqual({
    Plan: 'Premium',
    'Max widgets': '0 in use 50',
    'Checkpoints per widget': '20',
    'Real-time alerts': 'Included',
    'Notifications on this device': '',
    'Advanced charting': 'Included',
  })
  expect(portal.getAttribute('aria-disabled')).toBe('true')
  const why = within(document.body).getByRole('tooltip').textContent
  await userEvent.click(portal)
  expect(app.store.get(localToastsAtom)).toMatchObject([
    { type: 'error', message: `Could not open the billing portal. ${why}` },
  ])
})

test('alerts are in every plan; whether this device is told of them stands below that, with the way to it', async () => {
  const app = await startLocalApp()
  await seedWidgets(app, [])
  app.render(<Fed />)
  await screen.findByText('0 in use')
  const said = (state: PushState) => {
    act(() => app.store.set(pushStateAtom, state))
    return lines()['Notifications on this device']
  }
  expect(said('on')).toBe('On')
  expect(said('blocked')).toBe('Blocked by the browser')
  expect(said('unsupported')).toBe('Not supported by this browser')
  expect(screen.queryByRole('link')).toBeNull()
  expect(said('needs-home-screen')).toBe('Enable')
  expect(said('off')).toBe('Enable')
  expect(screen.getByRole('link', { name: 'Enable' }).getAttribute('href')).toBe('/alerts')
})
