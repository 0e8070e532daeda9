import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import type { CallResult } from '../../../src/db/call'
import { FeedbackDialog } from '../../../src/features/feedback/feedback-dialog'
import { logOut } from '../../../src/db/leave-owner'
import { readFeedbackDraft } from '../../../src/db/feedback-draft'
import { signIn, startLocalApp, type LocalApp, noticesOf } from '../support/local-app'

const show = (app: LocalApp, onClose = vi.fn()) => {
  const { unmount } = app.render(<FeedbackDialog onClose={onClose} />)
  const dialog = within(screen.getByRole('dialog', { name: 'Submit Feedback' }))
  return {
    onClose,
    unmount,
    dialog,
    field: dialog.getByLabelText<HTMLTextAreaElement>('Your message'),
    button: dialog.getByRole<HTMLButtonElement>('button', { name: 'Submit' }),
  }
}
const toasts = (app: LocalApp) => noticesOf(app).map(({ kind, message }) => [kind, message])
const stored = (app: LocalApp, text: string) => waitFor(async () => expect(await readFeedbackDraft(app.db)).toBe(text))

test('the feedback dialog counts characters, says how many are missing or too many, and else enables Submit', async () => {
  const app = await startLocalApp()
  const { dialog, field, button } = show(app)
  expect(dialog.getByText('10 more characters needed')).toBeDefined()
  expect(dialog.getByText('0 / 5000')).toBeDefined()
  expect(button.disabled).toBe(true)

  await userEvent.type(field, '  too short')
  expect(dialog.getByText('1 more character needed')).toBeDefined()
  expect(dialog.getByText('9 / 5000')).toBeDefined()
  expect(button.disabled).toBe(true)
  await userEvent.type(field, 'er')
  expect(dialog.queryByText(/needed/)).toBeNull()
  expect(button.disabled).toBe(false)

  await userEvent.clear(field)
  await userEvent.click(field)
  await userEvent.paste('x'.repeat(5001))
  expect(dialog.getByText('1 character too many')).toBeDefined()
  expect(button.disabled).toBe(true)
})

test('feedback is sent without surrounding white space, acknowledged by a toast, and its draft is deleted', async () => {
  const app = await startLocalApp()
  app.answerCalls(() => ({ ok: true, value: { message: 'Thank you for your feedback!' } }))
  const { field, button, onClose } = show(app)
  await userEvent.type(field, '  The chart is a pleasure. ')
  await stored(app, '  The chart is a pleasure. ')
  await userEvent.click(button)
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(app.calls).toEqual([{ route: 'feedback', message: 'The chart is a pleasure.' }])
  expect(toasts(app)).toEqual([['success', 'Thank you for your feedback!']])
  await stored(app, '')
})

test.each<[string, Partial<CallResult>, string]>([
  ['the server’s words', { message: 'Too many requests.' }, 'Too many requests.'],
  ['a default message', { message: '' }, 'Failed to submit feedback. Please try again.'],
])('failed feedback shows %s in the dialog and as a toast, and keeps the text', async (_what, refusal, sentence) => {
  const app = await startLocalApp()
  app.answerCalls(() => ({ ok: false, status: 429, error_code: null, message: '', ...refusal }) as CallResult)
  const { dialog, field, button, onClose } = show(app)
  await userEvent.type(field, 'The chart is a pleasure.')
  await userEvent.click(button)
  await waitFor(() => expect(dialog.getByRole('alert').textContent).toBe(sentence))
  expect(toasts(app)).toEqual([['error', sentence]])
  expect(field.value).toBe('The chart is a pleasure.')
  expect(onClose).not.toHaveBeenCalled()
})

test('a feedback draft survives closing the dialog, and is gone for the next user who signs in', async () => {
  const app = await startLocalApp()
  await signIn(app)
  const { field, unmount } = show(app)
  await userEvent.type(field, 'half a th')
  await stored(app, 'half a th')
  unmount()

  const again = show(app)
  await waitFor(() => expect(again.field.value).toBe('half a th'))
  await userEvent.type(again.field, 'ought')
  await stored(app, 'half a thought')
  again.unmount()

  await signIn(app)
  expect(await readFeedbackDraft(app.db)).toBe('')
})

test('logging out deletes the user’s feedback draft from the local database', async () => {
  const app = await startLocalApp()
  await signIn(app)
  const { field } = show(app)
  await userEvent.type(field, 'half')
  await stored(app, 'half')
  await logOut(app.services.commands)
  expect(JSON.stringify(await app.db.meta.toArray())).not.toContain('half')
})
