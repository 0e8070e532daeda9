import { screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { dialog, fill, openAuth, UNANSWERED, UNREACHED, headingInFocus } from './open-auth'
import { refused } from '../support/local-app'

const field = (name: string) => screen.getByLabelText(name)

const open = () => openAuth({ view: 'forgotPassword' })
const ask = async (email: string) => {
  await fill('Email', email)
  await userEvent.keyboard('{Enter}')
}

it('the Forgot Password dialog requests a link, shows the server’s answer, and leads back to the login', async () => {
  const app = await open()
  app.answerCalls(() => ({
    ok: true,
    value: { message: 'If an account with this email exists, a link is on its way.' },
  }))
  await ask('ada@example.com')
  expect(app.calls).toEqual([{ route: 'requestPasswordReset', email: 'ada@example.com' }])
  await headingInFocus('Check your inbox')
  expect(screen.getByText('If an account with this email exists, a link is on its way.')).toBeDefined()
  await userEvent.click(screen.getByRole('button', { name: 'Back to login' }))
  expect(screen.getByRole('dialog', { name: 'Log In' })).toBeDefined()
})

it('the Forgot Password dialog shows a text of its own when the server sends no message', async () => {
  await open()
  await ask('ada@example.com')
  expect(await screen.findByText(/^If an account with this email exists/)).toBeDefined()
})

it.each([
  ['a refusal', refused(500), 'Failed to request password reset.'],
  [
    'too many tries',
    refused(429, null, 'Try again in an hour.'),
    'Failed to request password reset. Try again in an hour.',
  ],
  ['no answer', UNANSWERED, `Failed to request password reset. ${UNREACHED}`],
  ['an address that the server does not take', refused(422, 'VALIDATION_ERROR', 'x'), 'Enter a valid email address.'],
])('the Forgot Password dialog shows an error for %s', async (_what, result, text) => {
  const app = await open()
  app.answerCalls(() => result)
  await ask('ada@example.com')
  expect((await screen.findByRole('alert')).textContent).toBe(text)
})

it('the Forgot Password dialog requires an address before it asks the server', async () => {
  const app = await open()
  await userEvent.click(screen.getByRole('button', { name: 'Send reset link' }))
  expect(screen.getByRole('alert').textContent).toBe('Email is required.')
  expect(app.calls).toEqual([])
})

describe('Reset Password dialog', () => {
  const open = () => openAuth({ view: 'resetPassword', token: 'from-the-mail' })
  async function choose(password: string, confirmation = password) {
    await fill('Password', password)
    await fill('Confirm password', confirmation)
    await userEvent.click(dialog('Reset Password').getByRole('button', { name: 'Reset Password' }))
  }

  it('the Reset Password dialog sets a password with the token of the mail, and then leads to the login', async () => {
    const app = await open()
    app.answerCall('resetPassword', () => ({ ok: true, value: { message: 'Your recovery codes no longer work.' } }))
    await waitFor(() => expect(document.activeElement).toBe(field('Password')))
    await choose('eight888')
    expect(app.calls).toEqual([{ route: 'resetPassword', token: 'from-the-mail', new_password: 'eight888' }])
    const proceed = await screen.findByRole('button', { name: 'Proceed to Login' })
    expect(screen.getByText('Your recovery codes no longer work.')).toBeDefined()
    await userEvent.click(proceed)
    expect(screen.getByRole('dialog', { name: 'Log In' })).toBeDefined()
    expect(document.activeElement).toBe(field('Email'))
  })

  it.each([
    ['seven77', 'seven77', 'Password must be at least 8 characters long.'],
    ['eight888', 'eight889', 'Passwords do not match.'],
  ])('the Reset Password dialog itself rejects “%s” confirmed as “%s”', async (password, confirmation, text) => {
    const app = await open()
    await choose(password, confirmation)
    expect(screen.getAllByRole('alert').map((note) => note.textContent)).toEqual([text])
    expect(app.calls).toEqual([])
  })

  const BAD = 'Failed to reset password. The link may be invalid or expired.'
  it.each([
    ['a link that is used or too old', refused(400, 'INVALID_LINK', 'This link is unknown.'), BAD],
    ['a refusal without words', refused(502), BAD],
    ['too many tries', refused(429, 'RATE_LIMITED', 'Wait a minute.'), 'Failed to reset password. Wait a minute.'],
    ['a fault of the server', refused(500, 'INTERNAL_ERROR', 'Oh.'), 'Failed to reset password. Oh.'],
    ['no answer', UNANSWERED, `Failed to reset password. ${UNREACHED}`],
  ])('the Reset Password dialog shows an error for %s, and offers a new link', async (_what, result, text) => {
    const app = await open()
    app.answerCalls(() => result)
    await choose('eight888')
    expect((await screen.findByText(text)).textContent).toBe(text)
    await userEvent.click(screen.getByRole('button', { name: 'Request a new link' }))
    expect(screen.getByRole('dialog', { name: 'Forgot Password' })).toBeDefined()
  })

  it('the Reset Password dialog shows the refusal of a common password at the password, in the server’s words', async () => {
    const app = await open()
    app.answerCalls(() => refused(422, 'COMMON_PASSWORD', 'This password is among the most common ones.'))
    await choose('password')
    expect((await screen.findByRole('alert')).textContent).toBe('This password is among the most common ones.')
    await waitFor(() => expect(document.activeElement).toBe(field('Password')))
  })
})
