import { expect, test } from 'vitest'
import { billingKills } from './support/billing-kills'
import { sandboxKills } from './support/sandbox-kills'
import { seeded } from './support/seeded'
import { emptyDatabase, readyFolder } from './support/test-storage'

/** A small share of tests/bars/billing-kills.bars.ts. */
const url = process.env['TEST_DATABASE_URL'] ?? ''
const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000)

test(
  `Stripe events take effect exactly once though the server is killed while it handles them (${url === '' ? 'PGlite' : 'PostgreSQL'}, seed ${seed})`,
  { tags: ['full'], timeout: 180_000 },
  async () => {
    const storage = url === '' ? await readyFolder() : await emptyDatabase(url)
    const { events, interrupted, wrong } = await billingKills({
      variables: storage.variables,
      users: 4,
      kills: 2,
      random: seeded(seed),
    })
    await storage.remove()
    console.log(`${events} events, ${interrupted} unanswered by a server that died`)
    expect(wrong).toEqual([])
    expect(events).toBeGreaterThan(0)
  },
)

test.runIf(url === '')(
  `a user who pays or cancels in the sandbox as the server is killed has the matching tier after the restart (seed ${seed})`,
  { tags: ['full'], timeout: 180_000 },
  async () => {
    const storage = await readyFolder()
    const { wrong } = await sandboxKills({ variables: storage.variables, rounds: 2, random: seeded(seed) })
    await storage.remove()
    expect(wrong).toEqual([])
  },
)
