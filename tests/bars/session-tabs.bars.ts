import 'fake-indexeddb/auto'
import { afterAll, beforeAll, test } from 'vitest'
import { HOUR } from '../../src/domain/granularity'
import { playTwentyTabs } from '../sync/support/twenty-tabs'
import { testApp, type TestApp } from '../server/support/test-app'

let server: TestApp
beforeAll(async () => {
  server = await testApp()
})
afterAll(() => server.close())

test.each([0, -2 * HOUR, 2 * HOUR])(
  'twenty tabs with an expired token, lost answers and a clock %d ms wrong stay logged in over 25 rounds',
  async (clockError) => {
    for (const seed of [11, 12]) await playTwentyTabs(server, { rounds: 25, clockError, seed })
  },
)
