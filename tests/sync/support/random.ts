/** A small generator (mulberry32): the same seed gives the same numbers everywhere. */
export interface Random {
  /** In [0, 1). */
  readonly next: () => number
  /** A whole number in [0, n). */
  readonly int: (n: number) => number
}

export function seededRandom(seed: number): Random {
  let state = Math.imul(seed, 2_654_435_761) >>> 0 || 1
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  return { next, int: (n) => Math.floor(next() * n) }
}
