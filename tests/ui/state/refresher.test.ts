import { beforeEach, expect, test, vi } from 'vitest'
import { refresher } from '../../../src/state/refresher'

const SPACING = 20_000

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }))
})
function start() {
  const stopping = new AbortController()
  const asked: number[] = []
  const answers: (() => void)[] = []
  const begun = Date.now()
  const refresh = refresher({
    ask: () => {
      asked.push((Date.now() - begun) / 1000)
      return new Promise<void>((resolve) => answers.push(resolve))
    },
    spacing: SPACING,
    now: () => Date.now(),
    signal: stopping.signal,
  })
  const answer = async () => {
    for (const resolve of answers.splice(0)) resolve()
    await vi.advanceTimersByTimeAsync(0)
  }
  const look = (state: 'visible' | 'hidden') => {
    Object.assign(document, { visibilityState: state })
    document.dispatchEvent(new Event('visibilitychange'))
  }
  return { refresh, asked, answer, look, stop: () => stopping.abort() }
}

test('a refresher asks one at a time, and once more for all changes that come meanwhile', async () => {
  const { refresh, asked, answer } = start()
  refresh.now()
  refresh.now()
  refresh.now()
  expect(asked).toEqual([0])
  await answer()
  expect(asked).toEqual([0, 0])
  await answer()
  expect(asked).toEqual([0, 0])
})

test('a refresher spaces changes that can wait from the last request, also from one without an answer, and never from a clock that was set back', async () => {
  const { refresh, asked, answer } = start()
  refresh.soon()
  expect(asked).toEqual([0])
  await vi.advanceTimersByTimeAsync(5_000)
  refresh.soon()
  refresh.soon()
  await answer()
  await vi.advanceTimersByTimeAsync(14_999)
  expect(asked).toEqual([0])
  await vi.advanceTimersByTimeAsync(1)
  expect(asked).toEqual([0, 20])
  await answer()
  vi.setSystemTime(Date.now() - 3_600_000)
  refresh.soon()
  expect(asked.length).toBe(3)
})

test('a refresher that is asked at once forgets the change that waited', async () => {
  const { refresh, asked, answer } = start()
  refresh.now()
  await answer()
  await vi.advanceTimersByTimeAsync(1_000)
  refresh.soon()
  refresh.now()
  await answer()
  await vi.advanceTimersByTimeAsync(SPACING)
  expect(asked).toEqual([0, 1])
})

test('a refresher of a hidden page asks when the user looks at it again, and only if it owes an answer', () => {
  const { refresh, asked, look } = start()
  look('hidden')
  refresh.now()
  expect(asked).toEqual([])
  look('visible')
  expect(asked).toEqual([0])
  look('hidden')
  look('visible')
  expect(asked).toEqual([0])
})

test('a refresher that has ended asks for nothing more', async () => {
  const { refresh, asked, answer, stop } = start()
  refresh.now()
  refresh.now()
  stop()
  await answer()
  refresh.now()
  await vi.advanceTimersByTimeAsync(SPACING)
  expect(asked).toEqual([0])
})

test('a change that waits in a refresher is dropped with it', async () => {
  const { refresh, asked, answer, stop } = start()
  refresh.now()
  await answer()
  refresh.soon()
  stop()
  await vi.advanceTimersByTimeAsync(SPACING)
  expect(asked).toEqual([0])
})
