import type { TestApp } from '../../server/support/test-app'
import { type Random, seededRandom } from '../support/random'
import { Violation } from './violation'

/** The play of a seed: a beginning, and steps from there. */
interface Play {
  readonly seed: number
  readonly config: object
  readonly operations: readonly object[]
}

/** A kind of random play: how a seed makes one, and who plays it, throwing a Violation where a rule does not hold. */
export interface Kind<P extends Play> {
  readonly name: string
  readonly generate: (seed: number, random: Random) => P
  readonly play: (one: P, server: TestApp, random: Random) => Promise<void>
}

/** Shorter plays that are tried for one violation. */
const TRIES = 60

/**
 * Plays the seeds first … first + count - 1, which follow one another, so that a long run begins with a short one's.
 * @throws at the first violation, with the shortest play found that shows it
 */
export async function playSeeds<P extends Play>(
  { name, generate, play }: Kind<P>,
  server: TestApp,
  first: number,
  count: number,
): Promise<void> {
  /** Null where every rule held. */
  const violationOf = async (one: P): Promise<Violation | null> => {
    try {
      await play(one, server, seededRandom(one.seed + 1_000_003))
      return null
    } catch (error) {
      if (error instanceof Violation) return error
      throw new Error(`seed ${one.seed}`, { cause: error })
    }
  }
  console.log(`${name}: seeds ${first} to ${first + count - 1}`)
  for (let seed = first; seed < first + count; seed++) {
    let shortest = generate(seed, seededRandom(seed))
    let last = await violationOf(shortest)
    if (last === null) continue
    // Leaves out steps as long as the same rule is still broken.
    for (let at = shortest.operations.length - 1, tries = 0; at >= 0 && tries < TRIES; at--, tries++) {
      const shorter = { ...shortest, operations: shortest.operations.filter((_, index) => index !== at) }
      const again = await violationOf(shorter)
      if (again?.rule === last.rule) [shortest, last] = [shorter, again]
    }
    const steps = shortest.operations.map((operation) => `  ${JSON.stringify(operation)}`).join('\n')
    throw new Error(`seed ${seed}: ${last.message}\n${JSON.stringify(shortest.config)}\n${steps}`)
  }
}
