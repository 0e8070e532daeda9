import { expect, test } from 'vitest'
import { withServer } from '../../server/support/for-file'
import { playCrossings } from './play'

/* A share of tests/bars/announcements.bars.ts. */

const server = withServer()

test(
  'two devices that are due announce each crossing once, by an open stream within two seconds',
  { timeout: 180_000 },
  async () => {
    const { crossings, hearings, phantoms, differences, relapses } = await playCrossings(server, {
      seed: 1,
      crossings: 12,
    })
    expect(crossings).toBeGreaterThanOrEqual(12)
    expect([phantoms, differences, relapses]).toEqual([[], [], []])
    expect(hearings.filter(({ toasts, rung, isWrong }) => toasts > 1 || rung > 1 || isWrong)).toEqual([])
    expect(hearings.filter(({ isDue, toasts, rung }) => isDue && (toasts !== 1 || rung !== 1))).toEqual([])
    expect(hearings.filter(({ delay }) => delay !== null && delay > 2_000)).toEqual([])
    expect(hearings.filter(({ isDue }) => isDue).length).toBeGreaterThan(crossings / 3)
    expect(hearings.some(({ delay }) => delay !== null)).toBe(true)
  },
)
