import { renderHook, waitFor } from '@testing-library/react'
import { Provider } from 'jotai'
import type { ReactNode } from 'react'
import { describe, expect, test } from 'vitest'
import type { CommandResult } from '../../../src/db/command'
import { removeWidget } from '../../../src/db/commands/widgets'
import { readBoard } from '../../../src/db/view'
import { boardAtom } from '../../../src/state/live-data'
import { ServicesContext } from '../../../src/state/services'
import {
  type OptimisticPatch,
  patchesAtom,
  useOptimisticPatch,
  visibleBoardAtom,
} from '../../../src/state/optimistic-patches'
import { seedCoins, seedLimit, seedWidgets, startLocalApp } from '../support/local-app'
import { catchReports } from '../support/reports'

/** Three pairs on the board, as once read; no live query runs. */
async function start() {
  const app = await startLocalApp()
  await seedCoins(app, 6)
  await seedLimit(app, 5)
  const ids = await seedWidgets(app, [
    [0, 1],
    [2, 3],
    [4, 5],
  ])
  app.store.set(boardAtom, await readBoard(app.db))
  const wrapper = ({ children }: { readonly children: ReactNode }) => (
    <Provider store={app.store}>
      <ServicesContext value={app.services}>{children}</ServicesContext>
    </Provider>
  )
  const { result } = renderHook(() => useOptimisticPatch(), { wrapper })
  const shown = () => app.store.get(visibleBoardAtom)!.widgets
  return { app, ids, show: result.current, shown }
}

/** A command whose end the test decides on. */
function pending() {
  let end: (result: CommandResult) => void = () => {}
  let fail: (error: Error) => void = () => {}
  const promise = new Promise<CommandResult>((resolve, reject) => {
    end = resolve
    fail = reject
  })
  return { command: () => promise, end, fail }
}
const ok: CommandResult = { ok: true, value: undefined }
const symbols = (widgets: readonly { coinA: { symbol: string } }[]) => widgets.map(({ coinA }) => coinA.symbol)

describe('optimistic patch before the end of its command', () => {
  test.each<[string, (ids: readonly string[]) => OptimisticPatch, readonly string[]]>([
    ['hides', ([, second]) => ({ kind: 'hide', key: second! }), ['BTC', 'C4']],
    ['orders, those it does not name last', ([, , third]) => ({ kind: 'order', keys: [third!] }), ['C4', 'BTC', 'C2']],
  ])('an optimistic patch shows before its command has ended: %s', async (_what, patchOf, expected) => {
    const { ids, show, shown } = await start()
    const { command, end } = pending()
    const done = show(patchOf(ids), command)
    expect(symbols(shown())).toEqual(expected)
    end({ ok: false, message: '' })
    await done
  })

  test('an optimistic patch changes one widget, and the other widgets keep their identity', async () => {
    const { ids, show, shown } = await start()
    const before = shown()
    const { command, end } = pending()
    const done = show({ kind: 'change', key: ids[1]!, change: { alerts: { high: { threshold: 7 } } } }, command)
    expect(shown()[1]).toMatchObject({ key: ids[1], alerts: { high: { threshold: 7 } } })
    expect(shown()[0]).toBe(before[0])
    expect(shown()[2]).toBe(before[2])
    end({ ok: false, message: '' })
    await done
  })
})

describe('order of the commands of one widget', () => {
  test('commands of one widget run in order, even after one fails; those of other widgets and the layout do not wait', async () => {
    const { ids, show } = await start()
    const carried: string[] = []
    const note = (name: string) => () => {
      carried.push(name)
      return Promise.resolve<CommandResult>({ ok: false, message: name })
    }
    const { command, fail } = pending()
    const first = show({ kind: 'change', key: ids[0]!, change: { alerts: { high: { threshold: 7 } } } }, command)
    const second = show({ kind: 'hide', key: ids[0]! }, note('second'))
    const third = show({ kind: 'change', key: ids[0]!, change: {} }, note('third'))
    await show({ kind: 'hide', key: ids[1]! }, note('other widget'))
    await show({ kind: 'order', keys: ids }, note('order'))
    expect(carried).toEqual(['other widget', 'order'])
    fail(new Error('The code of the command could not be had.'))
    await expect(first).rejects.toThrow('could not be had')
    await Promise.all([second, third])
    expect(carried).toEqual(['other widget', 'order', 'second', 'third'])
  })
})

describe('optimistic patch with a condition', () => {
  const change = (key: string, highThreshold: number): OptimisticPatch => ({
    kind: 'change',
    key,
    change: { alerts: { high: { threshold: highThreshold } } },
  })

  test('a conditional patch shows at once, delays no command of its widget, and queues when the condition is met', async () => {
    const { ids, show, shown } = await start()
    const carried: string[] = []
    const note = (name: string) => async (): Promise<CommandResult> => {
      carried.push(name)
      return ok
    }
    let meet: () => void = () => {}
    const condition = new Promise<undefined>((resolve) => (meet = () => resolve(undefined)))
    const conditional = show(change(ids[0]!, 7), note('conditional'), condition)
    expect(shown()[0]).toMatchObject({ alerts: { high: { threshold: 7 } } })
    await show({ kind: 'change', key: ids[0]!, change: { alerts: { low: { threshold: 1 } } } }, note('another'))
    const { command, end } = pending()
    const before = show({ kind: 'change', key: ids[0]!, change: { alerts: { low: { threshold: 2 } } } }, command)
    expect(carried).toEqual(['another'])
    meet()
    await condition
    expect(carried).toEqual(['another'])
    end(ok)
    await Promise.all([before, conditional])
    expect(carried).toEqual(['another', 'conditional'])
  })

  test('a conditional patch ends with what its condition came to, and its command never begins', async () => {
    const { app, ids, show } = await start()
    const never = () => Promise.reject(new Error('It began.'))
    const refused: CommandResult = { ok: false, message: 'Not permitted.' }
    expect(await show(change(ids[0]!, 7), never, Promise.resolve(refused))).toEqual(refused)
    expect(app.store.get(patchesAtom)).toEqual([])
  })
})

describe('end of an optimistic patch', () => {
  test('an optimistic patch ends when its command is refused', async () => {
    const { app, ids, show, shown } = await start()
    const { command, end } = pending()
    const done = show({ kind: 'hide', key: ids[0]! }, command)
    end({ ok: false, message: 'No.' })
    expect(await done).toEqual({ ok: false, message: 'No.' })
    expect(symbols(shown())).toEqual(['BTC', 'C2', 'C4'])
    expect(app.store.get(patchesAtom)).toEqual([])
  })

  test('an optimistic patch ends when its command throws, and the caller gets the error', async () => {
    const { ids, show, shown } = await start()
    const { command, fail } = pending()
    const done = show({ kind: 'hide', key: ids[0]! }, command)
    fail(new Error('The disk is full.'))
    await expect(done).rejects.toThrow('The disk is full.')
    expect(symbols(shown())).toEqual(['BTC', 'C2', 'C4'])
  })

  test('an optimistic patch ends only once the board has its change, and not by other changes of the board', async () => {
    const { app, ids, show, shown } = await start()
    const seen: string[] = []
    app.store.sub(visibleBoardAtom, () => seen.push(symbols(shown()).join(' ')))
    const { command, end } = pending()
    const done = show({ kind: 'hide', key: ids[0]! }, async () => {
      const result = await command()
      return result.ok ? removeWidget(app.services.commands, ids[0]!) : result
    })
    // Another tab's change arrives before the command has ended.
    app.store.set(boardAtom, (board) => ({ ...board!, loaded: false }))
    end(ok)
    await done
    await waitFor(() => expect(app.store.get(patchesAtom)).toEqual([]))
    expect(new Set(seen)).toEqual(new Set(['C2 C4']))
    expect(symbols(app.store.get(boardAtom)!.widgets)).toEqual(['C2', 'C4'])
  })

  test('an optimistic patch ends even if the board cannot be read, and the failure is reported', async () => {
    const { app, ids, show } = await start()
    const reports = catchReports()
    await app.db.meta.put({ key: 'coins', value: 'not a list' } as never)
    await show({ kind: 'hide', key: ids[0]! }, () => Promise.resolve(ok))
    await waitFor(() => expect(app.store.get(patchesAtom)).toEqual([]))
    expect(reports).toHaveLength(1)
  })
})
