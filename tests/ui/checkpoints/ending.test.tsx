import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { removeWidget } from '../../../src/db/commands/widgets'
import type { CheckpointId } from '../../../src/domain/ids'
import { openDialog } from '../support/open-dialog'
import { type LocalApp, seedLimit, seedWidgets, setPremium, noticesOf } from '../support/local-app'
import { close, open, press, sent, shown } from './open-checkpoints'

const deleted = (app: LocalApp, id: CheckpointId | undefined) =>
  waitFor(async () => expect(await sent(app)).toEqual([['checkpoint.delete-many@1', { checkpoint_ids: [id] }]]))

const UNDO = { message: 'Checkpoint of BTC / ETH deleted.', action: { label: 'Undo' } }

test('Escape in the checkpoints dialog commits its edits', async () => {
  const { app, ids, dialog } = await open([10, 20])
  await press(dialog, '20.0000', 'Delete')
  act(() => void screen.getByRole('dialog').dispatchEvent(new Event('cancel', { cancelable: true })))
  await deleted(app, ids[1])
})

test('a click beside the checkpoints dialog commits its edits', async () => {
  const { app, ids, dialog } = await open([10, 20])
  await press(dialog, '20.0000', 'Delete')
  const element = screen.getByRole('dialog')
  fireEvent.mouseDown(element)
  fireEvent.click(element)
  await deleted(app, ids[1])
})

test('the checkpoints dialog commits its edits when its screen is left', async () => {
  const { app, ids, dialog, unmount } = await open([10, 20])
  await press(dialog, '20.0000', 'Delete')
  unmount()
  await deleted(app, ids[1])
})

test('the checkpoints dialog commits its edits once when the page is hidden', async () => {
  const { app, ids, dialog } = await open([10, 20, 30])
  await press(dialog, '20.0000', 'Delete')
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  act(() => void document.dispatchEvent(new Event('visibilitychange')))
  expect(shown(dialog)).toBe('[10] 30')
  await deleted(app, ids[1])
  await waitFor(() => expect(shown(dialog)).toBe('[10] 30'))
  await close(dialog)
  await deleted(app, ids[1])
})

test('the checkpoints dialog of a pair that becomes inactive closes, commits its edits and says why', async () => {
  const { app, ids, widget, dialog } = await open([10, 20])
  await press(dialog, '20.0000', 'Delete')
  await app.db.widgets.update(widget, { display_order: 1 })
  const [first] = await seedWidgets(app, [[2, 3]])
  expect(first).toBeDefined()
  await seedLimit(app, 1)
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await deleted(app, ids[1])
  expect(openDialog(app.store, 'checkpoints')).toBeUndefined()
  expect(noticesOf(app)).toMatchObject([{ kind: 'info', message: 'This pair is inactive now.' }, UNDO])
})

test('the checkpoints dialog closes when Premium ends, commits its edits and says why', async () => {
  const { app, ids, dialog } = await open([10, 20])
  await press(dialog, '20.0000', 'Delete')
  await setPremium(app, false)
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await deleted(app, ids[1])
  expect(noticesOf(app)).toMatchObject([{ kind: 'info', message: 'Upgrade to manage multiple checkpoints.' }, UNDO])
})

test('the checkpoints dialog of a removed pair closes with one message, and its edits are dropped', async () => {
  const { app, widget, dialog } = await open([10, 20])
  await press(dialog, '20.0000', 'Delete')
  await removeWidget(app.services.commands, widget)
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  const toasts = () => noticesOf(app).map(({ message }) => message)
  await waitFor(() => expect(toasts()).toContain('This pair is no longer on your dashboard.'))
  // The draft is refused for the same reason, which is said already: a toast that counts it.
  await waitFor(() => expect(noticesOf(app)).toMatchObject([{ kind: 'error' }]))
  expect(toasts()).toEqual(['This pair is no longer on your dashboard.'])
  expect((await sent(app)).map(([kind]) => kind)).toEqual(['widget.delete@1'])
})
