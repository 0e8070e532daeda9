import { act, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Screens } from '../../../src/app/screens'
import { accountAtom } from '../../../src/state/account'
import { addPairOpenAtom, authOpenAtom } from '../../../src/state/panels'
import { fill, refused } from '../auth/open-auth'
import { catchReports, type LocalApp, seedCoins, signIn, startLocalApp } from '../support/local-app'
import { setWidth } from '../support/viewport'

// The first import of a lazy screen compiles it.
const SLOW = { timeout: 10_000 }

let reports: unknown[]
beforeEach(() => {
  setWidth(1440)
  reports = catchReports()
})
afterEach(() => expect(reports).toEqual([]))

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

describe('outside the shell', () => {
  test.each([
    ['/login', 'Log In', 'Log In · Crypto Ratio Tracker'],
    ['/register', 'Register', 'Register · Crypto Ratio Tracker'],
    ['/forgot-password', 'Forgot Password', 'Forgot Password · Crypto Ratio Tracker'],
    ['/verify-email', 'Verify Email', 'Verify Email · Crypto Ratio Tracker'],
    ['/checkout-success', 'Thank you!', 'Thank you · Crypto Ratio Tracker'],
    ['/checkout-canceled', 'Subscription canceled', 'Subscription canceled · Crypto Ratio Tracker'],
  ])('%s', async (address, name, title) => {
    await open(address)
    await heading(name)
    await waitFor(() => expect(document.title).toBe(title))
    expect(screen.getAllByRole('main')).toHaveLength(1)
    expect(screen.queryByRole('navigation')).toBeNull()
  })

  test('the pages lead to one another by their addresses, and start at their content', async () => {
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

  test('the name of the app leads to the dashboard', async () => {
    await open('/login')
    await userEvent.click(await screen.findByRole('link', { name: 'Crypto Ratio Tracker' }, SLOW))
    await isAt('/')
    await inShell()
  })

  test('policies can be read there', async () => {
    await open('/login')
    await heading('Log In')
    await userEvent.click(screen.getByRole('button', { name: 'Privacy Policy' }))
    expect(await screen.findByRole('dialog', { name: 'Privacy Policy' }, SLOW)).toBeDefined()
  })
})

describe('logging in by the page', () => {
  test('leads to the dashboard', async () => {
    const app = await open('/login')
    app.answerAccount(async () => {
      await signIn(app)
      return { ok: true, message: null }
    })
    await heading('Log In')
    await fill('Email', 'ada@example.com')
    await fill('Password', 'engine no. 1')
    await userEvent.keyboard('{Enter}')
    await isAt('/')
    await inShell()
  })

  test.each(['/login', '/register', '/forgot-password'])('whoever is logged in has no use for %s', async (address) => {
    await open(address, signIn)
    await isAt('/')
    await inShell()
  })
})

describe('the links of mails', () => {
  test('one that was verified leads to the login', async () => {
    const app = await open('/verify-email?token=from-the-mail')
    await screen.findByRole('heading', { name: 'Your email is verified' }, SLOW)
    expect(app.asked).toEqual([{ kind: 'verify-email', token: 'from-the-mail' }])
    await userEvent.click(screen.getByRole('link', { name: 'Proceed to Login' }))
    await heading('Log In')
  })

  test('one that resets a password opens the dialog over the dashboard, once, and leaves no token behind', async () => {
    const app = await open('/reset-password?token=from-the-mail')
    const dialog = within(await screen.findByRole('dialog', { name: 'Reset Password' }, SLOW))
    await isAt('/')
    expect(app.store.get(authOpenAtom)).toEqual({ view: 'resetPassword', token: 'from-the-mail' })
    await userEvent.click(dialog.getByRole('button', { name: 'Close' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(history.state).toBeNull()
  })

  test('one without a token has another sent', async () => {
    await open('/reset-password')
    expect(await screen.findByRole('dialog', { name: 'Forgot Password' }, SLOW)).toBeDefined()
    await isAt('/')
  })
})

describe('back from Google', () => {
  test('a sign-in leads to the dashboard', async () => {
    const app = await open('/auth/google/callback?code=c&state=s')
    await isAt('/')
    expect(app.asked).toEqual([{ kind: 'google', code: 'c', state: 's', iss: null }])
  })

  test.each([
    ['/auth/google/callback?state=s', 'Google authorization code not found in URL. Please try signing in again.'],
    ['/auth/google/callback?code=c&state=s', 'Failed to sign in with Google. The server rejected the request.'],
  ])('%s leads to the login, and is said there and in a toast', async (address, text) => {
    await open(address, (app) => app.answerAccount(() => refused(401, 'GOOGLE_SIGN_IN_REFUSED', 'x')))
    await isAt('/login')
    await heading('Log In')
    expect(within(screen.getByRole('form', { name: 'Log in' })).getByText(text)).toBeDefined()
    const toast = await screen.findByRole('alert', undefined, SLOW)
    await waitFor(() => expect(toast.textContent).toContain(text))
  })
})

describe('the app', () => {
  test('waits for the session', async () => {
    const app = await open('/settings')
    app.store.set(accountAtom, undefined)
    expect((await screen.findByText('Loading session...')).closest('main')).not.toBeNull()
    expect(screen.queryByRole('navigation')).toBeNull()
  })

  test('gives way to the policies until they are accepted', async () => {
    const app = await open('/settings', (one) => signIn(one, { accepted: false }))
    await heading('Before you start')
    expect(screen.queryByRole('navigation')).toBeNull()
    act(() => app.store.set(addPairOpenAtom, true))
    // By then the dialog would have been loaded too.
    await act(async () => void (await import('../../../src/features/add-pair/add-pair-dialog')))
    expect(screen.queryByRole('dialog')).toBeNull()
    act(() => app.store.set(addPairOpenAtom, false))
    expect(document.title).toBe('Policies · Crypto Ratio Tracker')
    const session = (await app.db.session.get('current'))!
    const at = new Date().toISOString()
    await app.db.session.put({ ...session, user: { ...session.user!, accepted_terms_at: at, accepted_privacy_at: at } })
    await heading('Settings')
  })

  test('lets whoever does not accept the policies delete the account', async () => {
    await open('/', (one) => signIn(one, { accepted: false }))
    await userEvent.click(await screen.findByRole('button', { name: 'Delete account' }, SLOW))
    const dialog = within(await screen.findByRole('dialog', { name: 'Delete Account' }))
    await userEvent.click(dialog.getByRole('button', { name: 'Cancel' }))
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  test('asks about a session that has expired, wherever one is', async () => {
    await open('/status', async (app) => {
      await signIn(app)
      await app.db.session.update('current', { tokens: null })
    })
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Session Expired' }, SLOW))
    await userEvent.click(dialog.getByRole('button', { name: 'Continue as Guest' }))
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    await heading('Status')
  })
})

describe('when somebody else uses the app', () => {
  test('what was being typed is gone, and the focus is at the content', async () => {
    const app = await open('/settings')
    const before = await heading('Settings')
    await signIn(app)
    await waitFor(() => expect(before.isConnected).toBe(false))
    await heading('Settings')
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('main')))
  })
})
