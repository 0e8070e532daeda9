import { expect, test } from 'vitest'
import { isDue, pauseAfter, type Timer, withTimeLimit } from '../../src/domain/waits'

/** A timer whose time passes when the test says so. */
function handTimer() {
  let run: (() => void) | null = null
  const timer: Timer = (_ms, then) => {
    run = then
    return () => (run = null)
  }
  return { timer, pass: () => run?.(), isRunning: () => run !== null }
}

test('withTimeLimit gives the result or the error of work that is in time, and stops its timer', async () => {
  const { timer, isRunning } = handTimer()
  expect(await withTimeLimit(timer, 1_000, Promise.resolve('done'), () => 'late')).toBe('done')
  expect(isRunning()).toBe(false)
  await expect(withTimeLimit(timer, 1_000, Promise.reject(new Error('no')), () => 'late')).rejects.toThrow('no')
  expect(isRunning()).toBe(false)
})

test('withTimeLimit gives what its caller has for work that is late, or throws its caller’s error', async () => {
  const { timer, pass } = handTimer()
  const never = new Promise<string>(() => undefined)
  const late = withTimeLimit(timer, 1_000, never, () => 'late')
  pass()
  expect(await late).toBe('late')
  const refused = withTimeLimit(timer, 1_000, never, () => {
    throw new Error('too late')
  })
  pass()
  await expect(refused).rejects.toThrow('too late')
})

test('pauseAfter grows from failure to failure up to the longest pause, however many failures there are', () => {
  const pauses = { first: 5, growth: 3, longest: 100 }
  expect([1, 2, 3, 4, 5000].map((failures) => pauseAfter(failures, pauses))).toEqual([5, 15, 45, 100, 100])
})

test('isDue holds from its time on, and for a time further ahead than any wait', () => {
  expect([99, 100, 101, 150, 151].map((at) => isDue(at, 100, 50))).toEqual([true, true, false, false, true])
})
