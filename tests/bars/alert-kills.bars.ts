import { expect, test } from 'vitest'
import { HOUR } from '../../src/domain/granularity'
import { RULE_KIND_NAMES } from '../../src/domain/rule-kinds'
import { alertKills } from '../server/support/alert-kills'
import { emptyDatabase, emptyFolder, type TestStorage } from '../server/support/test-storage'

/**
 * A thousand widgets, each with two thresholds and a rule that its owner changes now and then, live through ten thousand price
 * updates, and a hundred times a process is killed that stores one and sends what it sets off. The embedded database: a tenth.
 */
const WIDGETS = Number(process.env['WIDGETS'] ?? 1_000)
const UPDATES = Number(process.env['UPDATES'] ?? 10_000)
const KILLS = Number(process.env['KILLS'] ?? 100)

/** Milliseconds: the full size takes an hour or two. */
const LIMIT = 6 * HOUR

/** Kinds of alerts that prices set off. */
const KINDS = ['threshold', 'extreme_high', 'extreme_low', 'rule_expired', ...RULE_KIND_NAMES]

const url = process.env['TEST_DATABASE_URL'] ?? ''
const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000)

async function tellOnce(storage: TestStorage, workers: number, share: number): Promise<void> {
  const [updates, kills] = [Math.ceil(UPDATES * share), Math.ceil(KILLS * share)]
  try {
    const { expected, found, kinds, wrong, told, again, interrupted, logged } = await alertKills({
      variables: storage.variables,
      seed,
      widgets: WIDGETS,
      updates,
      kills,
      workers,
    })
    console.log(
      `seed ${seed}: ${expected.events.length} crossings in ${updates} updates, ${found.events.length} recorded, ${told} told and ${again} of them again, ${interrupted} of ${kills} kills within an update: ${JSON.stringify(kinds)}`,
    )
    expect.soft(logged).toBe('')
    expect.soft(found).toEqual(expected)
    expect.soft(wrong).toEqual([])
    expect(expected.events.length).toBeGreaterThan(updates)
    expect(told).toBeGreaterThan(updates)
    expect(interrupted).toBeGreaterThan(kills / 4)
    expect(Object.keys(kinds).toSorted()).toEqual(KINDS.toSorted())
  } finally {
    await storage.remove()
  }
}

test(
  'on PGlite, every alert of each kind is recorded and told once although the process that stores prices and sends is killed',
  { timeout: LIMIT },
  () => tellOnce(emptyFolder(), 1, 0.1),
)

test.skipIf(url === '')(
  'on PostgreSQL, every alert of each kind is recorded and told once although one of two processes that store prices and send is killed',
  { timeout: LIMIT },
  async () => tellOnce(await emptyDatabase(url), 2, 1),
)
