import { act, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it } from 'vitest'
import type { CallResult } from '../../../src/db/call'
import { writeMeta } from '../../../src/db/database'
import { AccountForm } from '../../../src/features/auth/account-form'
import { closeDialogAtom } from '../../../src/state/open-dialogs'
import { openDialog } from '../support/open-dialog'
import { dialog, fill, openAuth, POLICIES, UNANSWERED, UNREACHED, headingInFocus } from './open-auth'
import { refused, seedCoins, seedWidgets, START, startLocalApp } from '../support/local-app'

const open = () => openAuth({ view: 'register' })
const field = (name: string) => screen.getByLabelText(name)
const alerts = () => screen.queryAllByRole('alert').map((note) => note.textContent)

async function register(email: string, password: string, confirmation = password) {
  await fill('Email', email)
  await fill('Password', password)
  await fill('Confirm password', confirmation)
  await userEvent.click(dialog('Register').getByRole('button', { name: 'Register' }))
}

const ACCEPTED = { terms: 'terms of May', privacy: 'privacy of June' }

it('the registration dialog makes the account, with the policies that it names accepted, and closes once the user is in', async () => {
  const app = await open()
  app.answerCall('register', () => ({ ok: true, value: { message: 'Done.', signed_in: true } }))
  const policies = screen.getByText(/you accept the/)
  expect(policies.textContent).toBe(
    'By registering you accept the Terms of Use (version terms of May) and the Privacy Policy (version privacy of June).',
  )
  await register('ada@example.com', 'eight888')
  expect(app.calls).toEqual([
    {
      route: 'register',
      email: 'ada@example.com',
      password: 'eight888',
      account: { accepted: ACCEPTED, brings: true },
    },
  ])
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

it('the registration dialog loads policies that this browser does not know, and until then says that they are asked for later', async () => {
  const app = await startLocalApp()
  app.render(<AccountForm view={{ view: 'register' }} onDone={() => undefined} />)
  await screen.findByText(/^You will be asked to accept/)
  await waitFor(() => expect(app.calls).toEqual([{ route: 'currentPolicies' }]))
  await writeMeta(app.db, 'policies', { policies: POLICIES, fetched_at: START })
  expect(await screen.findByText(/^By registering you accept/)).toBeDefined()
})

it('the registration dialog offers to bring the guest’s pairs along, ticked, where there are any', async () => {
  const app = await openAuth({ view: 'register' }, async (one) => {
    await seedCoins(one, 4)
    await seedWidgets(one, 2)
  })
  const box = await screen.findByRole('checkbox', { name: 'Bring my 2 pairs along' })
  expect(box).toHaveProperty('checked', true)
  await userEvent.click(box)
  await register('ada@example.com', 'eight888')
  expect(app.calls).toMatchObject([{ route: 'register', account: { brings: false } }])
})

it('a registration that lets nobody in yet names the address of the mail, and can resend the mail', async () => {
  const app = await open()
  app.answerCall('register', () => ({
    ok: true,
    value: { message: 'Please check your email to verify your account.', signed_in: false },
  }))
  app.answerCalls(() => ({ ok: true, value: { message: 'On its way.' } }))
  await register('ada@example.com', 'eight888')
  await headingInFocus('Check your inbox')
  expect(screen.getByText('Please check your email to verify your account.')).toBeDefined()
  expect(screen.getByText('ada@example.com')).toBeDefined()
  await userEvent.click(screen.getByRole('button', { name: 'Resend verification email' }))
  expect(app.calls.at(-1)).toEqual({ route: 'resendVerification', email: 'ada@example.com' })
  await userEvent.click(screen.getByRole('button', { name: 'Proceed to Login' }))
  expect(screen.getByRole('dialog', { name: 'Log In' })).toBeDefined()
})

it('the registration dialog marks both passwords as new for password managers', async () => {
  await open()
  expect(field('Email').getAttribute('autocomplete')).toBe('username')
  expect(field('Password').getAttribute('autocomplete')).toBe('new-password')
  expect(field('Confirm password').getAttribute('autocomplete')).toBe('new-password')
  const names = ['Email', 'Password', 'Confirm password'].map((label) => field(label).getAttribute('name'))
  expect(names).toEqual(['email', 'password', 'confirmation'])
})

it.each([
  ['', 'eight888', 'eight888', ['Email is required.']],
  ['ada@example.com', 'seven77', 'seven77', ['Password must be at least 8 characters long.']],
  ['ada@example.com', 'eight888', 'eight889', ['Passwords do not match.']],
  ['ada@example.com', 'x'.repeat(129), 'x'.repeat(129), ['Password must be at most 128 characters long.']],
  [
    'ada@',
    'seven77',
    '',
    ['Enter a valid email address.', 'Password must be at least 8 characters long.', 'Passwords do not match.'],
  ],
])('the registration dialog itself rejects “%s”, “%s” and “%s”', async (email, password, confirmation, problems) => {
  const app = await open()
  await register(email, password, confirmation)
  expect(alerts()).toEqual(problems)
  expect(app.calls).toEqual([])
})

/** The address has an account, whose login is answered so. */
async function taken(login: CallResult<null>) {
  const app = await open()
  app.answerCall('register', () => refused(409, 'EMAIL_ALREADY_REGISTERED', 'Email already registered'))
  app.answerCall('logIn', () => login)
  await register('ada@example.com', 'eight888')
  return app
}
const WRONG = refused(401, 'INVALID_CREDENTIALS', 'Incorrect email or password.')

it('a registration of an address that has an account logs in where the password is that account’s', async () => {
  const app = await taken({ ok: true, value: null })
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(app.calls.map(({ route }) => route)).toEqual(['register', 'logIn'])
  expect(app.calls.at(-1)).toEqual({ route: 'logIn', username: 'ada@example.com', password: 'eight888' })
})

it('the registration dialog says when the address has an account with another password, and offers to reset it', async () => {
  await taken(WRONG)
  const note = await screen.findByRole('alert')
  expect(note.textContent).toBe(
    'Email already registered. If you have just registered, check your inbox for the verification email. Otherwise log in or reset your password.',
  )
  await userEvent.click(screen.getByRole('button', { name: 'reset your password' }))
  expect(screen.getByRole('dialog', { name: 'Forgot Password' })).toBeDefined()
})

it('the registration dialog shows the refusal of a common password at the password, in the server’s words', async () => {
  const app = await open()
  app.answerCalls(() => refused(422, 'COMMON_PASSWORD', 'This password is among the most common ones.'))
  await register('ada@example.com', 'password')
  await waitFor(() => expect(alerts()).toEqual(['This password is among the most common ones.']))
  await waitFor(() => expect(document.activeElement).toBe(field('Password')))
})

it('the registration dialog drops the notice of an existing account when the address is changed', async () => {
  const app = await taken(WRONG)
  await screen.findByRole('alert')
  await userEvent.type(field('Password'), '9')
  expect(alerts()).toHaveLength(1)
  await userEvent.type(field('Email'), 'x')
  expect(alerts()).toEqual([])
  await userEvent.clear(field('Confirm password'))
  await userEvent.type(field('Confirm password'), 'eight8889')
  app.answerCall('register', () => refused(422, 'VALIDATION_ERROR', 'body/email Invalid'))
  await userEvent.click(dialog('Register').getByRole('button', { name: 'Register' }))
  await screen.findByText('Enter a valid email address.')
  expect(alerts()).toEqual(['Enter a valid email address.'])
  expect(document.activeElement).toBe(field('Email'))
})

it.each([
  ["the server's words", refused(429, null, 'Too many accounts today.'), 'Too many accounts today.'],
  ['a refusal without words', refused(500), 'Registration failed. Please try again.'],
  ['no answer', UNANSWERED, UNREACHED],
])('a failed registration (%s) shows its message at the form', async (_what, result, text) => {
  const app = await open()
  app.answerCalls(() => result)
  await register('ada@example.com', 'eight888')
  expect((await screen.findByRole('alert')).textContent).toBe(text)
})

it('“log in” after a taken address keeps it and the password, and shows no fault of the registration', async () => {
  const app = await taken(WRONG)
  await userEvent.click(await screen.findByRole('button', { name: 'log in' }))
  await waitFor(() => expect(document.activeElement).toBe(field('Password')))
  expect(alerts()).toEqual([])
  app.answerCall('logIn', () => ({ ok: true, value: null }))
  await userEvent.click(dialog('Log In').getByRole('button', { name: 'Log In' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(app.calls.at(-1)).toEqual({ route: 'logIn', username: 'ada@example.com', password: 'eight888' })
})

it('the registration dialog opens the privacy policy over itself, and keeps the address that was typed', async () => {
  const app = await open()
  await fill('Email', 'ada@example.com')
  await userEvent.click(dialog('Register').getByRole('button', { name: 'Privacy Policy' }))
  expect(openDialog(app.store, 'policy')).toEqual({ kind: 'policy', policy: 'privacy' })
  expect(screen.getByRole('dialog', { name: 'Privacy Policy' })).toBeDefined()
  act(() => app.store.set(closeDialogAtom, 'policy'))
  expect(field('Email')).toHaveProperty('value', 'ada@example.com')
})
