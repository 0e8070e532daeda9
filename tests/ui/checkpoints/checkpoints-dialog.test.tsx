import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { commitCheckpoints } from '../../../src/db/commands/checkpoint-lists'
import { seedCheckpoints, seedPrices, START, type LocalApp, noticesOf } from '../support/local-app'
import { catchReports } from '../support/reports'
import { close, type Dialog, inRow, open, outbox, press, rows, sent, shown } from './open-checkpoints'

const fillDisk = (app: LocalApp) =>
  app.db.outbox.hook('creating', () => {
    throw new Error('The disk is full.')
  })

test('the checkpoints dialog shows each ratio with its local time and the change since, and the default', async () => {
  const { dialog } = await open([16, 25])
  expect(shown(dialog)).toBe('[16] 25')
  const first = inRow(dialog, '16.0000')
  const local = new Date(START - 2 * 3_600_000)
  const time = rows(dialog)[0]!.querySelector('time')
  expect(time?.textContent).toContain(String(local.getDate()))
  expect(time?.textContent).toContain(`${String(local.getHours()).padStart(2, '0')}:00`)
  expect(first.getByText('+25.00%')).toBeDefined()
  expect(inRow(dialog, '25.0000').getByText('−20.00%')).toBeDefined()
  expect(first.getByRole('button', { name: 'Set as default', pressed: true })).toBeDefined()
  expect(dialog.getByText('2 of 20')).toBeDefined()
})

test('the change since a checkpoint follows the prices in the checkpoints dialog', async () => {
  const { app, dialog } = await open([16])
  await seedPrices(app, { 0: 48_000, 1: 3_000 })
  expect(await inRow(dialog, '16.0000').findByText('0.00%')).toBeDefined()
})

test('a checkpoint says which coin has moved since, where its prices are known and those of now are live', async () => {
  const { app, ids, dialog } = await open([16, 25])
  await app.db.checkpoints.update(ids[0]!, { prices: { a: 48_000, b: 3_000 } })
  const words = 'mostly BTC: +25 %, ETH 0.00 %'
  expect(await inRow(dialog, '16.0000').findByText(words)).toBeDefined()
  expect(inRow(dialog, '25.0000').queryByText(/ETH/)).toBeNull()
  await seedPrices(app, { 0: 60_000, 1: 3_000 }, START - 16 * 60_000)
  await waitFor(() => expect(dialog.queryByText(words)).toBeNull())
})

test('the checkpoints dialog says when there are no checkpoints', async () => {
  const { dialog } = await open([])
  expect(dialog.getByText('No checkpoints saved.')).toBeDefined()
  expect(rows(dialog)).toHaveLength(0)
})

test('the checkpoints dialog offers no “Move” for a single checkpoint', async () => {
  const { dialog } = await open([16])
  expect(dialog.queryByRole('button', { name: 'Move' })).toBeNull()
})

test('checkpoint edits stay in the dialog until it closes, and are then queued as delete, reorder, set default', async () => {
  const { app, ids, dialog } = await open([10, 20, 30, 40])
  const [a, b, c, d] = ids
  await press(dialog, '20.0000', 'Delete')
  await press(dialog, '40.0000', 'Move')
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Move first' }))
  await press(dialog, '30.0000', 'Set as default')
  expect(shown(dialog)).toBe('40 10 [30]')
  expect(await outbox(app)).toEqual([])

  await close(dialog)
  expect(screen.queryByRole('dialog')).toBeNull()
  await waitFor(async () =>
    expect(await sent(app)).toEqual([
      ['checkpoint.delete-many@1', { checkpoint_ids: [b] }],
      ['checkpoint.reorder@1', { ordered_ids: [d, a, c] }],
      ['checkpoint.set-default@1', { checkpoint: c }],
    ]),
  )
  const groups = new Set((await outbox(app)).map(({ group }) => group))
  expect(groups.size).toBe(1)
  expect(app.syncs).toContain('command')
})

test('deleting the default checkpoint makes the last checkpoint the default, and queues only the deletion', async () => {
  const { app, ids, dialog } = await open([10, 20, 30])
  await press(dialog, '10.0000', 'Delete')
  expect(shown(dialog)).toBe('20 [30]')
  expect(dialog.getByText('Checkpoint 10.0000 deleted.')).toBeDefined()
  await close(dialog)
  await waitFor(async () =>
    expect(await sent(app)).toEqual([['checkpoint.delete-many@1', { checkpoint_ids: [ids[0]] }]]),
  )
})

test('checkpoint edits that cancel each other out queue nothing', async () => {
  const { app, dialog } = await open([10, 20])
  await press(dialog, '20.0000', 'Set as default')
  await press(dialog, '10.0000', 'Set as default')
  await close(dialog)
  await act(() => new Promise((resolve) => setTimeout(resolve, 50)))
  expect(await outbox(app)).toEqual([])
})

test('deleting checkpoints by keyboard moves the focus to the next row, and at last to “Add checkpoint”', async () => {
  const { app, dialog } = await open([10, 20, 30])
  await press(dialog, '20.0000', 'Delete')
  expect(document.activeElement).toBe(inRow(dialog, '30.0000').getByRole('button', { name: 'Delete' }))
  await userEvent.keyboard('{Enter}')
  expect(document.activeElement).toBe(inRow(dialog, '10.0000').getByRole('button', { name: 'Delete' }))
  await userEvent.keyboard('{Enter}')
  expect(dialog.getByText('No checkpoints saved.')).toBeDefined()
  expect(document.activeElement).toBe(dialog.getByRole('button', { name: 'Add checkpoint' }))
  await close(dialog)
  await waitFor(async () => expect(await sent(app)).toHaveLength(1))
})

test('Space picks a checkpoint up with an announcement; Escape cancels the move and leaves the dialog open', async () => {
  const { dialog } = await open([10, 20])
  const handle = inRow(dialog, '10.0000').getByRole('button', { name: 'Move' })
  await waitFor(() => expect(document.querySelector('[id^="DndLiveRegion"]')).not.toBeNull())
  handle.focus()
  fireEvent.keyDown(handle, { key: ' ', code: 'Space' })
  expect(await dialog.findByText('Checkpoint 10.0000 picked up at position 1 of 2.')).toBeDefined()
  const escape = new KeyboardEvent('keydown', { key: 'Escape', code: 'Escape', bubbles: true, cancelable: true })
  act(() => void handle.dispatchEvent(escape))
  expect(await dialog.findByText('Moving cancelled; Checkpoint 10.0000 is where it was.')).toBeDefined()
  // Prevented, it does not reach the browser, which would close the dialog.
  expect(escape.defaultPrevented).toBe(true)
  expect(shown(dialog)).toBe('[10] 20')
})

test('checkpoint changes from elsewhere show in the dialog; closing the dialog neither repeats nor reverts them', async () => {
  const { app, ids, widget, dialog } = await open([10, 20, 30])
  await press(dialog, '20.0000', 'Delete')
  // As another tab would: its own commit, over the same database.
  await commitCheckpoints(app.services.commands, widget, { deleted: [], order: [], defaultId: ids[2]! })
  await waitFor(() => expect(shown(dialog)).toBe('10 [30]'))
  const [made] = await seedCheckpoints(app, widget, [50], -1)
  await app.db.checkpoints.update(made!, { display_order: 9 })
  await waitFor(() => expect(shown(dialog)).toBe('10 [30] 50'))

  await close(dialog)
  await waitFor(async () =>
    expect(await sent(app)).toEqual([
      ['checkpoint.delete-many@1', { checkpoint_ids: [ids[1]] }],
      ['checkpoint.set-default@1', { checkpoint: ids[2] }],
    ]),
  )
})

const add = (dialog: Dialog) => userEvent.click(dialog.getByRole('button', { name: 'Add checkpoint' }))

test('“Add checkpoint” commits the edits, then saves the current ratio as the default checkpoint', async () => {
  const { app, ids, dialog } = await open([10, 30])
  await press(dialog, '10.0000', 'Delete')
  await add(dialog)
  await waitFor(() => expect(shown(dialog)).toBe('30 [20]'))
  const entries = await sent(app)
  expect(entries).toMatchObject([
    ['checkpoint.delete-many@1', { checkpoint_ids: [ids[0]] }],
    ['checkpoint.create@1', { body: { ratio: 20, timestamp: new Date(START).toISOString(), is_default: true } }],
  ])
  await close(dialog)
  await act(() => new Promise((resolve) => setTimeout(resolve, 50)))
  expect(await sent(app)).toEqual(entries)
})

test('“Add checkpoint” is refused at the limit with its number, and keeps the edits', async () => {
  const ratios = Array.from({ length: 20 }, (_, index) => 101 + index)
  const { app, dialog } = await open(ratios)
  await press(dialog, '103.000', 'Set as default')
  await add(dialog)
  const sentence = 'You have reached the limit of 20 checkpoints for this widget on your current tier.'
  expect(await dialog.findByText(sentence)).toBeDefined()
  expect(await outbox(app)).toEqual([])
  expect(rows(dialog)).toHaveLength(20)
  expect(inRow(dialog, '103.000').getByText('Default')).toBeDefined()

  await press(dialog, '101.000', 'Delete')
  expect(dialog.queryByText(sentence)).toBeNull()
  await add(dialog)
  await waitFor(() => expect(dialog.getByText('20 of 20')).toBeDefined())
  expect((await sent(app)).map(([kind]) => kind)).toEqual([
    'checkpoint.delete-many@1',
    'checkpoint.set-default@1',
    'checkpoint.create@1',
  ])
})

test('“Add checkpoint” is disabled until the ratio is known', async () => {
  const { app, dialog } = await open([])
  await seedPrices(app, { 0: 60_000 })
  await waitFor(() => expect(dialog.getByText('N/A')).toBeDefined())
  const button = dialog.getByRole('button', { name: 'Add checkpoint' })
  expect(button.getAttribute('aria-disabled')).toBe('true')
  await add(dialog)
  expect(await outbox(app)).toEqual([])
})

test('“Add checkpoint” is disabled while the ratio is 0', async () => {
  const { app, dialog } = await open([])
  await seedPrices(app, { 0: 0, 1: 3_000 })
  const button = dialog.getByRole('button', { name: 'Add checkpoint' })
  await waitFor(() => expect(button.getAttribute('aria-disabled')).toBe('true'))
  await add(dialog)
  expect(await outbox(app)).toEqual([])
})

test('“Add checkpoint” reports a failure in a toast when the dialog was closed before', async () => {
  const { app, dialog } = await open([10, 30])
  catchReports()
  fillDisk(app)
  fireEvent.click(dialog.getByRole('button', { name: 'Add checkpoint' }))
  fireEvent.click(dialog.getByRole('button', { name: 'Close' }))
  expect(screen.queryByRole('dialog')).toBeNull()
  await waitFor(() =>
    expect(noticesOf(app)).toMatchObject([{ kind: 'error', message: 'Failed to add checkpoint: The disk is full.' }]),
  )
})

test('“Add checkpoint” says in the dialog when this device cannot store the checkpoint', async () => {
  const { app, dialog } = await open([])
  const reports = catchReports()
  fillDisk(app)
  await add(dialog)
  expect((await dialog.findByText(/^Failed to add checkpoint: /)).textContent).toContain('The disk is full.')
  expect(reports).toHaveLength(1)
})

test('a toast says that checkpoint edits could not be saved when the disk is full', async () => {
  const { app, dialog } = await open([10, 20])
  const reports = catchReports()
  fillDisk(app)
  await press(dialog, '20.0000', 'Set as default')
  await close(dialog)
  await waitFor(() =>
    expect(noticesOf(app)).toMatchObject([
      { kind: 'error', message: expect.stringMatching(/^Failed to save checkpoint changes: .*The disk is full/) },
    ]),
  )
  expect(reports).toHaveLength(1)
})
