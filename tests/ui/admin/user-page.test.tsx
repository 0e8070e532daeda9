import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import type { AdminProfile } from '../../../src/contract/admin'
import { formatDay } from '../../../src/domain/local-time'
import { accountAtom } from '../../../src/state/account'
import { signIn, START, refused } from '../support/local-app'
import { setWidth } from '../support/viewport'
import {
  asked,
  at,
  DAY,
  entry,
  granted,
  heading,
  isAt,
  later,
  type Office,
  openAdmin,
  paid,
  profile,
  toasts,
  UNANSWERED,
} from './office'
import { SLOW } from '../support/slow'

beforeEach(() => setWidth(1440))

async function openUser(known: Partial<Office> = {}, values: Partial<AdminProfile> = {}) {
  const user = profile('grace@example.com', values)
  const app = await openAdmin(`/admin/users/${user.id}`, { ...known, users: [user] })
  await heading('grace@example.com')
  return { app, user }
}
const region = (name: string) => within(screen.getByRole('region', { name }))
const card = async () => within(await screen.findByRole('region', { name: 'Premium' }, SLOW))
const button = async (name: string) => (await card()).findByRole('button', { name })
const isOff = async (name: string) => (await button(name)).getAttribute('aria-disabled') === 'true'
const describedBy = async (name: string) => {
  const id = (await button(name)).getAttribute('aria-describedby')
  return id && document.getElementById(id)?.textContent
}

test('the account page shows the user’s profile, role, planned deletion and usage', async () => {
  await openUser(
    {},
    {
      is_superuser: true,
      has_password: false,
      accepted_terms_version: '2026-11-21',
      accepted_terms_at: at(-1),
      deletion_scheduled_at: at(-3),
      widgets: 7,
      active_widgets: 5,
      checkpoints: 12,
      push_subscriptions: 2,
    },
  )
  expect(screen.getByText('Superuser')).toBeDefined()
  expect(screen.getByText('To be deleted')).toBeDefined()
  const facts = (name: string) => {
    const card = region(name)
    const values = card.getAllByRole('definition').map(({ textContent }) => textContent)
    return Object.fromEntries(card.getAllByRole('term').map(({ textContent }, index) => [textContent, values[index]]))
  }
  expect(facts('Profile')).toMatchObject({
    'Email verified': 'Yes',
    'Logs in with': 'Google',
    'Can log in': 'Yes',
    'Last login': 'Never',
    'Terms accepted': `2026-11-21, on ${formatDay(START - DAY)}`,
    'Privacy accepted': 'Not yet',
    'Deleted on': formatDay(START + 27 * DAY),
  })
  expect(facts('Usage')).toEqual({
    Widgets: '7',
    'Of these active': '5',
    Checkpoints: '12',
    'Devices with notifications': '2',
  })
  expect(document.title).toBe('User · Crypto Ratio Tracker')
})

test('the account page for an unknown id says that there is no such account, without “Try again”', async () => {
  await openAdmin('/admin/users/0f0f0f0f-0f0f-4f0f-8f0f-0f0f0f0f0f0f')
  const alert = await screen.findByRole('alert', {}, SLOW)
  expect(alert.textContent).toBe('Failed to fetch user data.There is no such account.')
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
  expect(screen.getByRole('link', { name: 'All users' }).getAttribute('href')).toBe('/admin/users')
})

test('“All users” on an account page goes back to the search that led to the account', async () => {
  const user = profile('grace@example.com')
  await openAdmin('/admin/users?search=grace', { users: [user] })
  await userEvent.click(await screen.findByRole('link', { name: 'grace@example.com' }, SLOW))
  await heading('grace@example.com')
  const link = screen.getByRole('link', { name: 'All users' })
  expect(link.getAttribute('href')).toBe('/admin/users?search=grace')
  const back = vi.spyOn(history, 'back').mockImplementation(() => undefined)
  await userEvent.click(link)
  expect(back).toHaveBeenCalledOnce()
  isAt(`/admin/users/${user.id}`)
})

test('“All users” on an account page opened by its address leads to the users list', async () => {
  await openUser()
  const back = vi.spyOn(history, 'back')
  await userEvent.click(screen.getByRole('link', { name: 'All users' }))
  await heading('Users')
  isAt('/admin/users')
  expect(back).not.toHaveBeenCalled()
})

test('the account page shows the last five operator actions on the account, and links to all of them', async () => {
  const user = profile('grace@example.com')
  const log = Array.from({ length: 6 }, (_, index) =>
    entry({ target_id: user.id, at: at(-index), action: index === 0 ? 'revoke-premium' : 'grant-premium' }),
  )
  await openAdmin(`/admin/users/${user.id}`, { users: [user], log: [...log, entry()] })
  await heading('grace@example.com')
  const actions = region('Actions')
  await waitFor(() => expect(actions.getAllByRole('listitem')).toHaveLength(5))
  expect(actions.getAllByRole('listitem')[0]!.textContent).toMatch(/^Revoked premium.*by ops@example\.com$/)
  await userEvent.click(actions.getByRole('link', { name: 'All 6 actions' }))
  await heading('Audit log')
  isAt(`/admin/audit-log?user=${user.id}`)
  await waitFor(() => expect(region('Actions').getAllByRole('listitem')).toHaveLength(6))
})

test('the account page shows an account whose subscriptions failed to load, and “Try again” loads them', async () => {
  const app = await openAdmin('/settings', { users: [profile('grace@example.com')] })
  app.answerCall('adminSubscriptions', () => refused(500, 'INTERNAL_ERROR', 'Something went wrong.'))
  await userEvent.click(await screen.findByRole('link', { name: 'Admin Panel' }, SLOW))
  await userEvent.click(await screen.findByRole('link', { name: 'grace@example.com' }, SLOW))
  await heading('grace@example.com')
  expect((await (await card()).findByRole('alert')).textContent).toBe('Failed to fetch user data.Something went wrong.')
  expect((await card()).queryByRole('button', { name: 'Grant premium' })).toBeNull()
  app.answerCall('adminSubscriptions', () => ({ ok: true, value: [] }))
  await userEvent.click(await button('Try again'))
  expect(await button('Grant premium')).toBeDefined()
})

test('“Revoke” is disabled for an account without an active grant, even if the user pays for Premium', async () => {
  await openUser({ subscriptions: [paid(), granted({ status: 'canceled' })] })
  expect(await isOff('Grant premium')).toBe(false)
  expect(await isOff('Revoke')).toBe(true)
  await userEvent.click(await button('Revoke'))
  expect(screen.queryByRole('alertdialog')).toBeNull()
  const rows = within(screen.getByRole('list', { name: 'Subscriptions' })).getAllByRole('listitem')
  expect(rows.map(({ textContent }) => textContent?.slice(0, 25))).toEqual([
    'Stripe subscription Activ',
    expect.stringMatching(/^Granted Ended/),
  ])
})

test('“Grant premium” is disabled while a grant is active, and says until when the grant lasts', async () => {
  await openUser({ subscriptions: [granted()] })
  expect(await isOff('Grant premium')).toBe(true)
  expect(await isOff('Revoke')).toBe(false)
  expect(await describedBy('Grant premium')).toBe(
    `Granted until ${formatDay(START + 20 * DAY)}. Revoke it before you grant anew.`,
  )
  await userEvent.click(await button('Grant premium'))
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('“Grant premium” and “Revoke” are disabled while the browser is offline', async () => {
  await openUser({ subscriptions: [granted()] })
  expect(await isOff('Revoke')).toBe(false)
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  act(() => void window.dispatchEvent(new Event('offline')))
  expect(await isOff('Revoke')).toBe(true)
  expect(await isOff('Grant premium')).toBe(true)
  expect(await describedBy('Revoke')).toBe('Granting and revoking need the network.')
  expect(screen.getByText(/^You are offline\. This is as of /)).toBeDefined()
})

async function granting(known: Partial<Office> = {}) {
  const opened = await openUser(known)
  await userEvent.click(await button('Grant premium'))
  const dialog = within(screen.getByRole('dialog', { name: 'Grant premium' }))
  const days = dialog.getByRole<HTMLInputElement>('spinbutton', { name: 'Days' })
  const submit = () => userEvent.click(dialog.getByRole('button', { name: 'Grant premium' }))
  return { ...opened, dialog, days, submit }
}

test('a grant lasts thirty days by default, and the account page shows the grant once it is given', async () => {
  const { app, user, dialog, days, submit } = await granting()
  expect(days.value).toBe('30')
  expect(document.activeElement).toBe(days)
  expect(dialog.getByText(`Until ${formatDay(START + 30 * DAY)}`)).toBeDefined()
  app.answerCall('grantPremium', () => {
    const grant = granted({ current_period_end: at(30) })
    app.office.subscriptions.push(grant)
    app.office.log.push(entry({ target_id: user.id }))
    app.office.users[0] = { ...user, has_premium_access: true }
    return { ok: true, value: grant }
  })
  await submit()
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(asked(app, 'grantPremium')).toEqual([{ route: 'grantPremium', id: user.id, duration_days: 30 }])
  expect(toasts(app)).toEqual([['success', `grace@example.com has Premium until ${formatDay(START + 30 * DAY)}.`]])
  expect(await within(screen.getByRole('main')).findByText('Premium', { selector: 'span' })).toBeDefined()
  expect(await region('Actions').findByText('Granted premium')).toBeDefined()
  await waitFor(async () => expect(await isOff('Revoke')).toBe(false))
  expect(await isOff('Grant premium')).toBe(true)
  expect(document.activeElement).toBe(await button('Grant premium'))
})

test('the grant dialog takes a usual length by one press, or any other number of days', async () => {
  const { app, dialog, days, submit } = await granting({ subscriptions: [paid()] })
  expect(dialog.getByText(/Their own subscription goes on beside it/)).toBeDefined()
  const year = dialog.getByRole('button', { name: '365 days' })
  await userEvent.click(year)
  expect(days.value).toBe('365')
  expect(year.getAttribute('aria-pressed')).toBe('true')
  await userEvent.clear(days)
  await userEvent.type(days, '11')
  expect(dialog.getByText(`Until ${formatDay(START + 11 * DAY)}`)).toBeDefined()
  await submit()
  await waitFor(() => expect(asked(app, 'grantPremium')).toMatchObject([{ duration_days: 11 }]))
})

test.each([
  ['0', 'Enter a whole number of days, at least 1.'],
  ['-3', 'Enter a whole number of days, at least 1.'],
  ['1.5', 'Enter a whole number of days, at least 1.'],
  ['', 'Enter a whole number of days, at least 1.'],
  ['4000', 'Grant at most 3650 days at once.'],
])('the grant dialog rejects a length of “%s” days without asking the server', async (text, problem) => {
  const { app, dialog, days, submit } = await granting()
  await userEvent.clear(days)
  if (text !== '') await userEvent.type(days, text)
  await submit()
  expect(dialog.getByRole('alert').textContent).toBe(problem)
  expect(days.getAttribute('aria-invalid')).toBe('true')
  expect(document.activeElement).toBe(days)
  expect(asked(app, 'grantPremium')).toEqual([])
  await userEvent.click(dialog.getByRole('button', { name: '7 days' }))
  await submit()
  await waitFor(() => expect(asked(app, 'grantPremium')).toMatchObject([{ duration_days: 7 }]))
})

test('a grant refused because another operator was faster shows the refusal and the existing grant', async () => {
  const { app, dialog, submit } = await granting()
  app.answerCall('grantPremium', () => {
    app.office.subscriptions.push(granted())
    return refused(409, 'GRANT_EXISTS', 'Premium is granted already.')
  })
  await submit()
  expect((await dialog.findByRole('alert')).textContent).toBe(
    'Failed to grant premium access. Premium is granted already.',
  )
  await userEvent.click(dialog.getByRole('button', { name: 'Cancel' }))
  expect(await isOff('Grant premium')).toBe(true)
  expect(await isOff('Revoke')).toBe(false)
  expect(toasts(app)).toEqual([])
})

test('a grant request without an answer warns that Premium may be granted, and reloads the account', async () => {
  const { app, dialog, submit } = await granting()
  app.answerCall('grantPremium', () => {
    app.office.subscriptions.push(granted())
    return UNANSWERED
  })
  await submit()
  expect((await dialog.findByRole('alert')).textContent).toBe(
    'Failed to grant premium access. Nothing answered, so it may have been done all the same. Look again before you repeat it.',
  )
  await userEvent.click(dialog.getByRole('button', { name: 'Cancel' }))
  await waitFor(async () => expect(await isOff('Grant premium')).toBe(true))
})

test('a grant refused after its dialog was closed is reported in a toast', async () => {
  const { app, dialog, submit } = await granting()
  const answers = later(app, 'grantPremium', () => refused(409, 'GRANT_EXISTS', 'Premium is granted already.'))
  await submit()
  await userEvent.click(dialog.getByRole('button', { name: 'Cancel' }))
  await act(async () => answers[0]?.())
  expect(toasts(app)).toEqual([['error', 'Failed to grant premium access. Premium is granted already.']])
})

test('a grant confirmed after another user has signed in shows that user no toast', async () => {
  const { app, submit } = await granting()
  const answers = later(app, 'grantPremium', () => ({ ok: true, value: granted() }))
  await submit()
  await signIn(app, { premium: false })
  await waitFor(() => expect(app.store.get(accountAtom)?.user?.is_superuser).toBe(false))
  await act(async () => answers[0]?.())
  expect(toasts(app)).toEqual([])
})

test('the grant dialog sends one request when its button is pressed twice', async () => {
  const { app, submit } = await granting()
  const answers = later(app, 'grantPremium', () => ({ ok: true, value: granted() }))
  await submit()
  await submit()
  expect(answers).toHaveLength(1)
  await act(async () => answers[0]?.())
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

async function confirming(known: Partial<Office> = {}) {
  const opened = await openUser({ subscriptions: [granted()], ...known })
  await userEvent.click(await button('Revoke'))
  const dialog = within(screen.getByRole('alertdialog', { name: 'Revoke premium?' }))
  return { ...opened, dialog }
}

test('the revocation dialog focuses “Cancel”; Escape closes the dialog and revokes nothing', async () => {
  const { app, dialog } = await confirming()
  expect(dialog.getByText(/pairs beyond its limit become inactive, and nothing is deleted/)).toBeDefined()
  expect(document.activeElement).toBe(dialog.getByRole('button', { name: 'Cancel' }))
  act(() => void screen.getByRole('alertdialog').dispatchEvent(new Event('cancel', { cancelable: true })))
  expect(screen.queryByRole('alertdialog')).toBeNull()
  expect(document.activeElement).toBe(await button('Revoke'))
  expect(asked(app, 'revokePremium')).toEqual([])
})

test('the revocation dialog says that a paid subscription goes on', async () => {
  const { dialog } = await confirming({ subscriptions: [paid(), granted()] })
  expect(dialog.getByText(/Their own subscription goes on, and Premium with it/)).toBeDefined()
})

test('a revocation keeps “Revoke” busy until the answer, and is then confirmed by a toast', async () => {
  const { app, user, dialog } = await confirming()
  const answers = later(app, 'revokePremium', () => {
    const [before] = app.office.subscriptions
    const ended = { ...before!, status: 'canceled' }
    app.office.subscriptions.splice(0, 1, ended)
    return { ok: true, value: ended }
  })
  await userEvent.click(dialog.getByRole('button', { name: 'Revoke' }))
  expect(screen.queryByRole('alertdialog')).toBeNull()
  expect((await button('Revoke')).getAttribute('aria-busy')).toBe('true')
  await userEvent.click(await button('Revoke'))
  expect(screen.queryByRole('alertdialog')).toBeNull()
  await act(async () => answers[0]?.())
  await waitFor(async () => expect(await isOff('Grant premium')).toBe(false))
  expect(await isOff('Revoke')).toBe(true)
  expect((await button('Revoke')).getAttribute('aria-busy')).toBeNull()
  expect(document.activeElement).toBe(await button('Revoke'))
  expect(asked(app, 'revokePremium')).toEqual([{ route: 'revokePremium', id: user.id }])
  expect(toasts(app)).toEqual([['success', 'The grant of grace@example.com is revoked.']])
})

test.each([
  [refused(409, 'NO_GRANT', 'Nothing is granted.'), 'Failed to revoke premium access. Nothing is granted.'],
  [refused(500, null, ''), 'Failed to revoke premium access.'],
  [UNANSWERED, /^Failed to revoke premium access\. Nothing answered, so it may have been done all the same\./],
])('a failed revocation shows an alert and reloads the account’s subscriptions (case %#)', async (failure, words) => {
  const { app, dialog } = await confirming()
  app.answerCall('revokePremium', () => failure)
  const before = asked(app, 'adminSubscriptions').length
  await userEvent.click(dialog.getByRole('button', { name: 'Revoke' }))
  const { textContent } = await (await card()).findByRole('alert')
  expect(textContent).toMatch(words)
  expect(asked(app, 'adminSubscriptions')).toHaveLength(before + 1)
  expect(toasts(app)).toEqual([])
})

test('the account page says why the operator actions could not be reloaded after a revocation', async () => {
  const { app, user } = await openUser({ subscriptions: [granted()], log: [] })
  app.answerCall('auditLog', () => refused(500, null, 'It broke.'))
  app.answerCall('revokePremium', () => ({ ok: true, value: granted({ status: 'canceled' }) }))
  await userEvent.click(await button('Revoke'))
  await userEvent.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Revoke' }))
  await waitFor(() => expect(asked(app, 'auditLog')).toHaveLength(2))
  expect((await screen.findByRole('alert')).textContent).toContain('It broke.')
  expect(user.email).toBe('grace@example.com')
})
