import { screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { writeMeta } from '../../../src/db/database'
import { Shell } from '../../../src/features/shell/shell'
import { accountAtom } from '../../../src/state/account'
import { AccountDialogs, openDialog } from '../support/open-dialog'
import { dialog, fill, headingInFocus, openAuth, POLICIES, UNANSWERED, UNREACHED } from './open-auth'
import { refused, START, startLocalApp } from '../support/local-app'
import { SLOW } from '../support/slow'
import { setWidth } from '../support/viewport'

const email = () => screen.getByLabelText('Email')
const password = () => screen.getByLabelText('Password')
const open = () => openAuth({ view: 'login' })

async function logIn() {
  await fill('Email', ' ada@example.com ')
  await fill('Password', 'engine no. 1')
  await userEvent.keyboard('{Enter}')
}

it('the login dialog sends the address and the password, and closes when the login succeeds', async () => {
  const app = await open()
  await logIn()
  expect(app.calls).toEqual([{ route: 'logIn', username: 'ada@example.com', password: 'engine no. 1' }])
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(openDialog(app.store, 'auth')).toBeUndefined()
})

it('the login dialog focuses the email field, and marks both fields for password managers', async () => {
  await open()
  await waitFor(() => expect(document.activeElement).toBe(email()))
  expect(email().getAttribute('autocomplete')).toBe('username')
  expect(email().getAttribute('type')).toBe('email')
  expect(password().getAttribute('autocomplete')).toBe('current-password')
  expect([email().getAttribute('name'), password().getAttribute('name')]).toEqual(['email', 'password'])
})

it.each([
  ['', '', ['Email is required.', 'Password is required.']],
  ['ada', 'x', ['Enter a valid email address.']],
  ['ada@example.com', '', ['Password is required.']],
])('the login dialog itself rejects the email “%s” with the password “%s”', async (address, secret, problems) => {
  const app = await open()
  await fill('Email', address)
  await fill('Password', secret)
  await userEvent.click(dialog('Log In').getByRole('button', { name: 'Log In' }))
  expect(screen.getAllByRole('alert').map((note) => note.textContent)).toEqual(problems)
  expect(document.activeElement).toBe(problems[0]!.startsWith('Password') ? password() : email())
  expect(app.calls).toEqual([])
})

it.each([
  [
    "the server's words",
    refused(401, 'INVALID_CREDENTIALS', 'Incorrect email or password.'),
    'Incorrect email or password.',
  ],
  ['a refusal without words', refused(401, 'INVALID_CREDENTIALS'), 'Login failed. Please check your credentials.'],
  ['too many tries', refused(429, null, 'Too many tries. Wait a minute.'), 'Too many tries. Wait a minute.'],
  ['no answer', UNANSWERED, `An unexpected error occurred. ${UNREACHED}`],
])('a failed login (%s) shows its message at the form, and keeps the password', async (_what, result, text) => {
  const app = await open()
  app.answerCalls(() => result)
  await logIn()
  expect((await screen.findByRole('alert')).textContent).toBe(text)
  expect(password()).toHaveProperty('value', 'engine no. 1')
  expect(openDialog(app.store, 'auth')).toEqual({ kind: 'auth', view: 'login' })
})

const offer = () => screen.queryByRole('button', { name: 'Create an account with this address' })

it.each([
  ['who goes on by the keyboard’s key', 4, () => userEvent.keyboard('{Enter}')],
  ['who taps the fields', 5, () => userEvent.click(password())],
])(
  'a refused login offers to make an account of what was typed: a guest on a phone %s is in after %i taps',
  async (_who, needed, goOn) => {
    setWidth(360)
    let taps = 0
    const count = () => void (taps += 1)
    document.addEventListener('click', count, true)
    const app = await startLocalApp()
    await writeMeta(app.db, 'policies', { policies: POLICIES, fetched_at: START })
    app.answerCall('logIn', () => refused(401, 'INVALID_CREDENTIALS', 'Incorrect email or password.'))
    app.answerCall('register', () => ({ ok: true, value: { message: 'Done.', signed_in: true } }))
    app.render(
      <>
        <Shell>content</Shell>
        <AccountDialogs />
      </>,
    )
    await waitFor(() => expect(app.store.get(accountAtom)?.user).toBeNull())
    await userEvent.click(await screen.findByRole('button', { name: 'Account' }))
    await screen.findByRole('dialog', { name: 'Log In' }, SLOW)
    await waitFor(() => expect(document.activeElement).toBe(email()))
    await userEvent.paste('ada@example.com')
    await goOn()
    expect(document.activeElement).toBe(password())
    expect(screen.queryByRole('alert')).toBeNull()
    await userEvent.paste('engine no. 1')
    expect(offer()).toBeNull()
    await userEvent.click(dialog('Log In').getByRole('button', { name: 'Log In' }))
    await waitFor(() => expect(offer()).not.toBeNull())
    await userEvent.click(offer()!)
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Confirm password')))
    expect(screen.queryByRole('alert'), 'the fault was of the login').toBeNull()
    await userEvent.paste('engine no. 1')
    await userEvent.click(dialog('Register').getByRole('button', { name: 'Register' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    document.removeEventListener('click', count, true)
    expect(app.calls).toMatchObject([
      { route: 'logIn' },
      { route: 'register', email: 'ada@example.com', password: 'engine no. 1', account: { brings: true } },
    ])
    expect(taps).toBe(needed)
  },
)

it.each([
  ['too many tries', refused(429, null, 'Too many tries. Wait a minute.')],
  ['no answer', UNANSWERED],
])('the login dialog offers no account after %s', async (_what, result) => {
  const app = await open()
  app.answerCalls(() => result)
  await logIn()
  await screen.findByRole('alert')
  expect(offer()).toBeNull()
})

it('the login dialog takes the offer of an account back when the address is changed', async () => {
  const app = await open()
  app.answerCalls(() => refused(401, 'INVALID_CREDENTIALS', 'Incorrect email or password.'))
  await logIn()
  await waitFor(() => expect(offer()).not.toBeNull())
  await userEvent.type(email(), 'x')
  expect(offer()).toBeNull()
})

it('the login dialog sends no second request while the first is unanswered', async () => {
  const app = await open()
  let answer: () => void = () => undefined
  app.answerCalls(
    () =>
      new Promise((resolve) => {
        answer = () => resolve({ ok: true, value: null })
      }),
  )
  await logIn()
  const button = dialog('Log In').getByRole('button', { name: 'Log In' })
  expect(button.getAttribute('aria-disabled')).toBe('true')
  expect(email()).toHaveProperty('readOnly', true)
  await userEvent.click(button)
  expect(app.calls).toHaveLength(1)
  answer()
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

it('the login dialog shows the notice that it was opened with, until a login is refused', async () => {
  const app = await openAuth({ view: 'login', notice: 'Your session has expired.' })
  expect(dialog('Log In').getByText('Your session has expired.')).toBeDefined()
  app.answerCalls(() => refused(401, 'INVALID_CREDENTIALS', 'No.'))
  await logIn()
  expect((await screen.findByRole('alert')).textContent).toBe('No.')
  expect(screen.queryByText('Your session has expired.')).toBeNull()
})

async function unverified() {
  const app = await open()
  app.answerCalls(({ route }) =>
    route === 'logIn'
      ? refused(403, 'EMAIL_NOT_VERIFIED', 'Not verified.')
      : { ok: true, value: { message: 'On its way.' } },
  )
  await logIn()
  await headingInFocus('Verify your email first')
  return app
}

it('a login with an unverified address focuses a notice, which can have the link sent again', async () => {
  const app = await unverified()
  expect(screen.getByText('ada@example.com')).toBeDefined()
  await userEvent.click(screen.getByRole('button', { name: 'Resend verification email' }))
  expect(await screen.findByText('On its way.')).toBeDefined()
  expect(app.calls.at(-1)).toEqual({ route: 'resendVerification', email: 'ada@example.com' })
})

it('a login with an unverified address says when the verification link could not be sent again', async () => {
  const app = await unverified()
  app.answerCalls(() => refused(500))
  await userEvent.click(screen.getByRole('button', { name: 'Resend verification email' }))
  expect((await screen.findByRole('alert')).textContent).toBe(
    'Failed to resend the verification email. Please try again.',
  )
})

it('“Back to login” after an unverified address keeps the address, and focuses the password', async () => {
  await unverified()
  await userEvent.click(screen.getByRole('button', { name: 'Back to login' }))
  expect(email()).toHaveProperty('value', 'ada@example.com')
  expect((document.activeElement as HTMLInputElement).name).toBe('password')
})
