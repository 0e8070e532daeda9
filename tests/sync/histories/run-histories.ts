import type { TestApp } from '../../server/support/test-app'
import { seededRandom } from '../support/random'
import { generateHistory, type History } from './operations'
import { Violation } from './violation'
import { playHistory } from './world'

/** Null where every rule held. */
async function violationOf(history: History, server: TestApp): Promise<Violation | null> {
  try {
    await playHistory(history, server, seededRandom(history.seed + 1_000_003))
    return null
  } catch (error) {
    if (error instanceof Violation) return error
    throw new Error(`seed ${history.seed}`, { cause: error })
  }
}

/** Leaves out steps as long as the same rule is still broken. */
async function shrink(history: History, { rule }: Violation, server: TestApp): Promise<History> {
  let shortest = history
  for (let at = shortest.operations.length - 1, tries = 0; at >= 0 && tries < 60; at--, tries++) {
    const shorter = { ...shortest, operations: shortest.operations.filter((_, index) => index !== at) }
    if ((await violationOf(shorter, server))?.rule === rule) shortest = shorter
  }
  return shortest
}

/**
 * Plays histories with the seeds first … first + count - 1.
 * @throws at the first violation, with the shortest history found that shows it
 */
export async function runHistories(server: TestApp, first: number, count: number): Promise<void> {
  for (let seed = first; seed < first + count; seed++) {
    const history = generateHistory(seed, seededRandom(seed))
    const violation = await violationOf(history, server)
    if (violation === null) continue
    const short = await shrink(history, violation, server)
    const last = (await violationOf(short, server)) ?? violation
    const steps = short.operations.map((operation) => `  ${JSON.stringify(operation)}`).join('\n')
    throw new Error(`seed ${seed}: ${last.message}\n${JSON.stringify(short.config)}\n${steps}`)
  }
}
