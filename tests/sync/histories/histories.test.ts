import { expect, test } from 'vitest'
import { withServer } from '../../server/support/for-file'
import { LIMITS_ENV } from './pairs'
import { playSeeds } from './play-seeds'
import { HISTORIES } from './world'

/** `HISTORY_SEED` plays again what a failure printed. */
const FIRST = Number(process.env['HISTORY_SEED'] ?? Math.floor(Date.now() / 1000) % 1_000_000)
const server = withServer({ env: LIMITS_ENV })

const play = (count: number) => expect(playSeeds(HISTORIES, server, FIRST, count)).resolves.toBeUndefined()

test(`eight random histories of user actions from seed ${FIRST} on keep every sync rule`, { timeout: 300_000 }, () =>
  play(8),
)

test(
  `fifty random histories of user actions from seed ${FIRST} on keep every sync rule`,
  { tags: ['full'], timeout: 600_000 },
  () => play(50),
)
