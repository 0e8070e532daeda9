import { act, fireEvent, screen } from '@testing-library/react'
import { useState } from 'react'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { Toasts } from '../../../src/features/toasts/toasts'
import { showToastAtom } from '../../../src/state/toasts'
import { Dialog } from '../../../src/ui/dialog'
import { START, startLocalApp, type LocalApp, noticesOf } from '../support/local-app'
import { catchReports } from '../support/reports'

// IndexedDB on fake-indexeddb runs on setImmediate, which stays real.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
const says = (app: LocalApp, message: string, kind: 'info' | 'success' | 'error' = 'info') =>
  act(() => app.store.set(showToastAtom, { kind, message }))

async function start(): Promise<LocalApp> {
  const app = await startLocalApp()
  app.render(<Toasts />)
  return app
}

test('toasts are shown one at a time, 15 seconds each', async () => {
  const app = await start()
  says(app, 'first')
  says(app, 'second')
  await pass(0)
  expect(screen.getByRole('status').textContent).toContain('first')

  await pass(14_999)
  expect(screen.getByRole('status').textContent).toContain('first')
  await pass(1)
  await pass(0)
  expect(screen.getByRole('status').textContent).toContain('second')

  await pass(15_000)
  expect(screen.queryByRole('status')).toBeNull()
})

test('an error takes the screen at once from another toast, which comes back after the error, in silence if it was read out', async () => {
  const app = await start()
  says(app, 'first')
  says(app, 'second')
  await pass(5_000)
  says(app, 'Could not switch alerts on.', 'error')
  await pass(0)
  expect(screen.getByRole('alert').textContent).toContain('Could not switch alerts on.')
  expect(screen.queryByRole('status')).toBeNull()

  says(app, 'Could not save.', 'error')
  await pass(14_000)
  expect(screen.getByRole('alert').textContent).toContain('Could not switch alerts on.')
  await pass(1_000)
  await pass(0)
  expect(screen.getByRole('alert').textContent).toContain('Could not save.')
  await pass(15_000)
  // A live region that arrives full is not read: the toast was, before the error.
  expect(region().textContent).toContain('first')
  await pass(15_000)
  expect(region().textContent).toBe('')
  await pass(0)
  expect(region().textContent).toContain('second')
})

test('equal toasts are one with a count, and each repetition begins its 15 seconds anew', async () => {
  const app = await start()
  says(app, 'again')
  await pass(10_000)
  expect(region().textContent).not.toContain('×')
  says(app, 'again')
  says(app, 'again')
  await pass(14_000)
  expect(region().textContent).toContain('again×3')
  expect(screen.getByRole('button', { name: /3 times/ })).toBeDefined()
  await pass(1_000)
  expect(screen.queryByRole('status')).toBeNull()
})

test('toasts of one text and two types are one toast, not counted, an error if one of them is', async () => {
  const app = await start()
  says(app, 'Alerts')
  says(app, 'Alerts', 'error')
  says(app, 'Alerts')
  await pass(0)
  expect(screen.getByRole('alert').textContent).toContain('Alerts')
  expect(document.body.textContent).not.toContain('×')
  await pass(15_000)
  await pass(0)
  expect(document.body.textContent).not.toContain('Alerts')
})

test('an alert that two parts of the app tell of is shown once and not counted', async () => {
  const app = await start()
  const alert = { kind: 'alert', message: 'BTC / ETH is above 30.' } as const
  act(() => app.store.set(showToastAtom, alert))
  act(() => app.store.set(showToastAtom, alert))
  await pass(0)
  expect(region().textContent).not.toContain('×')
  await pass(15_000)
  expect(screen.queryByRole('status')).toBeNull()
})

test('a success that waited for an error for 15 seconds is never shown', async () => {
  const app = await start()
  vi.spyOn(Date, 'now').mockReturnValue(START)
  says(app, 'Could not save.', 'error')
  says(app, 'Saved.', 'success')
  says(app, 'kept')
  await pass(0)
  app.setNow(START + 15_000)
  await pass(15_000)
  await pass(0)
  expect(region().textContent).toContain('kept')
  await pass(15_000)
  expect(screen.queryByRole('status')).toBeNull()
  expect(noticesOf(app)).toEqual([])
})

test('a success disappears after its 15 seconds in a hidden browser tab, too', async () => {
  const app = await start()
  says(app, 'Saved.', 'success')
  await pass(0)
  const hidden = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  act(() => void document.dispatchEvent(new Event('visibilitychange')))
  await pass(15_000)
  hidden.mockRestore()
  act(() => void document.dispatchEvent(new Event('visibilitychange')))
  expect(screen.queryByRole('status')).toBeNull()
})

test('a toast disappears when the user clicks on the toast', async () => {
  const app = await start()
  says(app, 'done', 'success')
  await pass(0)
  fireEvent.click(screen.getByRole('button', { name: /done/ }))
  expect(screen.queryByRole('status')).toBeNull()
})

test.each([
  ['the pointer', () => fireEvent.pointerEnter(region()), () => fireEvent.pointerLeave(region())],
  ['the focus', () => fireEvent.focusIn(message()), () => fireEvent.focusOut(message())],
])('a toast stays while %s is on the toast, and then for the rest of its time', async (_what, enter, leave) => {
  const app = await start()
  says(app, 'wait for me')
  await pass(10_000)
  enter()
  await pass(60_000)
  expect(region().textContent).toContain('wait for me')
  leave()
  await pass(4_900)
  expect(region().textContent).toContain('wait for me')
  await pass(200)
  expect(screen.queryByRole('status')).toBeNull()
})

test('a toast is shown inside a dialog that opens, and outlasts the dialog for the rest of its time', async () => {
  const app = await startLocalApp()
  const page = (open: boolean) => (
    <>
      {open && (
        <Dialog title="Coins" onClose={() => undefined}>
          …
        </Dialog>
      )}
      <Toasts />
    </>
  )
  const { rerender } = app.render(page(false))
  says(app, 'first')
  await pass(10_000)
  fireEvent.pointerEnter(region())
  rerender(page(true))
  expect(screen.getByRole('dialog').contains(region())).toBe(true)
  // The pointer never left the element that is gone; the clock goes on all the same.
  rerender(page(false))
  expect(region().textContent).toContain('first')
  fireEvent.pointerLeave(region())
  await pass(5_000)
  expect(screen.queryByRole('status')).toBeNull()
})

test('a toast shown as a dialog closes appears outside the dialog', async () => {
  const app = await startLocalApp()
  // As a browser has it; happy-dom has no popovers.
  const shown: HTMLElement[] = []
  HTMLElement.prototype.showPopover = function showPopover() {
    if (!this.isConnected) throw new Error('Invalid on disconnected popover elements.')
    shown.push(this)
  }
  onTestFinished(() => void Reflect.deleteProperty(HTMLElement.prototype, 'showPopover'))
  function Closing() {
    const [open, setOpen] = useState(true)
    const close = () => {
      app.store.set(showToastAtom, { kind: 'info', message: 'done' })
      setOpen(false)
    }
    return (
      <>
        {open && (
          <Dialog title="Coins" onClose={close}>
            …
          </Dialog>
        )}
        <Toasts />
      </>
    )
  }
  app.render(<Closing />)
  await pass(0)
  fireEvent.click(screen.getByRole('button', { name: 'Close' }))
  await pass(0)
  expect(region().textContent).toContain('done')
  expect(shown).toContain(region())
})

test('a toast stays while the browser tab is hidden', async () => {
  const app = await start()
  says(app, 'later')
  await pass(0)
  const hidden = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  act(() => void document.dispatchEvent(new Event('visibilitychange')))
  await pass(60_000)
  hidden.mockRestore()
  act(() => void document.dispatchEvent(new Event('visibilitychange')))
  expect(region().textContent).toContain('later')
})

test('a notice of the engine is shown as a toast and, once dismissed, deleted from the local database', async () => {
  const app = await start()
  const session = await app.db.session.get('current')
  const { owner } = session!
  await app.db.notices.add({ owner, kind: 'error', message: 'Could not save.', at: START })
  await vi.waitFor(() => expect(screen.queryByRole('alert')?.textContent).toContain('Could not save.'))

  fireEvent.click(screen.getByRole('button', { name: /Could not save/ }))
  await vi.waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
  expect(await app.db.notices.count()).toBe(0)
})

test('a notice of the engine waits for the toast that is shown, even if the notice is older', async () => {
  const app = await start()
  says(app, 'mine')
  await pass(0)
  const { owner } = (await app.db.session.get('current'))!
  await app.db.notices.add({ owner, kind: 'info', message: 'The order was changed.', at: 1 })
  await act(() => new Promise((resolve) => setImmediate(() => setImmediate(resolve))))
  await pass(14_000)
  expect(region().textContent).toContain('mine')
  await pass(1_000)
  await vi.waitFor(() => expect(screen.queryByRole('status')?.textContent).toContain('The order was changed.'))
})

test('equal notices of the engine are one toast with a count, dismissed together', async () => {
  const app = await start()
  const { owner } = (await app.db.session.get('current'))!
  const notice = { owner, kind: 'success', message: 'Checkpoint added.', at: START } as const
  await app.db.notices.bulkAdd([notice, notice, notice])
  await vi.waitFor(() => expect(screen.queryByRole('status')?.textContent).toContain('Checkpoint added.×3'))
  fireEvent.click(screen.getByRole('button', { name: /Checkpoint added/ }))
  expect(screen.queryByRole('status')).toBeNull()
  await vi.waitFor(async () => expect(await app.db.notices.count()).toBe(0))
})

test('a success that a closed browser left is not shown after 15 seconds, and is deleted; an error is shown', async () => {
  const app = await startLocalApp()
  const { owner } = (await app.db.session.get('current'))!
  await app.db.notices.bulkAdd([
    { owner, kind: 'success', message: 'Checkpoint added.', at: START },
    { owner, kind: 'error', message: 'Could not save.', at: START },
  ])
  app.setNow(START + 15_000)
  app.render(<Toasts />)
  await vi.waitFor(() => expect(screen.queryByRole('alert')?.textContent).toContain('Could not save.'))
  await vi.waitFor(async () => expect(await app.db.notices.toArray()).toMatchObject([{ kind: 'error' }]))
  fireEvent.click(screen.getByRole('button', { name: /Could not save/ }))
  await vi.waitFor(async () => expect(await app.db.notices.count()).toBe(0))
  expect(screen.queryByRole('status')).toBeNull()
})

test('a dismissed notice that the database fails to delete is reported, and stays off the screen', async () => {
  const app = await start()
  const reports = catchReports()
  const { owner } = (await app.db.session.get('current'))!
  await app.db.notices.add({ owner, kind: 'error', message: 'Could not save.', at: START })
  await vi.waitFor(() => expect(screen.queryByRole('alert')?.textContent).toContain('Could not save.'))
  app.db.notices.hook('deleting', () => {
    throw new Error('The disk is full.')
  })
  fireEvent.click(screen.getByRole('button', { name: /Could not save/ }))
  await vi.waitFor(() => expect(reports).toHaveLength(1))
  expect(screen.queryByRole('alert')).toBeNull()
  expect(await app.db.notices.count()).toBe(1)
})

const region = () => screen.getByRole('status')
const message = () => screen.getByRole('button')
