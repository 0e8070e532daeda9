import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, test, vi } from 'vitest'
import type { AccountResult } from '../../../src/db/account-request'
import { addWidget } from '../../../src/db/commands/add-widget'
import { logOut } from '../../../src/db/commands/log-out'
import { AccountCard } from '../../../src/features/settings/account-card'
import { localToastsAtom } from '../../../src/state/toasts'
import { formatDay } from '../../../src/ui/moment'
import { coinNumber, seedCoins, signIn, START, startLocalApp, type LocalApp } from '../support/local-app'

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
const refuse = (app: LocalApp, refusal: Partial<Extract<AccountResult, { ok: false }>>) =>
  app.answerAccount(() => ({ ok: false, status: 500, error_code: null, message: '', ...refusal }))

test('guests have no account to manage', async () => {
  const app = await startLocalApp()
  await signIn(app)
  app.render(<AccountCard />)
  expect(await screen.findByText('ada@example.com')).toBeDefined()
  await logOut(app.services.commands)
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Delete Account' })).toBeNull())
})

describe('with a password', () => {
  test('asks for it, and says on which day the account goes', async () => {
    const { app, owner, dialog } = await deleting()
    const day = formatDay(START + THIRTY_DAYS)
    expect(dialog.getByText(day)).toBeDefined()
    await submit(dialog)
    expect(dialog.getByRole('alert').textContent).toBe('Password is required.')
    expect(document.activeElement).toBe(dialog.getByLabelText('Password'))
    expect(app.asked).toEqual([])

    await userEvent.type(dialog.getByLabelText('Password'), 'correct horse')
    await submit(dialog)
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(app.asked).toEqual([{ kind: 'delete-account', owner, password: 'correct horse' }])
    expect(app.store.get(localToastsAtom)).toMatchObject([
      {
        type: 'success',
        message: `Your account is scheduled for deletion on ${day}. Log in before then to cancel it.`,
      },
    ])
  })

  test.each(['INVALID_REFRESH_TOKEN', 'INVALID_TOKEN', 'UNAUTHENTICATED'] as const)(
    'a session that is over (%s) is no wrong password',
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
  ] as const)('a wrong one is told at the field where %s, and stays to be mended', async (_when, refusal) => {
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
  })

  test.each([
    ['the server’s words', { status: 429, message: 'Too many requests.' }, 'Too many requests.'],
    ['no words', { status: 500 }, 'Unable to delete account. Please try again later.'],
    ['no answer', { status: 0, message: 'Failed to fetch' }, 'Network error. Please try again.'],
  ])('%s', async (_what, refusal, sentence) => {
    const { app, dialog } = await deleting()
    refuse(app, refusal)
    await userEvent.type(dialog.getByLabelText('Password'), 'correct horse')
    await submit(dialog)
    await waitFor(() => expect(dialog.getByRole('alert').textContent).toBe(sentence))
    expect(app.store.get(localToastsAtom)).toEqual([])
  })

  test('is asked for as password managers know it', async () => {
    const { dialog } = await deleting()
    expect(dialog.getByLabelText('Password').getAttribute('autocomplete')).toBe('current-password')
    const username = document.querySelector<HTMLInputElement>('input[autocomplete=username]')
    expect(username?.value).toBe('ada@example.com')
  })
})

describe('with Google only', () => {
  test.each(['', 'Delete my account', 'delete my account '])('"%s" is not the phrase', async (typed) => {
    const { app, dialog } = await deleting({ hasPassword: false })
    const field = dialog.getByRole('textbox', { name: 'Type “delete my account” to confirm' })
    if (typed !== '') await userEvent.type(field, typed)
    await submit(dialog)
    expect(dialog.getByRole('alert').textContent).toBe('Type exactly: delete my account')
    expect(app.asked).toEqual([])
  })

  test('the phrase to the letter will do', async () => {
    const { app, owner, dialog } = await deleting({ hasPassword: false })
    await userEvent.type(dialog.getByRole('textbox'), 'delete my account{Enter}')
    await waitFor(() => expect(app.asked).toEqual([{ kind: 'delete-account', owner, password: null }]))
  })

  test('a 401 is no wrong password where there is none', async () => {
    const { app, dialog } = await deleting({ hasPassword: false })
    refuse(app, { status: 401, message: 'Log in again.' })
    await userEvent.type(dialog.getByRole('textbox'), 'delete my account{Enter}')
    await waitFor(() => expect(dialog.getByRole('alert').textContent).toBe('Log in again.'))
  })
})

test('says that changes which wait are lost', async () => {
  const { app, dialog } = await deleting()
  await seedCoins(app, 4)
  await addWidget(app.services.commands, { coinA: coinNumber(0).id, coinB: coinNumber(1).id })
  expect(await dialog.findByText('One change is on this device alone, and is lost.')).toBeDefined()
})

test('closes with what was typed when somebody else signs in', async () => {
  const { app, dialog } = await deleting()
  await userEvent.type(dialog.getByLabelText('Password'), 'correct horse')
  await signIn(app)
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('sends nothing twice while the answer is awaited', async () => {
  const { app, dialog } = await deleting()
  let answer = (_result: AccountResult) => {}
  app.answerAccount(() => new Promise((resolve) => (answer = resolve)))
  await userEvent.type(dialog.getByLabelText('Password'), 'correct horse')
  await submit(dialog)
  await vi.waitFor(() => expect(app.asked).toHaveLength(1))
  await submit(dialog)
  expect(app.asked).toHaveLength(1)
  answer({ ok: true, message: null })
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})
