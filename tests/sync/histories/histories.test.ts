import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../server/support/test-app'
import { LIMITS_ENV } from './pairs'
import { runHistories } from './run-histories'

/** `HISTORY_SEED` plays again what a failure printed. */
const FIRST = Number(process.env['HISTORY_SEED'] ?? Math.floor(Date.now() / 1000) % 1_000_000)
let server: TestApp
beforeAll(async () => {
  server = await testApp({ env: LIMITS_ENV })
}, 60_000)
afterAll(() => server.close())

/** Seeds follow one another, so that the long run plays the histories of the short one first. */
async function play(count: number): Promise<void> {
  console.log(`random histories: seeds ${FIRST} to ${FIRST + count - 1}`)
  await expect(runHistories(server, FIRST, count)).resolves.toBeUndefined()
}

test(`eight random histories of user actions from seed ${FIRST} on keep every sync rule`, { timeout: 300_000 }, () =>
  play(8),
)

test(
  `fifty random histories of user actions from seed ${FIRST} on keep every sync rule`,
  { tags: ['full'], timeout: 600_000 },
  () => play(50),
)
