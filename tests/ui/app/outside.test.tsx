import { act, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { Screens } from '../../../src/app/screens'
import { accountAtom } from '../../../src/state/account'
import { closeDialogAtom, openDialogAtom } from '../../../src/state/open-dialogs'
import { openDialog } from '../support/open-dialog'
import { fill } from '../auth/open-auth'
import { type LocalApp, seedCoins, signIn, startLocalApp, refused } from '../support/local-app'
import { setWidth } from '../support/viewport'
import { SLOW } from '../support/slow'

beforeEach(() => setWidth(1440))

async function open(address: string, prepare: (app: LocalApp) => unknown = () => undefined): Promise<LocalApp> {
  history.replaceState(null, '', address)
  const app = await startLocalApp()
  await seedCoins(app, 4)
  await prepare(app)
  app.render(<Screens />)
  return app
}
const heading = (name: string) => screen.findByRole('heading', { level: 1, name }, SLOW)
const isAt = (address: string) => waitFor(() => expect(location.pathname + location.search).toBe(address), SLOW)
const inShell = () => screen.findByRole('navigation', { name: 'Main' }, SLOW)

test.each([
  ['/login', 'Log In', 'Log In · Crypto Ratio Tracker'],
  ['/register', 'Register', 'Register · Crypto Ratio Tracker'],
  ['/forgot-password', 'Forgot Password', 'Forgot Password · Crypto Ratio Tracker'],
  ['/verify-email', 'Verify Email', 'Verify Email · Crypto Ratio Tracker'],
  ['/remove-passkey', 'Remove Passkey', 'Remove Passkey · Crypto Ratio Tracker'],
  ['/checkout-success', 'Thank you!', 'Thank you · Crypto Ratio Tracker'],
  ['/checkout-canceled', 'Subscription canceled', 'Subscription canceled · Crypto Ratio Tracker'],
])('the page %s has its heading and document title, and no navigation', async (address, name, title) => {
  await open(address)
  await heading(name)
  await waitFor(() => expect(document.title).toBe(title))
  expect(screen.getAllByRole('main')).toHaveLength(1)
  expect(screen.queryByRole('navigation')).toBeNull()
})

test('the login, registration and forgotten-password pages link to one another and focus their content', async () => {
  await open('/login')
  await heading('Log In')
  await userEvent.click(screen.getByRole('link', { name: 'Create an account' }))
  await heading('Register')
  expect(location.pathname).toBe('/register')
  expect(document.activeElement).toBe(screen.getByRole('main'))
  await userEvent.click(screen.getByRole('link', { name: 'Log in' }))
  await userEvent.click(await screen.findByRole('link', { name: 'Forgot password?' }))
  await heading('Forgot Password')
  await userEvent.click(screen.getByRole('link', { name: 'Back to login' }))
  await heading('Log In')
})

test('the app’s name on the login page leads to the dashboard', async () => {
  await open('/login')
  await userEvent.click(await screen.findByRole('link', { name: 'Crypto Ratio Tracker' }, SLOW))
  await isAt('/')
  await inShell()
})

test('the privacy policy opens in a dialog over the login page', async () => {
  await open('/login')
  await heading('Log In')
  await userEvent.click(screen.getByRole('button', { name: 'Privacy Policy' }))
  expect(await screen.findByRole('dialog', { name: 'Privacy Policy' }, SLOW)).toBeDefined()
})

test('a login on the login page leads to the dashboard', async () => {
  const app = await open('/login')
  app.answerCall('logIn', async () => {
    await signIn(app)
    return { ok: true, value: null }
  })
  await heading('Log In')
  await fill('Email', 'ada@example.com')
  await fill('Password', 'engine no. 1')
  await userEvent.keyboard('{Enter}')
  await isAt('/')
  await inShell()
})

test('the address at which a password is changed leads a guest to the login page, and after the login back to the button', async () => {
  const app = await open('/settings#change-password')
  app.answerCall('logIn', async () => {
    await signIn(app, { hasPassword: true })
    return { ok: true, value: null }
  })
  await heading('Log In')
  expect(location.pathname).toBe('/login')
  await fill('Email', 'ada@example.com')
  await fill('Password', 'engine no. 1')
  await userEvent.keyboard('{Enter}')
  const button = await screen.findByRole('button', { name: 'Change Password' }, SLOW)
  await waitFor(() => expect(document.activeElement).toBe(button))
  expect(location.pathname + location.hash).toBe('/settings#change-password')
})

test.each(['/login', '/register', '/forgot-password'])('a user is led from %s to the dashboard', async (address) => {
  await open(address, signIn)
  await isAt('/')
  await inShell()
})

test('the verification link of a mail verifies the address and offers the way to the login page', async () => {
  const app = await open('/verify-email?token=from-the-mail')
  await screen.findByRole('heading', { name: 'Your email is verified' }, SLOW)
  expect(app.calls).toEqual([{ route: 'verifyEmail', token: 'from-the-mail' }])
  await userEvent.click(screen.getByRole('link', { name: 'Proceed to Login' }))
  await heading('Log In')
})

test('the reset link of a mail opens the reset dialog once over the dashboard, and leaves no token behind', async () => {
  const app = await open('/reset-password?token=from-the-mail')
  const dialog = within(await screen.findByRole('dialog', { name: 'Reset Password' }, SLOW))
  await isAt('/')
  expect(openDialog(app.store, 'auth')).toEqual({ kind: 'auth', view: 'resetPassword', token: 'from-the-mail' })
  await userEvent.click(dialog.getByRole('button', { name: 'Close' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(history.state).toBeNull()
})

test('a reset link without a token opens the Forgot Password dialog over the dashboard', async () => {
  await open('/reset-password')
  expect(await screen.findByRole('dialog', { name: 'Forgot Password' }, SLOW)).toBeDefined()
  await isAt('/')
})

test('a sign-in with Google leads to the dashboard', async () => {
  const app = await open('/auth/google/callback?code=c&state=s')
  await isAt('/')
  expect(app.calls).toEqual([{ route: 'googleCallback', code: 'c', state: 's', iss: null }])
})

test.each([
  ['/auth/google/callback?state=s', 'Google authorization code not found in URL. Please try signing in again.'],
  ['/auth/google/callback?code=c&state=s', 'Failed to sign in with Google. The server rejected the request.'],
])('the failed Google sign-in at %s is reported on the login page and in a toast', async (address, text) => {
  await open(address, (app) => app.answerCalls(() => refused(401, 'GOOGLE_SIGN_IN_REFUSED', 'x')))
  await isAt('/login')
  await heading('Log In')
  expect(within(screen.getByRole('form', { name: 'Log in' })).getByText(text)).toBeDefined()
  const toast = await screen.findByRole('alert', undefined, SLOW)
  await waitFor(() => expect(toast.textContent).toContain(text))
})

test('the app shows a loading text without navigation until the session is known', async () => {
  const app = await open('/settings')
  // Looked at in the same turn: the app reads the session of the local database and goes on.
  act(() => app.store.set(accountAtom, undefined))
  expect(screen.getByText('Loading session...').closest('main')).not.toBeNull()
  expect(screen.queryByRole('navigation')).toBeNull()
})

test('a user who has not accepted the policies sees them in place of the app until they are accepted', async () => {
  const app = await open('/settings', (one) => signIn(one, { accepted: false }))
  await heading('Before you start')
  expect(screen.queryByRole('navigation')).toBeNull()
  act(() => app.store.set(openDialogAtom, { kind: 'add-pair' }))
  // By then the dialog would have been loaded too.
  await act(async () => void (await import('../../../src/features/add-pair/add-pair-dialog')))
  expect(screen.queryByRole('dialog')).toBeNull()
  act(() => app.store.set(closeDialogAtom, 'add-pair'))
  expect(document.title).toBe('Policies · Crypto Ratio Tracker')
  const session = (await app.db.session.get('current'))!
  const at = new Date().toISOString()
  await app.db.session.put({ ...session, user: { ...session.user!, accepted_terms_at: at, accepted_privacy_at: at } })
  await heading('Settings')
})

test('a user who has not accepted the policies can open the Delete Account dialog', async () => {
  await open('/', (one) => signIn(one, { accepted: false }))
  await userEvent.click(await screen.findByRole('button', { name: 'Delete account' }, SLOW))
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete Account' }))
  await userEvent.click(dialog.getByRole('button', { name: 'Cancel' }))
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('the Session Expired dialog opens over the status page, and “Continue as Guest” stays on that page', async () => {
  await open('/status', async (app) => {
    await signIn(app)
    await app.db.session.update('current', { tokens: null })
  })
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Session Expired' }, SLOW))
  await userEvent.click(dialog.getByRole('button', { name: 'Continue as Guest' }))
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  await heading('Status')
})

test('a change of user replaces the screen’s content and moves the focus to the new content', async () => {
  const app = await open('/settings')
  const before = await heading('Settings')
  await signIn(app)
  await waitFor(() => expect(before.isConnected).toBe(false))
  await heading('Settings')
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('main')))
})
