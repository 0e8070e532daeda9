import { screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import type { CallResult } from '../../../src/db/call'
import { VerifyEmail } from '../../../src/features/auth/verify-email'
import { refused, signIn, startLocalApp } from '../support/local-app'
import { stubPasskeys } from './any-passkey'
import { fill, UNANSWERED, UNREACHED, headingInFocus } from './open-auth'

async function follow(token: string | null, answer: CallResult = refused(400, 'INVALID_LINK', 'Unknown.')) {
  const app = await startLocalApp()
  app.answerCalls(({ route }) =>
    route === 'verifyEmail'
      ? answer
      : { ok: true, value: { message: 'If this address waits to be verified, a new link is on its way.' } },
  )
  const onDone = vi.fn()
  const { unmount: leave } = app.render(<VerifyEmail token={token} onDone={onDone} />)
  return { app, onDone, leave }
}

it('the verification page shows progress, then success, and leads on after five seconds', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
  const message = 'Your email address has been verified. You can log in now.'
  const { app, onDone } = await follow('from-the-mail', { ok: true, value: { message } })
  expect(screen.getByRole('status').textContent).toBe('Verifying your email…')
  await headingInFocus('Your email is verified')
  expect(screen.getByText(message)).toBeDefined()
  expect(app.calls).toEqual([{ route: 'verifyEmail', token: 'from-the-mail' }])
  expect(screen.getByRole('link', { name: 'Proceed to Login' }).getAttribute('href')).toBe('/login')

  await vi.advanceTimersByTimeAsync(4000)
  expect(onDone).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1000)
  expect(onDone).toHaveBeenCalledOnce()
})

it('the verification page leads a user who is logged in to the dashboard', async () => {
  const { app } = await follow('from-the-mail', { ok: true, value: { message: 'You can log in now.' } })
  await signIn(app)
  expect(await screen.findByRole('link', { name: 'Open the dashboard' })).toBeDefined()
  expect(screen.getByText('You are logged in already.')).toBeDefined()
  expect(screen.getByText('The dashboard opens in 5 seconds.')).toBeDefined()
})

it('the verification page does not lead on once the user has left it', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
  const { onDone, leave } = await follow('from-the-mail', { ok: true, value: { message: 'Verified.' } })
  await screen.findByRole('heading', { name: 'Your email is verified' })
  leave()
  await vi.advanceTimersByTimeAsync(5000)
  expect(onDone).not.toHaveBeenCalled()
})

it.each([
  ['without a token', null, 'Verification token not found in the link.'],
  ['that was used, or is too old', 'old', 'This verification link is invalid or has expired.'],
])('a verification link %s offers another link and the way to the login', async (_what, token, text) => {
  const { app } = await follow(token)
  expect(await screen.findByRole('heading', { name: text })).toBeDefined()
  expect(screen.getByRole('link', { name: 'Back to login' }).getAttribute('href')).toBe('/login')

  await userEvent.click(screen.getByRole('button', { name: 'Resend verification email' }))
  expect(screen.getByRole('alert').textContent).toBe('Email is required to resend the verification link.')
  expect(document.activeElement).toBe(screen.getByLabelText('Email'))
  expect(app.calls.map(({ route }) => route)).toEqual(token === null ? [] : ['verifyEmail'])

  await fill('Email', 'ada@example.com')
  await userEvent.click(screen.getByRole('button', { name: 'Resend verification email' }))
  expect(app.calls.at(-1)).toEqual({ route: 'resendVerification', email: 'ada@example.com' })
  expect((await screen.findByRole('status')).textContent).toBe(
    'If this address waits to be verified, a new link is on its way.',
  )
})

it.each([
  ['is not answered', UNANSWERED, UNREACHED],
  [
    'meets a limit',
    refused(429, 'RATE_LIMITED', 'Too many attempts. Please try again in 60 seconds.'),
    'Too many attempts. Please try again in 60 seconds.',
  ],
  ['meets a fault of the server', refused(500, 'INTERNAL_ERROR', 'Something went wrong.'), 'Something went wrong.'],
  ['meets a proxy without a server', refused(502), 'Please try again.'],
])('a verification that %s is not called a bad link and can be tried again', async (_what, answer, text) => {
  const { app } = await follow('from-the-mail', answer)
  await headingInFocus('Your email could not be verified yet')
  expect(screen.getByText(text)).toBeDefined()
  app.answerCalls(() => ({ ok: true, value: { message: 'Verified.' } }))
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await screen.findByRole('heading', { name: 'Your email is verified' })
  expect(app.calls).toHaveLength(2)
})

const ASKED = 'Enter the password that you chose when you registered.'
const NEEDED = { ...refused(403, 'PASSWORD_REQUIRED', ASKED), email: 'ada@example.com' } as CallResult

const field = () => screen.getByLabelText('Password')
const submit = () => userEvent.click(screen.getByRole('button', { name: 'Verify email' }))

it('the verification page asks for the password, names the account, and verifies with the password', async () => {
  const { app } = await follow('from-the-mail', NEEDED)
  await headingInFocus('Enter your password')
  expect(screen.getByText(ASKED)).toBeDefined()
  expect(screen.getByText('ada@example.com')).toBeDefined()
  expect(field().getAttribute('autocomplete')).toBe('current-password')
  expect(document.querySelector('input[autocomplete="username"]')).toHaveProperty('value', 'ada@example.com')
  expect(app.calls).toEqual([{ route: 'verifyEmail', token: 'from-the-mail' }])

  await submit()
  expect(screen.getByRole('alert').textContent).toBe('Password is required.')
  app.answerCalls(() => refused(403, 'INCORRECT_PASSWORD', 'The entered password is incorrect. Please try again.'))
  await fill('Password', 'a wrong one')
  await submit()
  await waitFor(() =>
    expect(screen.getByRole('alert').textContent).toBe('The entered password is incorrect. Please try again.'),
  )
  await waitFor(() => expect(document.activeElement).toBe(field()))
  expect(field()).toHaveProperty('value', 'a wrong one')

  app.answerCalls(() => ({ ok: true, value: { message: 'Verified.' } }))
  await userEvent.clear(field())
  await fill('Password', 'the right one')
  await submit()
  await headingInFocus('Your email is verified')
  expect(app.calls.at(-1)).toEqual({ route: 'verifyEmail', token: 'from-the-mail', password: 'the right one' })
})

it.each([
  ['a limit', refused(429, 'RATE_LIMITED', 'Too many attempts.'), 'Too many attempts.'],
  ['no answer', UNANSWERED, UNREACHED],
  ['a fault of the server', refused(500, 'INTERNAL_ERROR', 'Something went wrong.'), 'Something went wrong.'],
])('the verification page keeps the password that was typed when it meets %s', async (_what, answer, text) => {
  const { app } = await follow('from-the-mail', NEEDED)
  await screen.findByRole('heading', { name: 'Enter your password' })
  app.answerCalls(() => answer)
  await fill('Password', 'the right one')
  await submit()
  expect((await screen.findByRole('alert')).textContent).toBe(text)
  expect(field()).toHaveProperty('value', 'the right one')
})

it('the verification page says so when the link has been used before the password is sent', async () => {
  const { app } = await follow('from-the-mail', NEEDED)
  await screen.findByRole('heading', { name: 'Enter your password' })
  app.answerCalls(() => refused(400, 'INVALID_LINK', 'Unknown.'))
  await fill('Password', 'the right one')
  await submit()
  await headingInFocus('This verification link is invalid or has expired.')
})

it('the verification page has a link mailed that sets another password', async () => {
  const { app } = await follow('from-the-mail', NEEDED)
  await screen.findByRole('heading', { name: 'Enter your password' })
  const another = () => userEvent.click(screen.getByRole('button', { name: 'Set another password by mail' }))
  app.answerCalls(() => UNANSWERED)
  await another()
  expect((await screen.findByRole('alert')).textContent).toBe(`Failed to request password reset. ${UNREACHED}`)
  app.answerCalls(() => ({ ok: true, value: { message: 'A link is on its way.' } }))
  await another()
  await headingInFocus('Check your inbox')
  expect(screen.getByText('A link is on its way.')).toBeDefined()
  expect(app.calls.at(-1)).toEqual({ route: 'requestPasswordReset', email: 'ada@example.com' })
})

const BY_PASSKEY = { ...refused(403, 'PASSKEY_REQUIRED', 'Use it.'), email: 'ada@example.com' } as CallResult

it('the verification page of an account without a password asks for the passkey, no password, and verifies with it', async () => {
  stubPasskeys()
  const { app } = await follow('from-the-mail', BY_PASSKEY)
  await headingInFocus('Use your passkey')
  expect(screen.getByText('ada@example.com')).toBeDefined()
  expect(screen.queryByLabelText('Password')).toBeNull()
  app.answerCall('passkeyOptions', () => ({ ok: true, value: { ticket: 't', options: { challenge: 'AAAA' } } }))
  const use = () => userEvent.click(screen.getByRole('button', { name: 'Use your passkey' }))
  app.answerCalls(() => refused(403, 'SECOND_FACTOR_REFUSED', 'This passkey was not recognised.'))
  await use()
  expect((await screen.findByRole('alert')).textContent).toBe('This passkey was not recognised.')
  app.answerCalls(() => ({ ok: true, value: { message: 'Verified.' } }))
  await use()
  await headingInFocus('Your email is verified')
  expect(app.calls.at(-1)).toMatchObject({
    route: 'verifyEmail',
    token: 'from-the-mail',
    passkey: { ticket: 't', assertion: { id: 'AQ' } },
  })
})

it('the verification page without passkeys leads back to the registering browser, or to a password by mail', async () => {
  const { app } = await follow('from-the-mail', BY_PASSKEY)
  await headingInFocus('Open this link where you registered')
  expect(screen.queryByRole('button', { name: 'Use your passkey' })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Set a password by mail' }))
  await headingInFocus('Check your inbox')
  expect(app.calls.at(-1)).toEqual({ route: 'requestPasswordReset', email: 'ada@example.com' })
})

it.each([
  ['an address that the server does not take', refused(422, 'VALIDATION_ERROR', 'x'), 'Enter a valid email address.'],
  ['too many mails', refused(429, null, 'Try again in an hour.'), 'Try again in an hour.'],
  ['no answer', UNANSWERED, UNREACHED],
])('resending the verification link shows an error for %s', async (_what, result, text) => {
  const { app } = await follow(null)
  app.answerCalls(() => result)
  await fill('Email', 'ada@example.com')
  await userEvent.click(screen.getByRole('button', { name: 'Resend verification email' }))
  await waitFor(() => expect(screen.getByRole('alert').textContent).toBe(text))
})
