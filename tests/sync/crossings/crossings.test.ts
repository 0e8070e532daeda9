import { expect, test } from 'vitest'
import { withServer } from '../../server/support/for-file'
import { playCrossings } from './play'

/* A share of tests/bars/announcements.bars.ts. */

const server = withServer()

test('each crossing is announced once on each of two devices that are due, within two seconds by an open stream', async () => {
  const { crossings, hearings, phantoms, differences } = await playCrossings(server, { seed: 1, crossings: 12 })
  expect(crossings).toBeGreaterThanOrEqual(12)
  expect([phantoms, differences]).toEqual([[], []])
  expect(hearings.filter(({ toasts, rung, isUntimely }) => toasts > 1 || rung > 1 || isUntimely)).toEqual([])
  expect(hearings.filter(({ isDue, toasts, rung }) => isDue && (toasts !== 1 || rung !== 1))).toEqual([])
  expect(hearings.filter(({ delay }) => delay !== null && delay > 2_000)).toEqual([])
  expect(hearings.filter(({ isDue }) => isDue).length).toBeGreaterThan(crossings / 2)
  expect(hearings.some(({ delay }) => delay !== null)).toBe(true)
})
