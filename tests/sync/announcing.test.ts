import { expect, test } from 'vitest'
import { MINUTE } from '../../src/domain/granularity'
import { withServer } from '../server/support/for-file'
import { openApp } from './support/open-app'

/* A share of tests/bars/crossings.bars.ts, on made-up prices. */

const server = withServer()

const PAIRS = [
  { coinA: 'bitcoin', coinB: 'ethereum', high: 11, low: 9 },
  { coinA: 'solana', coinB: 'ethereum', high: 2.2, low: 1.8 },
]
const STEPS = 17
const wave = (level: number, step: number, period: number) =>
  level * (1 + 0.2 * Math.sin((2 * Math.PI * step) / period))

/** Both ratios swing past both of their thresholds, each at its own pace. */
async function play(options: Pick<Parameters<typeof openApp>[0], 'notifications' | 'pushes'>) {
  const app = await openApp({ server, pairs: PAIRS, ...options })
  try {
    for (let step = 0; step < STEPS; step++) {
      await app.live({ bitcoin: wave(1000, step, 8), ethereum: 100, solana: wave(200, step, 11) }, 5 * MINUTE)
    }
    return await app.heard()
  } finally {
    app.close()
  }
}

test('without push, two open windows tell of each crossing in one toast', async () => {
  const { crossings, toasted, rung, listed } = await play({ notifications: 'default', pushes: null })
  expect(crossings.length).toBeGreaterThanOrEqual(6)
  expect([toasted, listed, rung]).toEqual([crossings.length, crossings, []])
})

test('with push arriving before or after the pull, once or twice, each crossing notifies once and has one toast', async () => {
  let turn = 0
  const pushes = () => ({ times: 1 + (turn % 2), first: (turn++ & 2) === 0 })
  const { crossings, toasted, rung, listed } = await play({ notifications: 'granted', pushes })
  expect(crossings.length).toBeGreaterThanOrEqual(6)
  expect([toasted, listed, rung]).toEqual([crossings.length, crossings, crossings])
})
