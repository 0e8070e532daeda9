import { expect, test } from 'vitest'
import { withServer } from '../../server/support/for-file'
import { LIMITS_ENV } from '../histories/pairs'
import { playSeeds } from '../histories/play-seeds'
import { MOVES } from './world'

/** `MOVE_SEED` plays again what a failure printed; the bars play more than the same few. */
const FIRST = Number(process.env['MOVE_SEED'] ?? 1)
const server = withServer({ env: LIMITS_ENV })

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
