import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { addWidget } from '../../../src/db/commands/widgets'
import { LogOut } from '../../../src/features/shell/log-out'
import { accountAtom } from '../../../src/state/account'
import { localNoticesAtom } from '../../../src/state/toasts'
import { ownerOf } from '../alerts/alert-rows'
import { appWithPair } from '../support/app-with-pair'
import { coinNumber, signIn } from '../support/local-app'
import { catchReports } from '../support/reports'

/** A user with one pair, and as many additions that the server has not heard of. */
async function leaving(additions: number, state: 'waiting' | 'failed' = 'waiting') {
  const { app } = await appWithPair({ coins: 8, seed: signIn })
  const owner = await ownerOf(app)
  for (let i = 0; i < additions; i += 1) {
    await addWidget(app.services.commands, { coinA: coinNumber(2).id, coinB: coinNumber(3 + i).id })
  }
  await app.db.outbox.toCollection().modify({ state })
  await waitFor(() => expect(app.store.get(accountAtom)?.owner).toBe(owner))
  const onClose = vi.fn()
  app.render(<LogOut onClose={onClose} />)
  const kept = async () => ({
    signedIn: (await app.db.session.get('current'))?.owner === owner,
    widgets: await app.db.widgets.where('owner').equals(owner).count(),
    changes: await app.db.outbox.where('owner').equals(owner).count(),
  })
  return { app, owner, onClose, kept }
}
const messages = ({ store }: Awaited<ReturnType<typeof leaving>>['app']) =>
  store.get(localNoticesAtom).map(({ kind, message }) => [kind, message])

test('logging out while nothing waits asks no question, deletes the user’s data and brings the guest back', async () => {
  const { app, onClose, kept } = await leaving(0)
  await waitFor(() => expect(onClose).toHaveBeenCalled())
  expect(screen.queryByRole('alertdialog')).toBeNull()
  expect(await kept()).toEqual({ signedIn: false, widgets: 0, changes: 0 })
  expect(messages(app)).toEqual([['info', 'You are logged out.']])
})

test.each([
  [1, 'One change is on this device alone. If you log out now, it is lost.'],
  [2, '2 changes are on this device alone. If you log out now, they are lost.'],
])('logging out while %i changes wait asks first, and Cancel keeps session and data', async (count, sentence) => {
  const { onClose, kept } = await leaving(count)
  const question = within(await screen.findByRole('alertdialog', { name: 'Log out and lose changes?' }))
  expect(question.getByText(sentence)).toBeDefined()
  await userEvent.click(question.getByRole('button', { name: 'Cancel' }))
  expect(onClose).toHaveBeenCalledOnce()
  expect(await kept()).toEqual({ signedIn: true, widgets: 1, changes: count })
})

test('logging out despite waiting changes deletes them together with the user’s data', async () => {
  const { onClose, kept } = await leaving(2)
  await userEvent.click(await screen.findByRole('button', { name: 'Log out' }))
  await waitFor(() => expect(onClose).toHaveBeenCalled())
  expect(await kept()).toEqual({ signedIn: false, widgets: 0, changes: 0 })
})

test('logging out asks first while a refused change can still be tried again', async () => {
  const { kept } = await leaving(1, 'failed')
  expect(await screen.findByRole('alertdialog')).toBeDefined()
  expect(await kept()).toMatchObject({ signedIn: true, changes: 1 })
})

test('the logout question closes without a toast when another tab has logged out', async () => {
  const { app, onClose } = await leaving(1)
  await screen.findByRole('alertdialog')
  const guest = (await app.db.session.get('current'))!.anonymous_id
  await app.db.session.update('current', { owner: guest, tokens: null, user: null })
  await waitFor(() => expect(onClose).toHaveBeenCalled())
  expect(messages(app)).toEqual([])
})

test('a logout that fails closes its question, shows an error toast and is reported once', async () => {
  const reports = catchReports()
  const { app, onClose } = await leaving(1)
  await screen.findByRole('alertdialog')
  vi.spyOn(app.db.session, 'put').mockRejectedValue(new Error('The disk is broken.'))
  await userEvent.click(screen.getByRole('button', { name: 'Log out' }))
  await waitFor(() => expect(onClose).toHaveBeenCalled())
  expect(messages(app)).toEqual([['error', 'Could not log out. Please try again.']])
  expect(reports).toHaveLength(1)
})
