import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { addWidget, removeWidget } from '../../../src/db/commands/widgets'
import { saveCheckpoint } from '../../../src/db/commands/default-checkpoint'
import { readBoard } from '../../../src/db/board-rows'
import type { OutboxEntry } from '../../../src/db/outbox-entry'
import { ChangesDialog } from '../../../src/features/changes/changes-dialog'
import { coinNumber, type LocalApp, seedCoins, seedWidgets, startLocalApp, noticesOf } from '../support/local-app'
import { fed } from '../support/fed'
import { catchReports } from '../support/reports'

/** A guest who added C-0/C-1 and then C-2/C-3; the first add is in the given condition. */
async function open(condition: Partial<OutboxEntry>): Promise<{ app: LocalApp; onClose: () => void }> {
  const app = await startLocalApp()
  await seedCoins(app, 4)
  for (const [a, b] of [
    [0, 1],
    [2, 3],
  ] as const) {
    await addWidget(app.services.commands, { coinA: coinNumber(a).id, coinB: coinNumber(b).id })
  }
  await app.db.outbox.update((await entries(app))[0]!.seq!, condition)
  const onClose = vi.fn()
  app.render(fed(<ChangesDialog onClose={onClose} />))
  await screen.findAllByRole('listitem')
  return { app, onClose }
}

const entries = (app: LocalApp): Promise<OutboxEntry[]> => app.db.outbox.orderBy('seq').toArray()
const row = (name: RegExp) => screen.getAllByRole('listitem').find((item) => name.test(item.textContent ?? ''))!
const button = (name: RegExp, action: string) =>
  within(row(name)).getByRole<HTMLButtonElement>('button', { name: action })

const REFUSED = {
  state: 'failed',
  attempts: 1,
  last_error: { status: 422, error_code: 'UNKNOWN_COIN', message: 'No such coin.' },
} as const

test('a refused outbox entry is shown with the reason; “Retry” makes the entry wait and requests a sync', async () => {
  const { app } = await open(REFUSED)
  await waitFor(() => expect(row(/BTC\/ETH/).textContent).toContain('No such coin.'))

  await userEvent.click(button(/BTC\/ETH/, 'Retry'))
  await waitFor(async () => expect((await entries(app)).map((entry) => entry.state)).toEqual(['waiting', 'waiting']))
  expect(app.syncs).toContain('command')
})

test('“Retry” on a refused outbox entry says when this device cannot store the retry', async () => {
  const { app } = await open(REFUSED)
  const reports = catchReports()
  const full = () => {
    throw new Error('The disk is full.')
  }
  app.db.outbox.hook('creating', full)
  await userEvent.click(button(/BTC\/ETH/, 'Retry'))
  await waitFor(() =>
    expect(noticesOf(app)).toMatchObject([{ kind: 'error', message: expect.stringContaining('disk is full') }]),
  )
  expect(reports).toHaveLength(1)
  expect((await entries(app))[0]?.state).toBe('failed')
})

test('“Discard” removes a refused outbox entry once the user has confirmed', async () => {
  const { app } = await open(REFUSED)
  await userEvent.click(button(/BTC\/ETH/, 'Discard'))
  const question = await screen.findByRole('alertdialog', { name: 'Discard this change?' })
  await waitFor(() => expect(document.activeElement).toBe(within(question).getByRole('button', { name: 'Cancel' })))
  expect(await entries(app)).toHaveLength(2)

  await userEvent.click(within(question).getByRole('button', { name: 'Discard' }))
  await waitFor(() => expect(screen.getAllByRole('listitem')).toHaveLength(1))
  expect((await entries(app)).map((entry) => entry.label)).toEqual(['C2/C3'])
})

test('an outbox entry that was never sent can be discarded', async () => {
  const { app } = await open({})
  await userEvent.click(button(/C2\/C3/, 'Discard'))
  await userEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Discard' }))
  await waitFor(async () => expect((await entries(app)).map((entry) => entry.label)).toEqual(['BTC/ETH']))
})

test('the question before a discard names the changes that go along and says that what was sent may have arrived', async () => {
  const { app } = await open({ attempts: 1 })
  const [pair] = (await readBoard(app.db))!.widgets
  await saveCheckpoint(app.services.commands, pair!.id, 5)
  await userEvent.click(button(/Add BTC\/ETH/, 'Discard'))
  const question = await screen.findByRole('alertdialog', { name: 'Discard this change?' })
  expect(question.textContent).toContain('This change goes with it:Save a checkpoint of BTC/ETH')
  expect(question.textContent).toContain('It was sent and may have arrived; a refresh will show.')
  await userEvent.click(within(question).getByRole('button', { name: 'Discard' }))
  await waitFor(async () => expect((await entries(app)).map((entry) => entry.label)).toEqual(['C2/C3']))
})

test('a removal that may have reached the server can be discarded, but not while it is being sent', async () => {
  const { app } = await open({})
  const [pair] = await seedWidgets(app, [[0, 2]])
  await removeWidget(app.services.commands, pair!)
  const removal = (await entries(app)).at(-1)!
  await app.db.outbox.update(removal.seq!, { attempts: 1, state: 'leased', lease: 'mine' })
  await waitFor(() => expect(button(/Remove/, 'Discard').disabled).toBe(true))
  await app.db.outbox.update(removal.seq!, { state: 'waiting', lease: null })
  await waitFor(() => expect(button(/Remove/, 'Discard').disabled).toBe(false))
})

test('“Retry” makes an outbox entry that waits for its next try due at once, and requests a sync', async () => {
  const { app } = await open({ attempts: 3, failures: 3, not_before: Date.UTC(2026, 10, 21, 12, 3) })
  await waitFor(() => expect(row(/BTC\/ETH/).textContent).toMatch(/next try at/))
  await userEvent.click(button(/BTC\/ETH/, 'Retry'))
  await waitFor(async () => expect((await entries(app))[0]?.not_before).toBe(0))
  expect(app.syncs).toContain('command')
})
