import { expect, test } from 'vitest'
import { alertKills } from './support/alert-kills'
import { emptyDatabase, readyFolder } from './support/test-storage'

const url = process.env['TEST_DATABASE_URL'] ?? ''
const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000)

/** A small share of tests/bars/alert-kills.bars.ts. */
test(
  `every crossing is recorded exactly once though processes are killed during updates (${url === '' ? 'PGlite' : 'PostgreSQL'}, seed ${seed})`,
  { tags: ['full'], timeout: 300_000 },
  async () => {
    const storage = url === '' ? await readyFolder() : await emptyDatabase(url)
    const workers = url === '' ? 1 : 2
    const { expected, found, wrong, told, interrupted, logged } = await alertKills({
      variables: storage.variables,
      seed,
      widgets: 100,
      updates: 80,
      kills: 3,
      workers,
    })
    await storage.remove()
    console.log(`${found.events.length} crossings, ${told} told, ${interrupted} of 3 kills within an update`)
    expect(logged).toBe('')
    expect(found).toEqual(expected)
    expect(wrong).toEqual([])
    expect(told).toBeGreaterThan(0)
  },
)
