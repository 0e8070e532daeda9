import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { HomeScreenDialog } from '../../../src/features/push/home-screen-dialog'
import { accountAtom } from '../../../src/state/account'
import { openDialog } from '../support/open-dialog'
import { signIn, startLocalApp } from '../support/local-app'

test('the home screen dialog lists how to add the app step by step, and says that a guest begins anew there', async () => {
  const app = await startLocalApp()
  await vi.waitFor(() => expect(app.store.get(accountAtom)?.account).toBe('guest'))
  const onClose = vi.fn()
  app.render(<HomeScreenDialog onClose={onClose} />)
  const dialog = within(screen.getByRole('dialog', { name: 'Add the app to your home screen' }))
  expect(dialog.getAllByRole('listitem').map((step) => step.textContent)).toEqual([
    'Tap  Share in the browser’s bar.',
    'Choose  Add to Home Screen.',
    'Open the app from there and switch the alerts on.',
  ])
  expect(dialog.getByText(/without one you begin anew/)).toBeDefined()
  await userEvent.click(dialog.getByRole('button', { name: 'Create an account' }))
  expect(onClose).toHaveBeenCalledOnce()
  expect(openDialog(app.store, 'auth')).toEqual({ kind: 'auth', view: 'register' })
})

test('the home screen dialog asks a user with an account to log in on the home screen', async () => {
  const app = await startLocalApp()
  await signIn(app)
  await vi.waitFor(() => expect(app.store.get(accountAtom)?.account).toBe('premium'))
  app.render(<HomeScreenDialog onClose={() => undefined} />)
  expect(screen.getByText(/Log in there to find your pairs/)).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Create an account' })).toBeNull()
})
