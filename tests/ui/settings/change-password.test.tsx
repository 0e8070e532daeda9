import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { AccountCard } from '../../../src/features/settings/account-card'
import { openDialogsAtom } from '../../../src/state/open-dialogs'
import { signIn, startLocalApp, noticesOf, refused } from '../support/local-app'

async function changing() {
  const app = await startLocalApp()
  const owner = await signIn(app, { hasPassword: true })
  app.render(<AccountCard />)
  await userEvent.click(await screen.findByRole('button', { name: 'Change Password' }))
  const dialog = within(screen.getByRole('dialog', { name: 'Change Password' }))
  const send = async (current: string, password: string, confirmation = password) => {
    for (const [label, text] of [
      ['Current password', current],
      ['New password', password],
      ['Confirm new password', confirmation],
    ] as const) {
      await userEvent.clear(dialog.getByLabelText(label))
      if (text !== '') await userEvent.type(dialog.getByLabelText(label), text)
    }
    await userEvent.click(dialog.getByRole('button', { name: 'Change Password' }))
  }
  const alerts = () => dialog.queryAllByRole('alert').map(({ textContent }) => textContent)
  return { app, owner, dialog, send, alerts }
}

test('the change-password dialog sends both passwords, closes, and tells the server’s answer in a toast', async () => {
  const { app, owner, send } = await changing()
  app.answerCalls(() => ({ ok: true, value: { message: 'Changed, and logged out elsewhere.' } }))
  await send('the old one', 'the new one')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(app.calls).toEqual([
    { route: 'changePassword', owner, current_password: 'the old one', new_password: 'the new one' },
  ])
  expect(noticesOf(app)).toMatchObject([{ kind: 'success', message: 'Changed, and logged out elsewhere.' }])
})

test('the change-password dialog has the user confirm with a passkey where the server asks for one, and then goes on', async () => {
  const { app, owner, send } = await changing()
  let isFresh = false
  const stale = { ok: false, status: 403, error_code: 'FRESH_SIGN_IN_REQUIRED', message: 'Confirm.' } as const
  app.answerCall('changePassword', () => (isFresh ? { ok: true, value: { message: 'Changed.' } } : stale))
  await send('the old one', 'the new one')
  const asked = await waitFor(() => {
    const [dialog] = app.store.get(openDialogsAtom)
    if (dialog?.kind !== 'confirm-identity') throw new Error('Nobody is asked')
    return dialog
  })
  isFresh = true
  asked.onAnswer(true)
  await waitFor(() => expect(noticesOf(app)).toMatchObject([{ kind: 'success', message: 'Changed.' }]))
  const sent = { route: 'changePassword', owner, current_password: 'the old one', new_password: 'the new one' }
  expect(app.calls).toEqual([sent, sent])
})

test('the change-password dialog tells password managers which password is which', async () => {
  const { dialog } = await changing()
  const kinds = ['Current password', 'New password', 'Confirm new password'].map((label) =>
    dialog.getByLabelText(label).getAttribute('autocomplete'),
  )
  expect(kinds).toEqual(['current-password', 'new-password', 'new-password'])
  expect(document.querySelector('dialog input[autocomplete="username"]')).toHaveProperty('value', 'ada@example.com')
  await waitFor(() => expect(document.activeElement).toBe(dialog.getByLabelText('Current password')))
})

test.each([
  ['', 'seven77', 'seven77', ['Password is required.', 'Password must be at least 8 characters long.']],
  ['the old one', 'the new one', 'the new two', ['Passwords do not match.']],
])('the change-password dialog itself rejects “%s”, “%s” and “%s”', async (current, password, confirmation, texts) => {
  const { app, send, alerts } = await changing()
  await send(current, password, confirmation)
  expect(alerts()).toEqual(texts)
  expect(app.calls).toEqual([])
})

test.each([
  [
    'a wrong current password',
    'Current password',
    refused(403, 'INCORRECT_PASSWORD', 'It is incorrect.'),
    'It is incorrect.',
  ],
  ['a common new password', 'New password', refused(422, 'COMMON_PASSWORD', 'It is too common.'), 'It is too common.'],
])('the change-password dialog shows %s at its field, which gets the focus', async (_what, label, answer, text) => {
  const { app, dialog, send, alerts } = await changing()
  app.answerCalls(() => answer)
  await send('the old one', 'the new one')
  await waitFor(() => expect(alerts()).toEqual([text]))
  await waitFor(() => expect(document.activeElement).toBe(dialog.getByLabelText(label)))
})

test.each([
  ['a limit', true, refused(429, 'RATE_LIMITED', 'Too many attempts.'), 'Too many attempts.'],
  ['a fault without words', true, refused(500, null, ''), 'The password could not be changed. Please try again later.'],
  ['no answer', true, refused(0, null, 'x'), 'The server could not be reached. Check your connection and try again.'],
  ['no network', false, refused(0, null, 'x'), 'You are offline. Changing the password needs a connection.'],
])('the change-password dialog tells of %s, and keeps what was typed', async (_what, online, answer, text) => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(online)
  const { app, dialog, send, alerts } = await changing()
  app.answerCalls(() => answer)
  await send('the old one', 'the new one')
  await waitFor(() => expect(alerts()).toEqual([text]))
  expect(dialog.getByLabelText('New password')).toHaveProperty('value', 'the new one')
})

test('a user without a password has a link mailed that sets one', async () => {
  const app = await startLocalApp()
  await signIn(app, { hasPassword: false })
  app.render(<AccountCard />)
  const button = await screen.findByRole('button', { name: 'Set a Password by Mail' })
  expect(screen.queryByRole('button', { name: 'Change Password' })).toBeNull()
  app.answerCalls(() => refused(429, 'RATE_LIMITED', 'Too many attempts.'))
  await userEvent.click(button)
  await waitFor(() => expect(noticesOf(app)).toMatchObject([{ kind: 'error', message: 'Too many attempts.' }]))
  app.answerCalls(() => ({ ok: true, value: { message: 'Changed.' } }))
  await userEvent.click(button)
  await waitFor(() => expect(noticesOf(app)).toHaveLength(2))
  expect(app.calls.at(-1)).toEqual({ route: 'requestPasswordReset', email: 'ada@example.com' })
  expect(noticesOf(app).at(-1)).toMatchObject({
    kind: 'success',
    message: 'A link to set a password is on its way to your mailbox.',
  })
})
