import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { UpgradeDialog } from '../../../src/features/billing/upgrade-dialog'
import { authOpenAtom } from '../../../src/state/panels'
import { seedLimit, signIn, startLocalApp } from '../support/local-app'

const row = (name: string) =>
  within(screen.getByRole('row', { name: new RegExp(`^${name}`) }))
    .getAllByRole('cell')
    .map((cell) => cell.textContent)

test('sets the tiers side by side, and says that Premium cannot be bought here', async () => {
  const app = await startLocalApp()
  await signIn(app, { premium: false })
  const onClose = vi.fn()
  app.render(<UpgradeDialog onClose={onClose} />)
  await screen.findByRole('table')
  expect(row('Total widgets')).toEqual(['5', '50'])
  expect(row('Checkpoints per widget')).toEqual(['1', '20'])
  expect(row('Manage lists of checkpoints')).toEqual(['No', 'Yes'])
  expect(screen.getByText(/^Premium cannot be bought on this server yet/)).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Create an account' })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'OK' }))
  expect(onClose).toHaveBeenCalledOnce()
})

test('a guest can register first', async () => {
  const app = await startLocalApp()
  await seedLimit(app, 5)
  const onClose = vi.fn()
  app.render(<UpgradeDialog onClose={onClose} />)
  await userEvent.click(await screen.findByRole('button', { name: 'Create an account' }))
  expect(onClose).toHaveBeenCalledOnce()
  expect(app.store.get(authOpenAtom)).toEqual({ view: 'register' })
})
