/**
 * Smooth random functions of time that can be evaluated at any moment without a past. Each octave is Gaussian-like noise
 * on a lattice of its own width, joined by a quintic curve (so that speed and acceleration are continuous); octaves from
 * seconds to months, their size growing with the square root of their width, together behave like the sum of
 * Ornstein–Uhlenbeck processes of those time scales: a random walk below the widest octave, mean-reverting beyond it.
 */

/** A well-mixed 32-bit hash of two integers (the finaliser of MurmurHash3). */
function hash(seed: number, n: number): number {
  let h = Math.imul(seed ^ Math.imul(n, 0x9e3779b1), 0x85ebca6b)
  h ^= h >>> 13
  h = Math.imul(h, 0xc2b2ae35)
  h ^= h >>> 16
  h = Math.imul(h, 0x27d4eb2d)
  return (h ^ (h >>> 15)) >>> 0
}

/** A seed for a part of something that has a name. */
export function seedOf(text: string, part: number): number {
  let h = 0x811c9dc5
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193)
  return hash(h >>> 0, part)
}

/** A number in [0, 1). */
export const unit = (seed: number, n: number): number => hash(seed, n) / 0x1_0000_0000

/** Mean 0, variance 1, never beyond ±3.47: the sum of four uniform bytes. */
function gaussian(seed: number, n: number): number {
  const h = hash(seed, n)
  const sum = (h & 255) + ((h >>> 8) & 255) + ((h >>> 16) & 255) + (h >>> 24)
  return (sum - 510) / 147.8
}

export interface Octave {
  /** Milliseconds between lattice points. */
  readonly width: number
  /** Standard deviation at the lattice points. */
  readonly size: number
}

/**
 * Octaves from `finest` upwards, each three times wider than the last, up to `widest`.
 * @param daily size of the octave of one day
 */
export function octaves(finest: number, widest: number, daily: number): readonly Octave[] {
  const found: Octave[] = []
  for (let width = finest; width <= widest; width *= 3) {
    found.push({ width, size: daily * Math.sqrt(width / 86_400_000) })
  }
  return found
}

/** Adds `factor` × the noise at each of `times` (ms, ascending for speed) to `out`. O(octaves × n). */
export function addNoise(
  out: Float64Array,
  times: Float64Array,
  seed: number,
  spectrum: readonly Octave[],
  factor = 1,
): void {
  spectrum.forEach(({ width, size }, index) => {
    const own = hash(seed, index + 1)
    const shift = unit(own, 0) * width
    let cell = Number.NaN
    let left = 0
    let right = 0
    for (let i = 0; i < times.length; i++) {
      const x = (times[i]! + shift) / width
      const n = Math.floor(x)
      if (n !== cell) {
        left = n === cell + 1 ? right : gaussian(own, n)
        right = gaussian(own, n + 1)
        cell = n
      }
      const w = x - n
      out[i]! += factor * size * (left + (right - left) * w * w * w * (w * (w * 6 - 15) + 10))
    }
  })
}
