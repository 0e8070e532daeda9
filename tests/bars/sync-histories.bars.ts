import 'fake-indexeddb/auto'
import { expect, test } from 'vitest'
import { withServer } from '../server/support/for-file'
import { LIMITS_ENV } from '../sync/histories/pairs'
import { playSeeds } from '../sync/histories/play-seeds'
import { HISTORIES } from '../sync/histories/world'

const FIRST = Number(process.env['HISTORY_SEED'] ?? 1)
const COUNT = Number(process.env['HISTORY_COUNT'] ?? 10_000)

const server = withServer({ env: LIMITS_ENV })

test(
  `${COUNT} random histories of up to 30 operations violate no synchronization rule`,
  { timeout: 8 * 3_600_000 },
  async () => {
    await expect(playSeeds(HISTORIES, server, FIRST, COUNT)).resolves.toBeUndefined()
  },
)
