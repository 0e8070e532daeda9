import 'fake-indexeddb/auto'
import { expect, test } from 'vitest'
import { withServer } from '../server/support/for-file'
import { judgingPage } from '../sync/crossings/planted-page'
import { playCrossings } from '../sync/crossings/play'

/** Recorded crossings, each of which two devices are to tell of once. */
const CROSSINGS = Number(process.env['CROSSINGS'] ?? 1_000)
const SEED = Number(process.env['SEED'] ?? 1)

const part = (sorted: readonly number[], share: number): number | undefined => sorted[Math.floor(sorted.length * share)]

const server = withServer()

test(`${CROSSINGS} crossings are each announced once on two devices, whatever is cut, late, doubled or asleep`, async () => {
  const { crossings, hearings, phantoms, differences, relapses } = await playCrossings(server, {
    seed: SEED,
    crossings: CROSSINGS,
  })
  const due = hearings.filter(({ isDue }) => isDue)
  const delays = hearings.flatMap(({ delay }) => delay ?? []).toSorted((a, b) => a - b)
  const doubled = hearings.filter(({ toasts, rung, isWrong }) => toasts > 1 || rung > 1 || isWrong)
  const missed = due.filter(({ toasts, rung }) => toasts === 0 || rung === 0)
  console.log(
    `seed ${SEED}: ${crossings} crossings, ${due.length} of ${hearings.length} due on a device; ` +
      `${doubled.length} told twice or wrongly, ${missed.length} missed, ${phantoms.length} never were; ` +
      `${delays.length} by an open stream after ${part(delays, 0.5)} ms (median), ${part(delays, 0.99)} ms (99 %), ` +
      `${delays.at(-1)} ms at most`,
  )
  expect([doubled, missed, phantoms, differences, relapses]).toEqual([[], [], [], [], []])
  expect(delays.at(-1)).toBeLessThanOrEqual(2_000)
})

test.each([
  ['judges the prices of our server too, however carefully', judgingPage({ unanswered: false, unconfirmed: false })],
  ['judges widgets with unanswered changes', judgingPage({ unanswered: true, unconfirmed: false })],
  ['judges a list of before its sleep', judgingPage({ unanswered: false, unconfirmed: true })],
])('the play notices within 300 crossings a page that %s', async (_, page) => {
  const { hearings, phantoms, relapses } = await playCrossings(server, { seed: SEED, crossings: 300, page })
  const wrong = hearings.filter(({ toasts, isWrong }) => toasts > 1 || isWrong)
  expect(wrong.length + phantoms.length + relapses.length).toBeGreaterThan(0)
})
