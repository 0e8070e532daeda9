import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { CallFailure } from '../../../src/db/call'
import type { Config } from '../../../src/contract/settings'
import { writeMeta } from '../../../src/db/database'
import { PlanCard } from '../../../src/features/settings/plan-card'
import { openDialog } from '../support/open-dialog'
import { type PushState, pushStateAtom } from '../../../src/state/push'
import { configOf } from '../support/config'
import { appWithPair } from '../support/app-with-pair'
import {
  type LocalApp,
  seedLimit,
  seedWidgets,
  signIn,
  START,
  startLocalApp,
  changeUser,
  noticesOf,
} from '../support/local-app'
import { fed } from '../support/fed'

const page = fed(<PlanCard />)
/** Each line's name and what it says. */
const lines = () =>
  Object.fromEntries(
    screen.getAllByRole('term').map((term) => [term.textContent, term.nextElementSibling?.textContent]),
  )

async function openPremium(billing?: Config['billing']): Promise<LocalApp> {
  const app = await startLocalApp()
  await signIn(app)
  if (billing !== undefined) await writeMeta(app.db, 'config', { config: configOf({ billing }), fetched_at: START })
  await seedWidgets(app, [])
  app.render(page)
  await screen.findByRole('button', { name: 'Open Billing Portal' })
  return app
}

test('the plan card shows a guest the free tier and how much of it is used, and offers the login', async () => {
  const { app } = await appWithPair({ coins: 4, seed: (app) => seedLimit(app, 5) })
  app.render(page)
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
  expect(openDialog(app.store, 'auth')).toEqual({ kind: 'auth', view: 'login' })
})

test.each<[PushState | undefined, boolean]>([
  ['on', false],
  [undefined, false],
  ['off', true],
  ['blocked', true],
  ['unsupported', true],
  ['needs-home-screen', true],
])('with notifications %s, the plan card says that a hidden window may tell late: %s', async (state, said) => {
  const { app } = await appWithPair({ coins: 4 })
  app.store.set(pushStateAtom, state)
  app.render(page)
  await screen.findByText('1 in use')
  expect(screen.queryByText(/Browsers slow a hidden window down or freeze it/) !== null).toBe(said)
})

test('the plan card tells a free user what Premium adds and costs, and offers the upgrade', async () => {
  const app = await startLocalApp()
  await signIn(app, { premium: false })
  await seedWidgets(app, [])
  app.render(page)
  expect(await screen.findByText('Premium tracks 50 pairs with 20 checkpoints each.')).toBeDefined()
  const price = { amount: '5.00', currency: 'USD', interval: 'month', interval_count: 1 }
  const billing = { available: true, sandbox: false, price }
  await writeMeta(app.db, 'config', { config: configOf({ billing }), fetched_at: START })
  expect(await screen.findByText('Premium tracks 50 pairs with 20 checkpoints each, for $5.00 a month.')).toBeDefined()
  expect(lines()).toMatchObject({ Plan: 'Free Tier', 'Max widgets': '0 in use 5' })
  await userEvent.click(screen.getByRole('button', { name: 'Upgrade' }))
  expect(openDialog(app.store, 'upgrade')).toBeDefined()
})

test('the plan card names the Premium plan, and lists advanced charting for a premium user', async () => {
  await openPremium()
  expect(lines()).toEqual({
    Plan: 'Premium',
    'Max widgets': '0 in use 50',
    'Checkpoints per widget': '20',
    'Real-time alerts': 'Included',
    'Notifications on this device': '',
    'Advanced charting': 'Included',
  })
})

describe('billing portal', () => {
  const portal = () => screen.getByRole('button', { name: 'Open Billing Portal' })
  const toasts = (app: LocalApp) => noticesOf(app).map(({ kind, message }) => [kind, message])
  const refusing = (status: number, error_code: CallFailure['error_code'], message: string) => () =>
    ({ ok: false, status, error_code, message }) as const

  let assign: ReturnType<typeof vi.spyOn>
  beforeEach(() => {
    assign = vi.spyOn(location, 'assign').mockImplementation(() => undefined)
  })

  test('one click on the billing portal button leads to the address that the server answers', async () => {
    const app = await openPremium({ available: true, sandbox: false })
    const url = 'https://billing.stripe.example/p/session/1'
    app.answerCall('createPortalSession', () => ({ ok: true, value: { url } }))
    await userEvent.click(portal())
    await waitFor(() => expect(assign).toHaveBeenCalledWith(url))
    expect(app.calls).toEqual([{ route: 'createPortalSession' }])
    expect(portal().getAttribute('aria-busy')).toBe('true')
  })

  test.each([
    [
      'there is nothing to manage',
      refusing(409, 'NO_SUBSCRIPTION', 'There is no paid subscription.'),
      ' There is no paid subscription.',
    ],
    [
      'nothing answers',
      refusing(0, null, 'Failed to fetch'),
      ' The server could not be reached. Check your connection and try again.',
    ],
    ['no reason is given', refusing(500, null, ''), ''],
  ])('the billing portal button shows an error where %s, and can be tried again', async (_what, answer, reason) => {
    const app = await openPremium({ available: true, sandbox: false })
    app.answerCall('createPortalSession', answer)
    await userEvent.click(portal())
    await waitFor(() => expect(toasts(app)).toEqual([['error', `Could not open the billing portal.${reason}`]]))
    expect(portal().getAttribute('aria-disabled')).toBeNull()
    expect(assign).not.toHaveBeenCalled()
  })

  test('the billing portal button is absent for a user whose Premium was granted and never bought, and there for a buyer', async () => {
    const app = await openPremium({ available: true, sandbox: false })
    const tell = async (has_billing_account: boolean) => {
      await changeUser(app, { has_billing_account })
    }
    await tell(false)
    expect(await screen.findByText('Premium was given to you: nothing is billed.')).toBeDefined()
    expect(screen.queryByRole('button', { name: 'Open Billing Portal' })).toBeNull()
    await tell(true)
    expect(await screen.findByRole('button', { name: 'Open Billing Portal' })).toBeDefined()
    expect(screen.queryByText('Premium was given to you: nothing is billed.')).toBeNull()
  })

  test('the billing portal button is disabled where the server sells nothing, and a click says why', async () => {
    const app = await openPremium({ available: false, sandbox: false })
    await waitFor(() => expect(portal().getAttribute('aria-disabled')).toBe('true'))
    const why = within(document.body).getByRole('tooltip').textContent
    await userEvent.click(portal())
    expect(toasts(app)).toEqual([['error', `Could not open the billing portal. ${why}`]])
    expect(app.calls).toEqual([])
  })
})

test('the plan card says whether this device gets notifications, and links to the alerts page to enable them', async () => {
  const app = await startLocalApp()
  await seedWidgets(app, [])
  app.render(page)
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
