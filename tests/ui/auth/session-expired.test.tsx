import { act, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { isAnonymousOwner } from '../../../src/domain/ids'
import { openDialogAtom } from '../../../src/state/open-dialogs'
import { AccountDialogs, openDialog } from '../support/open-dialog'
import { signIn, startLocalApp, noticesOf } from '../support/local-app'
import { catchReports } from '../support/reports'

/** A user whose session the server has ended. */
async function expired() {
  const app = await startLocalApp()
  const owner = await signIn(app)
  await app.db.session.update('current', { tokens: null })
  app.render(<AccountDialogs />)
  const dialog = await screen.findByRole('alertdialog', { name: 'Session Expired' })
  const choose = (name: string) => userEvent.click(within(dialog).getByRole('button', { name }))
  const session = async () => (await app.db.session.get('current'))!
  return { app, owner, dialog, choose, session }
}
const isGone = () => waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())

it('the Session Expired dialog explains the guest’s view, and opens no login by itself', async () => {
  const { app, dialog } = await expired()
  expect(within(dialog).getByText(/^Your session has expired\./)).toBeDefined()
  expect(within(dialog).getByText(/^As a guest you do not see the saved widgets of your account\./)).toBeDefined()
  expect(openDialog(app.store, 'auth')).toBeUndefined()
})

it('“Continue as Guest” in the Session Expired dialog switches to a guest without opening the login', async () => {
  const { app, choose, session } = await expired()
  await choose('Continue as Guest')
  await isGone()
  expect(isAnonymousOwner((await session()).owner)).toBe(true)
  expect(openDialog(app.store, 'auth')).toBeUndefined()
  expect(app.syncs).toEqual(['command'])
})

it('“Log In” in the Session Expired dialog opens the login, which says that the session has expired', async () => {
  const { choose, session } = await expired()
  await choose('Log In')
  const login = within(await screen.findByRole('dialog', { name: 'Log In' }))
  expect(login.getByText('Your session has expired. Log in again to go on.')).toBeDefined()
  await isGone()
  expect(isAnonymousOwner((await session()).owner)).toBe(true)
})

it('“Log In” in the Session Expired dialog keeps the Reset Password dialog that a mail’s link has opened', async () => {
  const { app, choose } = await expired()
  act(() => app.store.set(openDialogAtom, { kind: 'auth', view: 'resetPassword', token: 't' }))
  await choose('Log In')
  await isGone()
  expect(openDialog(app.store, 'auth')).toEqual({ kind: 'auth', view: 'resetPassword', token: 't' })
})

it('“Log In” in the Session Expired dialog leads from the registration page to the login page', async () => {
  window.history.replaceState(null, '', '/register')
  const { app, choose } = await expired()
  await choose('Log In')
  await isGone()
  expect(openDialog(app.store, 'auth')).toBeUndefined()
  expect(location.pathname).toBe('/login')
  window.history.replaceState(null, '', '/')
})

it('the Session Expired dialog opens again when the browser has closed it on Escape', async () => {
  const { owner, dialog, session } = await expired()
  // The browser closes a dialog at the second Escape in a row.
  act(() => (dialog as HTMLDialogElement).close())
  act(() => void dialog.dispatchEvent(new Event('close')))
  const again = await screen.findByRole('alertdialog', { name: 'Session Expired' })
  expect(again).toHaveProperty('open', true)
  expect((await session()).owner).toBe(owner)
})

it('the Session Expired dialog stays when the session cannot be ended, and a toast says so', async () => {
  const reports = catchReports()
  const { app, choose } = await expired()
  app.db.session.hook('updating', () => {
    throw new Error('disk')
  })
  app.db.session.hook('creating', () => {
    throw new Error('disk')
  })
  await choose('Log In')
  await waitFor(() =>
    expect(noticesOf(app)).toMatchObject([
      { kind: 'error', message: 'The session could not be ended on this device. Please try again.' },
    ]),
  )
  expect(screen.getByRole('alertdialog')).toBeDefined()
  expect(screen.queryByRole('dialog', { name: 'Log In' })).toBeNull()
  expect(reports).toHaveLength(1)
})
