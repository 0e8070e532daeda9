import { screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import type { CallResult } from '../../../src/db/call'
import { writeMeta } from '../../../src/db/database'
import { GoogleCallback } from '../../../src/features/auth/google-sign-in'
import { AccountForm } from '../../../src/features/auth/account-form'
import { configOf } from '../support/config'
import { seedCoins, seedWidgets, START, startLocalApp, refused } from '../support/local-app'
import { catchReports } from '../support/reports'
import { POLICIES, UNANSWERED, UNREACHED } from './open-auth'

const GOOGLE = {
  client_id: 'us',
  authorization_url: 'https://accounts.example/auth',
  redirect_uri: `${location.origin}/auth/google/callback`,
}

async function open(google: typeof GOOGLE | null) {
  const app = await startLocalApp()
  await writeMeta(app.db, 'config', { config: configOf({ google }), fetched_at: START })
  app.render(<AccountForm view={{ view: 'login' }} onDone={() => undefined} />)
  await screen.findByRole('form', { name: 'Log in' })
  const assign = vi.spyOn(location, 'assign').mockImplementation(() => undefined)
  return { app, assign }
}
const button = () => screen.findByRole('button', { name: 'Continue with Google' })

it('the Continue with Google button is absent when the server offers no Google sign-in', async () => {
  const { app } = await open(null)
  await waitFor(async () => expect(await app.db.meta.get('config')).toBeDefined())
  expect(screen.queryByRole('button', { name: 'Continue with Google' })).toBeNull()
})

it('Continue with Google opens Google’s page, and keeps the state of the sign-in in this browser', async () => {
  const { app, assign } = await open(GOOGLE)
  await userEvent.click(await button())
  await waitFor(() => expect(assign).toHaveBeenCalledOnce())
  const url = new URL(String(assign.mock.calls[0]![0]))
  expect(url.origin + url.pathname).toBe(GOOGLE.authorization_url)
  expect(url.searchParams.get('redirect_uri')).toBe(`${location.origin}/auth/google/callback`)
  const kept = await app.db.meta.get('sign_ins')
  expect(Object.keys(kept!.value)).toEqual([url.searchParams.get('state')])
})

it('Continue with Google in the login form names the policies that it accepts, and takes the guest’s pairs to a new account', async () => {
  const { app, assign } = await open(GOOGLE)
  expect(screen.queryByText(/^With Google you accept/), 'unknown yet').toBeNull()
  await waitFor(() => expect(app.calls).toEqual([{ route: 'currentPolicies' }]))
  await seedCoins(app, 4)
  await seedWidgets(app, 2)
  await writeMeta(app.db, 'policies', { policies: POLICIES, fetched_at: START })
  const sentence = await screen.findByText(/^With Google you accept/)
  await waitFor(() =>
    expect(sentence.textContent).toBe(
      'With Google you accept the Terms of Use (version terms of May) and the Privacy Policy (version privacy of June), ' +
        'unless you have already. A new account takes your 2 pairs along.',
    ),
  )
  await userEvent.click(await button())
  await waitFor(() => expect(assign).toHaveBeenCalledOnce())
  const [kept] = Object.values((await app.db.meta.get('sign_ins'))!.value)
  expect(kept).toMatchObject({
    account: { accepted: { terms: 'terms of May', privacy: 'privacy of June' }, brings: true },
  })
})

it('Continue with Google in the registration form keeps the acceptance of the policies for a new account', async () => {
  const app = await startLocalApp()
  await writeMeta(app.db, 'config', { config: configOf({ google: GOOGLE }), fetched_at: START })
  await writeMeta(app.db, 'policies', { policies: POLICIES, fetched_at: START })
  const assign = vi.spyOn(location, 'assign').mockImplementation(() => undefined)
  app.render(<AccountForm view={{ view: 'register' }} onDone={() => undefined} />)
  await screen.findByText(/^By registering, here or with Google, you accept/)
  await userEvent.click(await button())
  await waitFor(() => expect(assign).toHaveBeenCalledOnce())
  const [kept] = Object.values((await app.db.meta.get('sign_ins'))!.value)
  expect(kept).toMatchObject({
    account: { accepted: { terms: 'terms of May', privacy: 'privacy of June' }, brings: true },
  })
})

it('Continue with Google says that it needs a connection while the browser is offline', async () => {
  const { assign } = await open(GOOGLE)
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  await userEvent.click(await button())
  expect(screen.getByRole('alert').textContent).toBe('You are offline. Logging in with Google needs a connection.')
  expect(assign).not.toHaveBeenCalled()
})

it('Continue with Google leads to the app’s own address where Google would not send the user back to this one', async () => {
  const { assign } = await open({ ...GOOGLE, redirect_uri: 'https://ratios.example/auth/google/callback' })
  await userEvent.click(await button())
  expect((await screen.findByRole('alert')).textContent).toBe(
    'Logging in with Google works only at https://ratios.example. Open the app there',
  )
  expect(screen.getByRole('link', { name: 'Open the app there' }).getAttribute('href')).toBe(
    'https://ratios.example/login',
  )
  expect(assign).not.toHaveBeenCalled()
})

it('Continue with Google says when the browser cannot start the sign-in', async () => {
  const reports = catchReports()
  const { assign } = await open(GOOGLE)
  vi.spyOn(crypto.subtle, 'digest').mockRejectedValue(new Error('no crypto'))
  await userEvent.click(await button())
  expect((await screen.findByRole('alert')).textContent).toBe(
    'Logging in with Google could not be started. Please try again.',
  )
  expect(assign).not.toHaveBeenCalled()
  expect(reports).toHaveLength(1)
})

async function back(query: string, result: CallResult = { ok: true, value: null }) {
  const app = await startLocalApp()
  app.answerCalls(() => result)
  const onDone = vi.fn()
  const onFailed = vi.fn()
  const page = () => (
    <GoogleCallback
      answer={new URLSearchParams(query)}
      onDone={onDone}
      onFailed={onFailed}
      onErrand={() => undefined}
    />
  )
  app.render(page()).rerender(page())
  return { app, onDone, onFailed }
}

it('the Google callback sends code, state and issuer to the server once, and completes the sign-in', async () => {
  const { app, onDone, onFailed } = await back('code=4%2FabC&state=ours&iss=https%3A%2F%2Faccounts.example')
  await waitFor(() => expect(onDone).toHaveBeenCalledOnce())
  expect(app.calls).toEqual([
    { route: 'googleCallback', code: '4/abC', state: 'ours', iss: 'https://accounts.example' },
  ])
  expect(onFailed).not.toHaveBeenCalled()
})

it.each(['', 'error=access_denied&state=ours', 'code=&state=ours'])(
  'the Google callback finds no code in “%s”, and fails without asking the server',
  async (query) => {
    const { app, onFailed } = await back(query)
    await waitFor(() =>
      expect(onFailed.mock.calls).toEqual([
        ['Google authorization code not found in URL. Please try signing in again.'],
      ]),
    )
    expect(app.calls).toEqual([])
  },
)

it.each([
  [
    'a refusal',
    refused(401, 'GOOGLE_SIGN_IN_REFUSED', 'x'),
    'Failed to sign in with Google. The server rejected the request.',
  ],
  [
    'a provider that fails',
    refused(503, 'IDENTITY_PROVIDER_UNAVAILABLE', 'Google cannot be reached at the moment. Please try again.'),
    'Failed to sign in with Google. Google cannot be reached at the moment. Please try again.',
  ],
  [
    'a disabled account',
    refused(403, 'FORBIDDEN', 'This account has been disabled.'),
    'Failed to sign in with Google. This account has been disabled.',
  ],
  [
    'an answer without words',
    refused(502, null, ''),
    'Failed to sign in with Google. The server rejected the request.',
  ],
  ['no answer', UNANSWERED, `Failed to sign in with Google. ${UNREACHED}`],
])('the Google callback reports a failed sign-in for %s', async (_what, result, text) => {
  const { onDone, onFailed } = await back('code=c&state=s', result)
  await waitFor(() => expect(onFailed.mock.calls).toEqual([[text]]))
  expect(onDone).not.toHaveBeenCalled()
})
