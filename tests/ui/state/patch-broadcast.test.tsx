import { waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { readBoard } from '../../../src/db/view'
import type { OwnerId } from '../../../src/domain/ids'
import { boardAtom } from '../../../src/state/live-data'
import {
  broadcastPatch,
  listenForPatches,
  type OptimisticPatch,
  visibleBoardAtom,
} from '../../../src/state/optimistic-patches'
import { appWithPair } from '../support/app-with-pair'

/** A tab beside this one. */
let otherTab: BroadcastChannel
beforeEach(() => {
  otherTab = new BroadcastChannel('patches@1')
})
afterEach(() => {
  otherTab.close()
  vi.useRealTimers()
})

/** One pair on the board, and a read of it whose end the test decides on. */
async function start() {
  const { app, id: key } = await appWithPair()
  const board = (await readBoard(app.db))!
  app.store.set(boardAtom, board)
  let read: () => void = () => {}
  const reading = vi.fn(() => new Promise<void>((resolve) => (read = resolve)))
  const end = listenForPatches(app.store, reading)
  const patch: OptimisticPatch = { kind: 'change', key, change: { alerts: { high: { threshold: 7 } } } }
  const shown = () => app.store.get(visibleBoardAtom)!.widgets[0]
  const high = () => shown()?.alerts.high.threshold
  const low = () => shown()?.alerts.low.threshold
  return { board, patch, high, low, reading, read: () => read(), end }
}

describe('optimistic patch of another tab', () => {
  test('another tab’s optimistic patch shows at once, until that tab ends the patch and the board is read again', async () => {
    const { board, patch, high, reading, read, end } = await start()
    otherTab.postMessage({ id: 'a', owner: board.owner, patch })
    await waitFor(() => expect(high()).toBe(7))
    otherTab.postMessage({ id: 'a', owner: board.owner, patch: null })
    await waitFor(() => expect(reading).toHaveBeenCalledOnce())
    expect(high()).toBe(7)
    read()
    await waitFor(() => expect(high()).toBeNull())
    end()
  })

  test('a tab ignores optimistic patches that another tab broadcasts for another owner', async () => {
    const { patch, high, low, board, end } = await start()
    otherTab.postMessage({ id: 'b', owner: 'anon-of-somebody-else', patch })
    otherTab.postMessage({
      id: 'c',
      owner: board.owner,
      patch: { ...patch, change: { alerts: { low: { threshold: 3 } } } },
    })
    await waitFor(() => expect(low()).toBe(3))
    expect(high()).toBeNull()
    end()
  })

  test('another tab’s optimistic patch disappears when that tab sends nothing more for 5 s', async () => {
    const { board, patch, high, end } = await start()
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    const arrived = new Promise((resolve) => {
      const witness = new BroadcastChannel('patches@1')
      witness.addEventListener('message', (event) => {
        witness.close()
        resolve(event)
      })
    })
    otherTab.postMessage({ id: 'd', owner: board.owner, patch })
    await arrived
    expect(high()).toBe(7)
    vi.advanceTimersByTime(5_000)
    expect(high()).toBeNull()
    end()
  })
})

test('a tab broadcasts an optimistic patch to the other tabs, and then the end of the patch', async () => {
  const heard: unknown[] = []
  otherTab.addEventListener('message', ({ data }) => heard.push(data))
  const patch: OptimisticPatch = { kind: 'hide', key: 'one' }
  broadcastPatch('e', 'anon-1' as OwnerId, patch)()
  await waitFor(() =>
    expect(heard).toEqual([
      { id: 'e', owner: 'anon-1', patch },
      { id: 'e', owner: 'anon-1', patch: null },
    ]),
  )
})
