import 'fake-indexeddb/auto'
import { expect, test } from 'vitest'
import { withServer } from '../server/support/for-file'
import { MOVES } from '../sync/guest-moves/world'
import { playSeeds } from '../sync/histories/play-seeds'
import { LIMITS_ENV } from '../sync/histories/pairs'

const FIRST = Number(process.env['MOVE_SEED'] ?? 1)
const COUNT = Number(process.env['MOVE_COUNT'] ?? 1000)

const server = withServer({ env: LIMITS_ENV })

test(
  `${COUNT} guests on their way to an account lose and double no pair, whatever interrupts them`,
  { timeout: 3_600_000 },
  async () => {
    await expect(playSeeds(MOVES, server, FIRST, COUNT)).resolves.toBeUndefined()
  },
)
