import { expect, test } from 'vitest'
import { alertKills } from '../server/support/alert-kills'
import { emptyDatabase, emptyFolder, type TestStorage } from '../server/support/test-storage'

/** A thousand widgets live through ten thousand price updates, and a hundred times a process is killed that stores one. */
const WIDGETS = 1_000
const UPDATES = Number(process.env['UPDATES'] ?? 10_000)
const KILLS = Number(process.env['KILLS'] ?? 100)

const url = process.env['TEST_DATABASE_URL'] ?? ''
const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000)

async function recordOnce(storage: TestStorage, workers: number): Promise<void> {
  try {
    const { expected, found, interrupted, logged } = await alertKills({
      variables: storage.variables,
      seed,
      widgets: WIDGETS,
      updates: UPDATES,
      kills: KILLS,
      workers,
    })
    console.log(
      `seed ${seed}: ${expected.events.length} crossings in ${UPDATES} updates, ${found.events.length} recorded, ${interrupted} of ${KILLS} kills within an update`,
    )
    expect(logged).toBe('')
    expect(found).toEqual(expected)
    expect(expected.events.length).toBeGreaterThan(UPDATES)
    expect(interrupted).toBeGreaterThan(KILLS / 4)
  } finally {
    await storage.remove()
  }
}

test('on PGlite, every threshold crossing is recorded once although the process that stores prices is killed', () =>
  recordOnce(emptyFolder(), 1))

test.skipIf(url === '')(
  'on PostgreSQL, every threshold crossing is recorded once although one of two price-storing processes is killed',
  async () => recordOnce(await emptyDatabase(url), 2),
)
