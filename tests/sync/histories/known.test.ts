import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../server/support/test-app'
import { seededRandom } from '../support/random'
import { KNOWN } from './known-histories'
import { LIMITS_ENV } from './pairs'
import { playHistory } from './world'

let server: TestApp
beforeAll(async () => {
  server = await testApp({ env: LIMITS_ENV })
}, 60_000)
afterAll(() => server.close())

test.each(KNOWN)(
  'a known history of user actions keeps every sync rule: %s',
  { timeout: 60_000 },
  async (_, change, operations) => {
    const config = { tabs: false, user: false, start: 0, checkpoints: 0, market: false, ...change }
    await expect(playHistory({ seed: 1, config, operations }, server, seededRandom(1))).resolves.toBeUndefined()
  },
)
