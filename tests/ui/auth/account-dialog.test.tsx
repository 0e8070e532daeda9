import { render, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { AccountDialog } from '../../../src/features/auth/account-dialog'

it.each([
  ['login', 'Log In', 'Accounts are not open on this server yet, so there is nothing to log in to.'],
  ['upgrade', 'Upgrade', 'Premium cannot be bought on this server yet.'],
] as const)('for %s it says what is so, and closes', async (mode, title, text) => {
  let closed = 0
  render(<AccountDialog mode={mode} onClose={() => (closed += 1)} />)
  const dialog = within(screen.getByRole('dialog', { name: title }))
  expect(dialog.getByText(text)).toBeDefined()
  await userEvent.click(dialog.getByRole('button', { name: 'OK' }))
  expect(closed).toBe(1)
})
