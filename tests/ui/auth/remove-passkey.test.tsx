import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it } from 'vitest'
import type { CallResult } from '../../../src/db/call'
import { RemovePasskey } from '../../../src/features/auth/remove-passkey'
import { refused, startLocalApp } from '../support/local-app'
import { headingInFocus, UNANSWERED, UNREACHED } from './open-auth'

async function follow(token: string | null, answer: CallResult<{ message: string; email: string }>) {
  const app = await startLocalApp()
  app.answerCall('disownPasskey', () => answer)
  app.answerCall('requestPasswordReset', () => ({ ok: true, value: { message: 'A link is on its way.' } }))
  app.render(<RemovePasskey token={token} />)
  return app
}
const press = () => userEvent.click(screen.getByRole('button', { name: 'Remove the passkey' }))
const REMOVED = { ok: true, value: { message: 'Every device has been logged out.', email: 'ada@example.com' } } as const

it('the page of the link that removes a passkey asks first, then removes it and offers another password by mail', async () => {
  const app = await follow('from-the-mail', REMOVED)
  await headingInFocus('Was it not you who added the passkey?')
  expect(app.calls).toEqual([])
  await press()
  await headingInFocus('The passkey is gone')
  expect(screen.getByText(REMOVED.value.message)).toBeDefined()
  await userEvent.click(screen.getByRole('button', { name: 'Set another password by mail' }))
  await headingInFocus('Check your inbox')
  expect(app.calls).toEqual([
    { route: 'disownPasskey', token: 'from-the-mail' },
    { route: 'requestPasswordReset', email: 'ada@example.com' },
  ])
})

it('the page of the link that removes a passkey can be used again while nothing answers', async () => {
  const app = await follow('from-the-mail', UNANSWERED)
  await press()
  expect((await screen.findByRole('alert')).textContent).toBe(UNREACHED)
  app.answerCall('disownPasskey', () => REMOVED)
  await press()
  await headingInFocus('The passkey is gone')
})

it.each([
  ['that was used', 'old', 'This link has been used.'],
  ['without a token', null, 'The link of the mail is not complete. Open it again.'],
])('a link %s that is to remove a passkey says so and leads to another password', async (_what, token, text) => {
  await follow(token, refused(400, 'INVALID_LINK', 'This link has been used.'))
  if (token !== null) await press()
  await headingInFocus('This link removes nothing')
  expect(screen.getByText(text)).toBeDefined()
  expect(screen.getByRole('link', { name: 'Set another password by mail' }).getAttribute('href')).toBe(
    '/forgot-password',
  )
})
