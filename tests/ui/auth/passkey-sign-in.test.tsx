import { screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { refused } from '../support/local-app'
import { stubPasskeys } from './any-passkey'
import { dialog, fill, openAuth } from './open-auth'

const BEGUN = {
  ticket: 'the-ticket',
  options: { challenge: 'AAAA', rp: { name: 'Ratios' }, user: { id: 'AA', name: 'ada' }, pubKeyCredParams: [] },
}

async function open(view: 'login' | 'register') {
  stubPasskeys()
  const app = await openAuth({ view })
  app.answerCall('passkeyOptions', () => ({ ok: true, value: BEGUN }))
  for (const route of ['logInByPasskey', 'registerByPasskey'] as const) {
    app.answerCall(route, () => ({ ok: true, value: null }))
  }
  const press = () => userEvent.click(screen.getByRole('button', { name: /with a passkey$/ }))
  return { app, press }
}

test('the login dialog logs in with a passkey that the browser finds, without an address', async () => {
  const { app, press } = await open('login')
  await press()
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(app.calls).toMatchObject([
    { route: 'passkeyOptions' },
    { route: 'logInByPasskey', ticket: 'the-ticket', assertion: { id: 'AQ' } },
  ])
})

test('the registration dialog makes an account of an address and a passkey, with the policies accepted, after one press', async () => {
  const { app, press } = await open('register')
  await press()
  expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Email', description: 'Email is required.' }))
  expect(app.calls).toEqual([])
  await fill('Email', 'ada@example.com')
  await press()
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(app.calls).toMatchObject([
    { route: 'passkeyOptions', email: 'ada@example.com' },
    {
      route: 'registerByPasskey',
      email: 'ada@example.com',
      ticket: 'the-ticket',
      attestation: { id: 'AQ' },
      account: { accepted: { terms: 'terms of May', privacy: 'privacy of June' }, brings: true },
    },
  ])
})

test.each([
  ['an address that is taken', refused(409, 'EMAIL_ALREADY_REGISTERED', 'Email already registered.'), /^Email already/],
  ['a passkey that is refused', refused(403, 'SECOND_FACTOR_REFUSED', 'Not recognised.'), /^Not recognised\.$/],
])('the registration dialog stays open and says why after %s', async (_what, refusal, sentence) => {
  const { app, press } = await open('register')
  app.answerCall('registerByPasskey', () => refusal)
  await fill('Email', 'ada@example.com')
  await press()
  expect((await screen.findByRole('alert')).textContent).toMatch(sentence)
  expect(dialog('Register').getByLabelText('Email')).toHaveProperty('value', 'ada@example.com')
})
