import 'fake-indexeddb/auto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../server/support/test-app'
import { LIMITS_ENV } from './pairs'
import { runHistories } from './run-histories'

/** `HISTORY_SEED` plays again what a failure printed. */
const FIRST = Number(process.env['HISTORY_SEED'] ?? Math.floor(Date.now() / 1000) % 1_000_000)
const COUNT = Number(process.env['HISTORY_COUNT'] ?? 50)

let server: TestApp
beforeAll(async () => {
  server = await testApp({ env: LIMITS_ENV })
}, 60_000)
afterAll(() => server.close())

test(
  `${COUNT} random histories of user actions from seed ${FIRST} on keep every sync rule`,
  { timeout: 600_000 },
  async () => {
    console.log(`random histories: seeds ${FIRST} to ${FIRST + COUNT - 1}`)
    await expect(runHistories(server, FIRST, COUNT)).resolves.toBeUndefined()
  },
)
