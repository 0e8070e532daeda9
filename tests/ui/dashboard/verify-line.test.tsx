import { screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { VerifyLine } from '../../../src/features/dashboard/verify-line'
import { changeUser, noticesOf, refused, signIn, startLocalApp } from '../support/local-app'

const LINE = 'Open the link in the mail to ada@example.com by November 28, 2026, or the account is removed.'

it('a user whose address is not verified reads until when, can have the mail sent again, and reads nothing once it is', async () => {
  const app = await startLocalApp()
  await signIn(app)
  app.render(<VerifyLine />)
  expect(screen.queryByText(/Open the link/)).toBeNull()
  await changeUser(app, { email_verified: false })
  await screen.findByText(LINE)

  app.answerCall('resendVerification', () => refused(429, null, 'Try again in an hour.'))
  await userEvent.click(screen.getByRole('button', { name: 'Send it again' }))
  app.answerCall('resendVerification', () => ({ ok: true, value: { message: 'On its way.' } }))
  await userEvent.click(screen.getByRole('button', { name: 'Send it again' }))
  expect(app.calls).toEqual([
    { route: 'resendVerification', email: 'ada@example.com' },
    { route: 'resendVerification', email: 'ada@example.com' },
  ])
  expect(noticesOf(app)).toMatchObject([
    { kind: 'error', message: 'Try again in an hour.' },
    { kind: 'success', message: 'On its way.' },
  ])

  const session = (await app.db.session.get('current'))!
  const { email_verified: _, ...user } = session.user!
  await app.db.session.put({ ...session, user })
  await waitFor(() => expect(screen.queryByText(LINE)).toBeNull())
})
