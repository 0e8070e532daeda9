import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import type { CallFailure } from '../../../src/db/call'
import { useAnswer } from '../../../src/state/calls'
import { type LocalApp, START, startLocalApp } from '../support/local-app'

const FAILURE: CallFailure = { ok: false, status: 500, error_code: 'INTERNAL_ERROR', message: 'broken' }
const UNANSWERED: CallFailure = { ok: false, status: 0, error_code: null, message: 'nothing' }

/** Shows what `useAnswer` says of the first row of a search. */
function Probe({ search }: { readonly search: string }) {
  const [asked, again] = useAnswer('adminUsers', { search, skip: 0 })
  const said =
    asked.kind === 'waiting'
      ? 'waiting'
      : asked.kind === 'failed'
        ? `failed: ${asked.failure.message}, pending: ${asked.pending}`
        : `total: ${asked.value.total}, at: ${asked.at - START}, pending: ${asked.pending}, failure: ${asked.failure?.message}`
  return <button onClick={again}>{said}</button>
}
const said = () => screen.getByRole('button').textContent
const says = (text: string) => waitFor(() => expect(said()).toBe(text))
const total = (count: number) => ({ ok: true as const, value: { rows: [], total: count } })

async function probe(app: LocalApp) {
  const { rerender } = app.render(<Probe search="a" />)
  return (search: string) => rerender(<Probe search={search} />)
}

test('useAnswer waits first, then returns the answer and the time of the answer', async () => {
  const app = await startLocalApp()
  app.answerCall('adminUsers', () => total(3))
  await probe(app)
  expect(said()).toBe('waiting')
  await says('total: 3, at: 0, pending: false, failure: undefined')
})

test('useAnswer keeps the earlier answer while the next question is open, and drops the answer when that fails', async () => {
  const app = await startLocalApp()
  app.answerCall('adminUsers', () => total(1))
  const ask = await probe(app)
  await says('total: 1, at: 0, pending: false, failure: undefined')
  app.answerCall('adminUsers', () => FAILURE)
  ask('b')
  expect(said()).toBe('total: 1, at: 0, pending: true, failure: undefined')
  await says('failed: broken, pending: false')
})

test('useAnswer keeps the known answer beside the failure when the same question fails', async () => {
  const app = await startLocalApp()
  app.answerCall('adminUsers', () => total(1))
  await probe(app)
  await says('total: 1, at: 0, pending: false, failure: undefined')
  app.setNow(START + 5000)
  app.answerCall('adminUsers', () => FAILURE)
  await userEvent.click(screen.getByRole('button'))
  await says('total: 1, at: 0, pending: false, failure: broken')
  app.answerCall('adminUsers', () => total(2))
  await userEvent.click(screen.getByRole('button'))
  await says('total: 2, at: 5000, pending: false, failure: undefined')
})

test('useAnswer drops an answer that a later question has overtaken', async () => {
  const app = await startLocalApp()
  const waiting: (() => void)[] = []
  app.answerCall(
    'adminUsers',
    ({ search = '' }) => new Promise((resolve) => waiting.push(() => resolve(total(search.length)))),
  )
  const ask = await probe(app)
  ask('bb')
  expect(waiting).toHaveLength(2)
  await act(async () => waiting[1]?.())
  await act(async () => waiting[0]?.())
  expect(said()).toBe('total: 2, at: 0, pending: false, failure: undefined')
})

test('useAnswer asks again on the online event if nothing answered before, and not after an error answer', async () => {
  const app = await startLocalApp()
  app.answerCall('adminUsers', () => UNANSWERED)
  await probe(app)
  await says('failed: nothing, pending: false')
  app.answerCall('adminUsers', () => FAILURE)
  act(() => void window.dispatchEvent(new Event('online')))
  await says('failed: broken, pending: false')
  act(() => void window.dispatchEvent(new Event('online')))
  expect(app.calls).toHaveLength(2)
})

test('useAnswer asks every 5 s while nothing answers, but never twice at once nor in a hidden tab', async () => {
  const app = await startLocalApp()
  app.answerCall('adminUsers', () => UNANSWERED)
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  await probe(app)
  const pass = (ms: number) => act(async () => void vi.advanceTimersByTime(ms))
  await pass(0)
  expect(said()).toBe('failed: nothing, pending: false')
  const seen = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  await pass(60_000)
  expect(app.calls).toHaveLength(1)
  seen.mockReturnValue('visible')
  await pass(4_999)
  expect(app.calls).toHaveLength(1)
  let answer: (value: ReturnType<typeof total>) => void = () => undefined
  app.answerCall('adminUsers', () => new Promise((resolve) => (answer = resolve)))
  await pass(1)
  expect(said()).toBe('failed: nothing, pending: true')
  await pass(60_000)
  expect(app.calls).toHaveLength(2)
  await act(async () => answer(total(4)))
  expect(said()).toContain('total: 4')
  await pass(60_000)
  expect(app.calls).toHaveLength(2)
})

test('useAnswer asks nothing on a mere rerender, and has the account reloaded after a 403', async () => {
  const app = await startLocalApp()
  app.answerCall('adminUsers', () => ({ ...FAILURE, status: 403 }))
  const ask = await probe(app)
  await says('failed: broken, pending: false')
  ask('a')
  expect(app.calls).toEqual([{ route: 'adminUsers', search: 'a', skip: 0 }, { route: 'me' }])
})
