import { act, fireEvent, screen } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { Toasts } from '../../../src/features/toasts/toasts'
import { showToastAtom } from '../../../src/state/toasts'
import { startLocalApp } from '../support/local-app'

// IndexedDB on fake-indexeddb runs on setImmediate, which stays real.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] }))

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
const region = () => screen.getByRole('status')
const undo = () => screen.queryByRole('button', { name: 'Undo' })

async function start() {
  const app = await startLocalApp()
  app.setNow(Date.now())
  app.render(
    <>
      <button>before</button>
      <input aria-label="field" />
      <Toasts />
    </>,
  )
  const [run, hold] = [vi.fn<(what: string) => void>(), vi.fn<(ms: number) => void>()]
  const removes = (message: string) =>
    act(() =>
      app.store.set(showToastAtom, {
        kind: 'success',
        message,
        action: { label: 'Undo', run: () => run(message), hold },
      }),
    )
  return { app, run, hold, removes }
}

test('a toast offers Undo for its first ten seconds', async () => {
  const { removes } = await start()
  removes('BTC / ETH removed.')
  await pass(9_999)
  expect(undo()).not.toBeNull()
  await pass(1)
  expect(undo()).toBeNull()
  expect(region().textContent).toContain('BTC / ETH removed.')
  await pass(5_000)
  expect(screen.queryByRole('status')).toBeNull()
})

test('while the user rests on a toast by pointer or focus the change is held and Undo stays, 30 seconds at most', async () => {
  const { removes, hold } = await start()
  removes('BTC / ETH removed.')
  await pass(9_000)
  fireEvent.pointerEnter(region())
  expect(hold).toHaveBeenLastCalledWith(21_000)
  await pass(4_000)
  fireEvent.pointerLeave(region())
  expect(hold).toHaveBeenLastCalledWith(10_000)
  await pass(9_000)
  act(() => undo()!.focus())
  expect(hold).toHaveBeenLastCalledWith(8_000)
  await pass(7_999)
  expect(undo()).not.toBeNull()
  await pass(1)
  expect(undo()).toBeNull()
})

test('each Undo has its toast, equal ones too: the last one takes the screen from an error and from the one before, which come back', async () => {
  const { app, removes } = await start()
  act(() => app.store.set(showToastAtom, { kind: 'error', message: 'Could not save.' }))
  removes('Checkpoint of BTC / ETH deleted.')
  await pass(0)
  removes('Checkpoint of BTC / ETH deleted.')
  await pass(0)
  expect(region().textContent).not.toContain('×')
  fireEvent.click(undo()!)
  await pass(0)
  fireEvent.click(undo()!)
  await pass(0)
  expect(screen.getByRole('alert').textContent).toContain('Could not save.')
})

test('Ctrl + Z presses Undo wherever the focus is, except in a field', async () => {
  const { removes, run } = await start()
  removes('BTC / ETH removed.')
  await pass(0)
  fireEvent.keyDown(screen.getByRole('textbox'), { key: 'z', ctrlKey: true })
  fireEvent.keyDown(screen.getByRole('button', { name: 'before' }), { key: 'z' })
  expect(run).not.toHaveBeenCalled()
  fireEvent.keyDown(screen.getByRole('button', { name: 'before' }), { key: 'z', metaKey: true })
  expect(run.mock.calls).toEqual([['BTC / ETH removed.']])
  expect(undo()).toBeNull()
})

test('the focus goes back to its place from a toast that is pressed', async () => {
  const { removes } = await start()
  removes('BTC / ETH removed.')
  await pass(0)
  const before = screen.getByRole('button', { name: 'before' })
  act(() => before.focus())
  act(() => undo()!.focus())
  fireEvent.click(undo()!)
  expect(document.activeElement).toBe(before)
})
