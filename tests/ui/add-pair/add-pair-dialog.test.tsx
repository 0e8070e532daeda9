import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { AddPairDialog } from '../../../src/features/add-pair/add-pair-dialog'
import { FedDashboard } from '../support/fed'
import { syncStateAtom } from '../../../src/state/live-data'
import { closeDialogAtom, openDialogAtom, openDialogsAtom } from '../../../src/state/open-dialogs'
import { useAtomValue, useSetAtom } from 'jotai'
import { seedCoins, seedLimit, seedWidgets, START, startLocalApp } from '../support/local-app'
import { catchReports } from '../support/reports'

/** The dashboard with the dialog open over it, as src/app puts them together. */
function Page() {
  const dialogs = useAtomValue(openDialogsAtom)
  const close = useSetAtom(closeDialogAtom)
  return (
    <>
      <FedDashboard />
      {dialogs.length > 0 && <AddPairDialog onClose={() => close('add-pair')} />}
    </>
  )
}

async function openDialog(
  options: { coins?: number; limit?: number; pairs?: readonly (readonly [number, number])[] } = {},
) {
  const app = await startLocalApp()
  const { coins = 12, limit = 5, pairs = [] } = options
  if (coins > 0) await seedCoins(app, coins)
  await seedLimit(app, limit)
  await seedWidgets(app, pairs)
  app.store.set(openDialogAtom, { kind: 'add-pair' })
  app.render(<Page />)
  return { app, dialog: within(await screen.findByRole('dialog', { name: 'Create New Pair' })) }
}
type Dialog = Awaited<ReturnType<typeof openDialog>>['dialog']

async function choose(dialog: Dialog, label: string, term: string) {
  const field = dialog.getByRole('combobox', { name: label })
  await userEvent.click(field)
  await userEvent.keyboard(term)
  await waitFor(() => expect(offered().length).toBeLessThan(100))
  await userEvent.keyboard('{Enter}')
  await waitFor(() => expect(offered()).toEqual([]))
}
const submit = (dialog: Dialog) => userEvent.click(dialog.getByRole('button', { name: 'Add Pair' }))
const problem = (dialog: Dialog) => dialog.findByRole('alert')

/** Coins in the open list; a menu of the dashboard has options too. */
const offered = () => screen.queryAllByRole('listbox').flatMap((list) => within(list).queryAllByRole('option'))

it('the Create New Pair dialog adds a pair chosen by keyboard, closes, and focuses the new card', async () => {
  const { app, dialog } = await openDialog()
  await choose(dialog, 'Base coin', 'bitco')
  await choose(dialog, 'Quote coin', 'ETH')
  await submit(dialog)
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  const card = await screen.findByRole('article', { name: 'BTC / ETH' })
  expect(within(card).getByText('Saving...')).toBeDefined()
  await waitFor(() => expect(document.activeElement).toBe(card))
  expect((await app.db.outbox.toArray()).map((entry) => entry.label)).toEqual(['BTC/ETH'])
  expect(app.syncs).toContain('command')
})

it('the coin field finds a coin among five hundred by its symbol typed in lower case', async () => {
  const { dialog } = await openDialog({ coins: 500 })
  await choose(dialog, 'Base coin', 'c499')
  expect(dialog.getByRole<HTMLInputElement>('combobox', { name: 'Base coin' }).value).toBe('Coin 499 (C499)')
})

it('Add Pair with only a base coin asks for both coins and stores nothing', async () => {
  const { app, dialog } = await openDialog()
  await choose(dialog, 'Base coin', 'bitco')
  await submit(dialog)
  await waitFor(async () => expect((await problem(dialog)).textContent).toBe('Please select both cryptocurrencies.'))
  expect(await app.db.outbox.count()).toBe(0)
})

it('Add Pair refuses a pair whose base and quote are the same coin', async () => {
  const { dialog } = await openDialog()
  await choose(dialog, 'Base coin', 'bitco')
  await choose(dialog, 'Quote coin', 'bitco')
  await submit(dialog)
  expect(await dialog.findByText('Base and Quote cryptocurrencies cannot be the same.')).toBeDefined()
})

it('Add Pair refuses a pair that exists already, but accepts its reverse', async () => {
  const { app, dialog } = await openDialog({ pairs: [[0, 1]] })
  await choose(dialog, 'Base coin', 'bitco')
  await choose(dialog, 'Quote coin', 'ethereum')
  await submit(dialog)
  expect(await dialog.findByText('The exact pair BTC/ETH already exists.')).toBeDefined()
  await userEvent.click(dialog.getByRole('button', { name: 'Swap base and quote' }))
  expect(dialog.queryByText(/already exists/)).toBeNull()
  await submit(dialog)
  expect(await screen.findByRole('article', { name: 'ETH / BTC' })).toBeDefined()
  expect(await app.db.outbox.count()).toBe(1)
})

it('Add Pair at a limit of two pairs names the limit and suggests no upgrade', async () => {
  const pairs = [
    [2, 3],
    [4, 5],
  ] as const
  const { dialog } = await openDialog({ limit: 2, pairs })
  await choose(dialog, 'Base coin', 'bitco')
  await choose(dialog, 'Quote coin', 'ethereum')
  await submit(dialog)
  expect(await dialog.findByText('Maximum number of widgets (2) reached for your account tier.')).toBeDefined()
})

it('Add Pair at a limit of four pairs names the limit and suggests an upgrade', async () => {
  const pairs = [2, 4, 6, 8].map((index) => [index, index + 1] as const)
  const { dialog } = await openDialog({ limit: 4, pairs })
  await choose(dialog, 'Base coin', 'bitco')
  await choose(dialog, 'Quote coin', 'ethereum')
  await submit(dialog)
  expect(
    await dialog.findByText(
      'Maximum number of widgets (4) reached for your account tier. Upgrade to add more widgets.',
    ),
  ).toBeDefined()
})

it('Add Pair without a session on this device says that the authentication context is not available', async () => {
  const { app, dialog } = await openDialog()
  await app.db.session.clear()
  await choose(dialog, 'Base coin', 'bitco')
  await choose(dialog, 'Quote coin', 'ethereum')
  await submit(dialog)
  expect(await dialog.findByText('Authentication context not available. Cannot add widget.')).toBeDefined()
})

it.each([
  ['the disk is full', 'The disk is full.', /The disk is full\./],
  ['nobody knows why', '', /^Failed to add pair\. It might already exist\.$/],
])('Add Pair shows why a pair cannot be stored (%s), and adds it on the next try', async (_why, message, sentence) => {
  const { app, dialog } = await openDialog()
  const reports = catchReports()
  await choose(dialog, 'Base coin', 'bitco')
  await choose(dialog, 'Quote coin', 'ethereum')
  vi.spyOn(app.db.outbox, 'add').mockRejectedValueOnce(new Error(message))
  await submit(dialog)
  expect(await dialog.findByText(sentence)).toBeDefined()
  expect(reports).toHaveLength(1)
  await submit(dialog)
  expect(await screen.findByRole('article', { name: 'BTC / ETH' })).toBeDefined()
})

it('Add Pair says that no pair can be added right now when the local database is closed', async () => {
  const { app, dialog } = await openDialog()
  const reports = catchReports()
  await choose(dialog, 'Base coin', 'bitco')
  await choose(dialog, 'Quote coin', 'ethereum')
  app.db.close({ disableAutoOpen: true })
  await submit(dialog)
  expect(await dialog.findByText('Cannot add pair right now. Please try again from the dashboard.')).toBeDefined()
  expect(reports.length).toBeGreaterThan(0)
  await app.db.open()
})

it('the coin field lists five hundred coins and chooses by arrow keys; Escape leaves the dialog open', async () => {
  const { dialog } = await openDialog({ coins: 500 })
  const field = dialog.getByRole<HTMLInputElement>('combobox', { name: 'Base coin' })
  field.focus()
  await userEvent.keyboard('{ArrowDown}')
  expect(await screen.findAllByRole('option')).toHaveLength(500)
  await userEvent.keyboard('{ArrowUp}')
  await userEvent.keyboard('{Enter}')
  await waitFor(() => expect(field.value).not.toBe(''))
  await userEvent.keyboard('{Escape}')
  expect(screen.getByRole('dialog', { name: 'Create New Pair' })).toBeDefined()
})

it('the coin field quotes a search term that matches no coin', async () => {
  const { dialog } = await openDialog()
  await userEvent.click(dialog.getByRole('combobox', { name: 'Quote coin' }))
  await userEvent.keyboard('zzz')
  expect(await screen.findByText('No matches found for "zzz"')).toBeDefined()
})

it('the coin field says that the coins are loading, that they could not be loaded, and shows them when they arrive', async () => {
  const { app, dialog } = await openDialog({ coins: 0 })
  await userEvent.click(dialog.getByRole('combobox', { name: 'Base coin' }))
  expect(await screen.findByText('Loading coins…')).toBeDefined()
  expect(screen.queryByText('Could not load coins or list is empty.')).toBeNull()
  const problems = { coins: 'Failed to load supported coins: No list.' }
  const failed = { last_success_at: null, last_failure_at: START, problem: null, problems, unreachable_since: null }
  app.store.set(syncStateAtom, failed)
  expect(await screen.findByText('Could not load coins or list is empty.')).toBeDefined()
  expect(app.syncs).toContain('command')
  await seedCoins(app, 3)
  expect((await screen.findAllByRole('option')).length).toBe(3)
})
