import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../server/support/test-app'
import { LIMITS_ENV } from './pairs'
import { playSeeds } from './play-seeds'
import { HISTORIES } from './world'

/** `HISTORY_SEED` plays again what a failure printed. */
const FIRST = Number(process.env['HISTORY_SEED'] ?? Math.floor(Date.now() / 1000) % 1_000_000)
let server: TestApp
beforeAll(async () => {
  server = await testApp({ env: LIMITS_ENV })
}, 60_000)
afterAll(() => server.close())

const play = (count: number) => expect(playSeeds(HISTORIES, server, FIRST, count)).resolves.toBeUndefined()

test(`eight random histories of user actions from seed ${FIRST} on keep every sync rule`, { timeout: 300_000 }, () =>
  play(8),
)

test(
  `fifty random histories of user actions from seed ${FIRST} on keep every sync rule`,
  { tags: ['full'], timeout: 600_000 },
  () => play(50),
)
