import 'fake-indexeddb/auto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../server/support/test-app'
import { runHistories } from '../sync/histories/run-histories'
import { MAX_WIDGETS } from '../sync/histories/world'

const FIRST = Number(process.env['HISTORY_SEED'] ?? 1)
const COUNT = Number(process.env['HISTORY_COUNT'] ?? 1000)

let server: TestApp
beforeAll(async () => {
  server = await testApp({ env: { FREE_MAX_WIDGETS: String(MAX_WIDGETS) } })
}, 60_000)
afterAll(() => server.close())

test(`${COUNT} random histories of up to 30 operations keep every rule`, { timeout: 3_600_000 }, async () => {
  console.log(`random histories: seeds ${FIRST} to ${FIRST + COUNT - 1}`)
  await expect(runHistories(server, FIRST, COUNT)).resolves.toBeUndefined()
})
