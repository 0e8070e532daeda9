import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { LostPairs } from '../../../src/features/dashboard/lost-pairs'
import { type LocalApp, seedCoins, seedWidgets, startLocalApp } from '../support/local-app'

const panel = () => screen.queryByRole('region', { name: 'Pairs that the server no longer has' })
const press = (name: string, within_: HTMLElement = panel()!) =>
  userEvent.click(within(within_).getByRole('button', { name }))
const labels = async ({ db }: LocalApp) =>
  (await db.outbox.orderBy('seq').toArray()).map(({ kind, label }) => [kind, label])

/** Three pairs, of which the server has lost the first so many. */
async function start(lost: number) {
  const app = await startLocalApp()
  await seedCoins(app, 6)
  await seedWidgets(app, 3)
  const rows = await app.db.widgets.orderBy('id').toArray()
  const inOrder = rows.toSorted((a, b) => a.display_order - b.display_order)
  await app.db.widgets.bulkPut(inOrder.slice(0, lost).map((row) => ({ ...row, lost: true as const })))
  app.render(<LostPairs />)
  await waitFor(() => expect(panel()).not.toBeNull())
  return app
}

it.each([
  [1, 'The server no longer has BTC/ETH.'],
  [2, 'The server no longer has BTC/ETH, C2/C3.'],
  [3, 'The server no longer has your pairs.'],
])('the question about %i of three lost pairs says which they are', async (lost, sentence) => {
  await start(lost)
  expect(within(panel()!).getByText(sentence)).toBeTruthy()
})

it('“Send again” queues creates for the lost pairs, requests a sync, and takes the question away', async () => {
  const app = await start(2)
  await press('Send again')
  await waitFor(() => expect(panel()).toBeNull())
  expect(await labels(app)).toEqual([
    ['widget.create@1', 'BTC/ETH'],
    ['widget.create@1', 'C2/C3'],
    ['layout.reorder@1', 'the layout'],
  ])
  expect(app.syncs).toContain('command')
})

it('“Remove them here” removes the lost pairs from this device once the user has confirmed', async () => {
  const app = await start(2)
  await press('Remove them here')
  const dialog = screen.getByRole('alertdialog', { name: 'Remove these 2 pairs here?' })
  expect(await app.db.widgets.count()).toBe(3)
  await press('Remove', dialog)
  await waitFor(() => expect(panel()).toBeNull())
  expect([await app.db.widgets.count(), await labels(app)]).toEqual([1, []])
})
