import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../server/support/test-app'
import { LIMITS_ENV } from '../histories/pairs'
import { playSeeds } from '../histories/play-seeds'
import { MOVES } from './world'

/** `MOVE_SEED` plays again what a failure printed; the bars play more than the same few. */
const FIRST = Number(process.env['MOVE_SEED'] ?? 1)
let server: TestApp
beforeAll(async () => {
  server = await testApp({ env: LIMITS_ENV })
}, 60_000)
afterAll(() => server.close())

const play = (first: number, count: number) => expect(playSeeds(MOVES, server, first, count)).resolves.toBeUndefined()

test(
  `four guests on their way to an account from seed ${FIRST} on lose and double no pair, whatever interrupts them`,
  { timeout: 300_000 },
  () => play(FIRST, 4),
)

test(
  `seventeen guests on their way to an account from seed ${FIRST + 4} on lose and double no pair, whatever interrupts them`,
  { tags: ['full'], timeout: 300_000 },
  () => play(FIRST + 4, 17),
)
