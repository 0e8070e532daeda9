import type { TestApp } from '../../server/support/test-app'
import { Violation } from '../histories/violation'
import { seededRandom } from '../support/random'
import { generateMove, type Move } from './operations'
import { playMove } from './world'

/** Null where no pair was lost or doubled. */
async function violationOf(move: Move, server: TestApp): Promise<Violation | null> {
  try {
    await playMove(move, server, seededRandom(move.seed + 1_000_003))
    return null
  } catch (error) {
    if (error instanceof Violation) return error
    throw new Error(`seed ${move.seed}`, { cause: error })
  }
}

/** Leaves out steps as long as the same rule is still broken. */
async function shrink(move: Move, { rule }: Violation, server: TestApp): Promise<Move> {
  let shortest = move
  for (let at = shortest.steps.length - 1; at >= 0; at--) {
    const shorter = { ...shortest, steps: shortest.steps.filter((_, index) => index !== at) }
    if ((await violationOf(shorter, server))?.rule === rule) shortest = shorter
  }
  return shortest
}

/**
 * Plays guests on their way to an account with the seeds first … first + count - 1.
 * @throws at the first pair that is lost or doubled, with the shortest way found that shows it
 */
export async function runMoves(server: TestApp, first: number, count: number): Promise<void> {
  for (let seed = first; seed < first + count; seed++) {
    const move = generateMove(seed, seededRandom(seed))
    const violation = await violationOf(move, server)
    if (violation === null) continue
    const short = await shrink(move, violation, server)
    const last = (await violationOf(short, server)) ?? violation
    const steps = short.steps.map((one) => `  ${JSON.stringify(one)}`).join('\n')
    throw new Error(`seed ${seed}: ${last.message}\n${short.start} pairs before, tabs: ${short.tabs}\n${steps}`)
  }
}
