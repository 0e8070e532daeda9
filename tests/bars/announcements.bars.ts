import 'fake-indexeddb/auto'
import { expect, test } from 'vitest'
import { withServer } from '../server/support/for-file'
import { playCrossings } from '../sync/crossings/play'

/** Recorded crossings, each of which two devices are to tell of once. */
const CROSSINGS = Number(process.env['CROSSINGS'] ?? 1_000)
const SEED = Number(process.env['SEED'] ?? 1)

const server = withServer()

test(`${CROSSINGS} crossings are each announced once on two devices, whatever is cut, late, doubled or asleep`, async () => {
  const { crossings, hearings, phantoms, differences } = await playCrossings(server, {
    seed: SEED,
    crossings: CROSSINGS,
  })
  const due = hearings.filter(({ isDue }) => isDue)
  const delays = hearings.flatMap(({ delay }) => delay ?? []).toSorted((a, b) => a - b)
  const doubled = hearings.filter(({ toasts, rung, isUntimely }) => toasts > 1 || rung > 1 || isUntimely)
  const missed = due.filter(({ toasts, rung }) => toasts === 0 || rung === 0)
  console.log(
    `seed ${SEED}: ${crossings} crossings, ${due.length} of ${hearings.length} due on a device; ` +
      `${doubled.length} told twice or out of time, ${missed.length} missed, ${phantoms.length} never were; ` +
      `${delays.length} by an open stream after ${delays[Math.floor(delays.length / 2)]} ms (median), ${delays.at(-1)} ms at most`,
  )
  expect([doubled, missed, phantoms, differences]).toEqual([[], [], [], []])
  expect(delays.at(-1)).toBeLessThanOrEqual(2_000)
})
