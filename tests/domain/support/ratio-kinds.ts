import { randomOf } from '../../../src/domain/random'
import { normalOf } from './random'

function walk(length: number, start: number, seed: number): Float64Array {
  const normal = normalOf(randomOf(seed))
  let value = start
  return Float64Array.from({ length }, () => (value *= Math.exp(normal() * 0.002)))
}

/** The kinds of ratio series on which a running deviation is known to go wrong. */
export const RATIO_KINDS: Readonly<Record<string, (length: number, seed: number) => Float64Array>> = {
  'prices of 1e-8': (length, seed) => walk(length, 1e-8, seed),
  'prices of 1e5': (length, seed) => walk(length, 1e5, seed),
  'a pegged pair': (length, seed) => {
    const random = randomOf(seed)
    return Float64Array.from({ length }, () => 1 + Math.round(random() * 4 - 2) * 1e-6)
  },
  'after one bad tick of 10,000 times': (length, seed) => {
    const values = walk(length, 0.05, seed)
    const at = Math.floor(length / 3)
    values[at] = values[at]! * 10_000
    return values
  },
  'flat stretches between jumps': (length, seed) => {
    const random = randomOf(seed)
    let value = 16.7
    return Float64Array.from({ length }, (_, i) => (i % 700 === 0 ? (value *= 0.5 + random()) : value))
  },
}
