import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { removeWidget } from '../../../src/db/commands/remove-widget'
import type { CheckpointId } from '../../../src/domain/ids'
import { checkpointsOpenAtom } from '../../../src/state/panels'
import { localToastsAtom } from '../../../src/state/toasts'
import { wishesAtom } from '../../../src/state/wishes'
import { type LocalApp, seedLimit, seedWidgets, setPremium } from '../support/local-app'
import { close, open, press, sent, shown } from './open-checkpoints'

afterEach(() => vi.restoreAllMocks())

describe('whatever ends it commits', () => {
  const deleted = (app: LocalApp, id: CheckpointId | undefined) =>
    waitFor(async () => expect(await sent(app)).toEqual([['checkpoint.delete-many@1', { checkpoint_ids: [id] }]]))

  test('Escape', async () => {
    const { app, ids, dialog } = await open([10, 20])
    await press(dialog, '20.0000', 'Delete')
    act(() => void screen.getByRole('dialog').dispatchEvent(new Event('cancel', { cancelable: true })))
    await deleted(app, ids[1])
  })

  test('a click beside it', async () => {
    const { app, ids, dialog } = await open([10, 20])
    await press(dialog, '20.0000', 'Delete')
    const element = screen.getByRole('dialog')
    fireEvent.mouseDown(element)
    fireEvent.click(element)
    await deleted(app, ids[1])
  })

  test('the end of its screen', async () => {
    const { app, ids, dialog, unmount } = await open([10, 20])
    await press(dialog, '20.0000', 'Delete')
    unmount()
    await deleted(app, ids[1])
  })

  test('a page that is put away, once', async () => {
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

  test('an inactive pair', async () => {
    const { app, ids, widget, dialog } = await open([10, 20])
    await press(dialog, '20.0000', 'Delete')
    await app.db.widgets.update(widget, { display_order: 1 })
    const [first] = await seedWidgets(app, [[2, 3]])
    expect(first).toBeDefined()
    await seedLimit(app, 1)
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await deleted(app, ids[1])
    expect(app.store.get(checkpointsOpenAtom)).toBeNull()
    expect(app.store.get(localToastsAtom)).toMatchObject([{ type: 'info', message: 'This pair is inactive now.' }])
  })

  test('premium that has gone, which it says: nothing of it is lost', async () => {
    const { app, ids, dialog } = await open([10, 20])
    await press(dialog, '20.0000', 'Delete')
    await setPremium(app, false)
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await deleted(app, ids[1])
    expect(app.store.get(localToastsAtom)).toMatchObject([
      { type: 'info', message: 'Upgrade to manage multiple checkpoints.' },
    ])
  })
})

describe('a pair that vanishes', () => {
  test('closes it and says why; edits have nowhere to go', async () => {
    const { app, widget, dialog } = await open([10, 20])
    await press(dialog, '20.0000', 'Delete')
    await removeWidget(app.services.commands, widget)
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    const toasts = () => app.store.get(localToastsAtom).map(({ message }) => message)
    await waitFor(() => expect(toasts()).toContain('This pair is no longer on your dashboard.'))
    // The draft is refused for the same reason, which is said already.
    await waitFor(() => expect(app.store.get(wishesAtom)).toEqual([]))
    expect(toasts()).toEqual(['This pair is no longer on your dashboard.'])
    expect((await sent(app)).map(([kind]) => kind)).toEqual(['widget.delete@1'])
  })
})
