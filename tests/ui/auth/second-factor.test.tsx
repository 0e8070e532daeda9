import { screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { AccountForm } from '../../../src/features/auth/account-form'
import { startLocalApp, refused } from '../support/local-app'
import { stubPasskeys } from './any-passkey'
import { fill } from './open-auth'

const CHALLENGE = { ticket: 'the-ticket', options: { challenge: 'AAAA' } }

async function atSecondStep() {
  const app = await startLocalApp()
  const done: string[] = []
  app.answerCalls(() => ({ ...refused(403, 'SECOND_FACTOR_REQUIRED'), second_factor: CHALLENGE }))
  app.render(<AccountForm view={{ view: 'login' }} onDone={() => done.push('done')} />)
  await fill('Email', 'ann@example.com')
  await fill('Password', 'correct horse')
  await userEvent.click(screen.getByRole('button', { name: 'Log In' }))
  const use = await screen.findByRole('button', { name: 'Use your passkey' })
  return { app, done, use }
}

test('a login that needs a passkey goes on with the passkey, and says when the browser supports none', async () => {
  const { use } = await atSecondStep()
  await waitFor(() => expect(document.activeElement).toBe(use))
  await userEvent.click(use)
  expect((await screen.findByRole('alert')).textContent).toBe('This browser does not support passkeys.')
})

test('a passkey that is refused leads back to the first step, which says so', async () => {
  stubPasskeys()
  const { app, use } = await atSecondStep()
  app.answerCalls(() => refused(401, 'SECOND_FACTOR_EXPIRED', 'The login took too long.'))
  await userEvent.click(use)
  expect(await screen.findByDisplayValue('ann@example.com')).toBeDefined()
  expect((await screen.findByRole('alert')).textContent).toBe('The login took too long.')
})

test('a recovery code ends the login; a wrong one is said at its field and can be typed again', async () => {
  const { app, done } = await atSecondStep()
  await userEvent.click(screen.getByRole('button', { name: 'Use a recovery code' }))
  app.answerCalls(() => refused(403, 'SECOND_FACTOR_REFUSED', 'This recovery code is wrong or has been used.'))
  await fill('Recovery code', 'AAAAA-AAAAA-AAAAA-AAAAA')
  await userEvent.click(screen.getByRole('button', { name: 'Log In' }))
  expect((await screen.findByRole('alert')).textContent).toBe('This recovery code is wrong or has been used.')
  app.answerCalls(() => ({ ok: true, value: null }))
  await userEvent.click(screen.getByRole('button', { name: 'Log In' }))
  await waitFor(() => expect(done).toEqual(['done']))
  expect(app.calls.at(-1)).toEqual({
    route: 'secondFactor',
    ticket: 'the-ticket',
    recovery_code: 'AAAAA-AAAAA-AAAAA-AAAAA',
  })
})

test('the way back from the second step leads to the login form with the address that was typed', async () => {
  await atSecondStep()
  await userEvent.click(screen.getByRole('button', { name: 'Back' }))
  expect(await screen.findByDisplayValue('ann@example.com')).toBeDefined()
})
