import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import type { CallFailure, CallResult } from '../../../src/db/call'
import { addWidget } from '../../../src/db/commands/widgets'
import { logOut } from '../../../src/db/leave-owner'
import { AccountCard } from '../../../src/features/settings/account-card'
import { formatDay } from '../../../src/domain/local-time'
import {
  changeUser,
  coinNumber,
  seedCoins,
  signIn,
  START,
  startLocalApp,
  type LocalApp,
  noticesOf,
} from '../support/local-app'

const THIRTY_DAYS = 30 * 24 * 60 * 60_000

async function deleting({ hasPassword = true } = {}) {
  const app = await startLocalApp()
  const owner = await signIn(app, { hasPassword })
  app.render(<AccountCard />)
  await userEvent.click(await screen.findByRole('button', { name: 'Delete Account' }))
  const dialog = within(screen.getByRole('dialog', { name: 'Delete Account' }))
  return { app, owner, dialog }
}
type Dialog = Awaited<ReturnType<typeof deleting>>['dialog']
const submit = (dialog: Dialog) => userEvent.click(dialog.getByRole('button', { name: 'Delete Account' }))
const refuse = (app: LocalApp, refusal: Partial<CallFailure>) =>
  app.answerCalls(() => ({ ok: false, status: 500, error_code: null, message: '', ...refusal }))

test('the Delete Account button is gone once the user has logged out and is a guest', async () => {
  const app = await startLocalApp()
  await signIn(app)
  app.render(<AccountCard />)
  expect(await screen.findByText('ada@example.com')).toBeDefined()
  await logOut(app.services.commands)
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Delete Account' })).toBeNull())
})

test('the delete-account dialog requires the password, and names the day on which the account is deleted', async () => {
  const { app, owner, dialog } = await deleting()
  const day = formatDay(START + THIRTY_DAYS)
  expect(dialog.getByText(day)).toBeDefined()
  await submit(dialog)
  expect(dialog.getByRole('alert').textContent).toBe('Password is required.')
  expect(document.activeElement).toBe(dialog.getByLabelText('Password'))
  expect(app.calls).toEqual([])

  await userEvent.type(dialog.getByLabelText('Password'), 'correct horse')
  await submit(dialog)
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(app.calls).toEqual([{ route: 'deleteMe', owner, password: 'correct horse' }])
  expect(noticesOf(app)).toMatchObject([
    {
      kind: 'success',
      message: `Your account is scheduled for deletion on ${day}. Log in before then to cancel it.`,
    },
  ])
})

test('the delete-account dialog of an unverified address names the day on which the account goes in any case', async () => {
  const { app, dialog } = await deleting()
  await changeUser(app, { email_verified: false, created_at: new Date(START - 2 * 24 * 60 * 60_000).toISOString() })
  await waitFor(() => expect(dialog.getByText(formatDay(START + 5 * 24 * 60 * 60_000))).toBeDefined())
  expect(screen.getByText(/^Deletes the account and everything in it within 7 days\./)).toBeDefined()
})

test.each(['INVALID_REFRESH_TOKEN', 'INVALID_TOKEN', 'UNAUTHENTICATED'] as const)(
  'the delete-account dialog shows a session that is over (%s) as such, not as a wrong password',
  async (error_code) => {
    const { app, dialog } = await deleting()
    refuse(app, { status: 401, error_code, message: 'Your session has expired. Please log in again.' })
    await userEvent.type(dialog.getByLabelText('Password'), 'correct horse')
    await submit(dialog)
    await waitFor(() =>
      expect(dialog.getByRole('alert').textContent).toBe('Your session has expired. Please log in again.'),
    )
  },
)

test.each([
  ['the server says so', { status: 403, error_code: 'INCORRECT_PASSWORD', message: 'no' }],
  ['it answers 401', { status: 401, message: 'no' }],
] as const)(
  'a wrong password stays in the delete-account dialog, refused at its field where %s',
  async (_when, refusal) => {
    const { app, dialog } = await deleting()
    refuse(app, refusal)
    const field = dialog.getByLabelText<HTMLInputElement>('Password')
    await userEvent.type(field, 'wrong')
    await submit(dialog)
    await waitFor(() =>
      expect(dialog.getByRole('alert').textContent).toBe('The entered password is incorrect. Please try again.'),
    )
    expect(field.getAttribute('aria-invalid')).toBe('true')
    expect(document.activeElement).toBe(field)
    expect(field.value).toBe('wrong')
    await userEvent.type(field, '!')
    expect(dialog.queryByRole('alert')).toBeNull()
  },
)

test.each([
  ['the server’s words', { status: 429, message: 'Too many requests.' }, 'Too many requests.'],
  ['no words', { status: 500 }, 'Unable to delete account. Please try again later.'],
  ['no answer', { status: 0, message: 'Failed to fetch' }, 'Network error. Please try again.'],
])('a refused account deletion shows one sentence in the dialog and no toast: %s', async (_what, refusal, sentence) => {
  const { app, dialog } = await deleting()
  refuse(app, refusal)
  await userEvent.type(dialog.getByLabelText('Password'), 'correct horse')
  await submit(dialog)
  await waitFor(() => expect(dialog.getByRole('alert').textContent).toBe(sentence))
  expect(noticesOf(app)).toEqual([])
})

test('the delete-account form has the autocomplete attributes that password managers look for', async () => {
  const { dialog } = await deleting()
  expect(dialog.getByLabelText('Password').getAttribute('autocomplete')).toBe('current-password')
  const username = document.querySelector<HTMLInputElement>('input[autocomplete=username]')
  expect(username?.value).toBe('ada@example.com')
})

test.each(['', 'Delete my account', 'delete my account '])(
  'the delete-account dialog of a Google user refuses "%s" as confirmation, and sends nothing',
  async (typed) => {
    const { app, dialog } = await deleting({ hasPassword: false })
    const field = dialog.getByRole('textbox', { name: 'Type “delete my account” to confirm' })
    if (typed !== '') await userEvent.type(field, typed)
    await submit(dialog)
    expect(dialog.getByRole('alert').textContent).toBe('Type exactly: delete my account')
    expect(app.calls).toEqual([])
  },
)

test('the exact phrase in the delete-account dialog of a Google user sends the deletion without a password', async () => {
  const { app, owner, dialog } = await deleting({ hasPassword: false })
  await userEvent.type(dialog.getByRole('textbox'), 'delete my account{Enter}')
  await waitFor(() => expect(app.calls).toEqual([{ route: 'deleteMeOauth', owner }]))
})

test('the delete-account dialog of a Google user shows the message of a 401 instead of a wrong password', async () => {
  const { app, dialog } = await deleting({ hasPassword: false })
  refuse(app, { status: 401, message: 'Log in again.' })
  await userEvent.type(dialog.getByRole('textbox'), 'delete my account{Enter}')
  await waitFor(() => expect(dialog.getByRole('alert').textContent).toBe('Log in again.'))
})

test('the delete-account dialog says that a change which is on this device alone is lost', async () => {
  const { app, dialog } = await deleting()
  await seedCoins(app, 4)
  await addWidget(app.services.commands, { coinA: coinNumber(0).id, coinB: coinNumber(1).id })
  expect(await dialog.findByText('One change is on this device alone, and is lost.')).toBeDefined()
})

test('the delete-account dialog closes with the typed password when another user signs in', async () => {
  const { app, dialog } = await deleting()
  await userEvent.type(dialog.getByLabelText('Password'), 'correct horse')
  await signIn(app)
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('a second submit of the delete-account dialog sends nothing while the first is unanswered', async () => {
  const { app, dialog } = await deleting()
  let answer = (_result: CallResult) => {}
  app.answerCalls(() => new Promise((resolve) => (answer = resolve)))
  await userEvent.type(dialog.getByLabelText('Password'), 'correct horse')
  await submit(dialog)
  await vi.waitFor(() => expect(app.calls).toHaveLength(1))
  await submit(dialog)
  expect(app.calls).toHaveLength(1)
  answer({ ok: true, value: null })
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})
