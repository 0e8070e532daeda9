import { DAY, HOUR } from '../../../../src/domain/granularity'
import { SIMULATED_COINS, type SimulatedCoin, type Temper } from './coins'

/**
 * A market in which a price is a pure function of (seed, coin, time):
 *
 *     ln price = ln level + beta · market(t) + own(t) + swings(t)
 *
 * `market` is common to all coins and holds every movement slower than two weeks, so that it cancels in ratios; `own` is
 * the coin's mean-reverting noise; the swings are two oscillations (hours to two days, and days to weeks) whose rhythm
 * wanders, so that ratios have turns for charts and alerts to find. Nothing is remembered: history and spot agree, and a
 * restart changes nothing.
 */

/** Milliseconds between the lattice points of the finest octave. */
const FINEST = 20_000
/** The common factor: some 2.5 % a day in all, up to four months wide. */
const MARKET = octaves(FINEST, 130 * DAY, 0.013)
/** A coin of its own: half of that, up to two weeks wide. */
const OWN = octaves(FINEST, 14 * DAY, 0.007)
/** How the phase of an oscillation wanders, in radians; times are scaled to its period. */
const WANDER = octaves(4 * DAY, 40 * DAY, 0.3)

const TEMPER: Readonly<Record<Temper, { own: number; betaFrom: number; betaSpan: number; swing: number }>> = {
  calm: { own: 0.6, betaFrom: 0.9, betaSpan: 0.2, swing: 0.7 },
  usual: { own: 1, betaFrom: 0.95, betaSpan: 0.3, swing: 1 },
  wild: { own: 1.8, betaFrom: 1, betaSpan: 0.4, swing: 1.5 },
  pegged: { own: 0.02, betaFrom: 0, betaSpan: 0, swing: 0.004 },
}
/** Share of a coin's own movement if it stands for another coin. */
const FOLLOWER = 0.03

/** Decimal digits of a price. */
const DIGITS = 8

/** `size` is a fraction of the price, `period` in ms. */
function addSwing(out: Float64Array, times: Float64Array, seed: number, size: number, period: number): void {
  const phase = new Float64Array(times.length)
  // Counted in their own periods, all rhythms wander equally fast.
  const scaled = times.map((t) => t * ((2 * DAY) / period))
  addNoise(phase, scaled, seed, WANDER)
  const start = unit(seed, 1) * 2 * Math.PI
  const pace = (2 * Math.PI) / period
  for (let i = 0; i < times.length; i++) out[i]! += size * Math.sin(pace * (times[i]! % period) + start + phase[i]!)
}

/** Between `from` and `from · ratio`, evenly in the logarithm. */
const between = (seed: number, part: number, from: number, ratio: number): number => from * ratio ** unit(seed, part)

/** Adds `factor` × what moves this coin alone. */
function addOwn(out: Float64Array, times: Float64Array, coin: SimulatedCoin, market: number, factor: number): void {
  const { own, swing } = TEMPER[coin.temper]
  const seed = coinSeed(coin.id, market)
  const sizeOf = (part: number, from: number) => factor * swing * between(seed, part, from, 2)
  addNoise(out, times, seed, OWN, own * factor)
  addSwing(out, times, coinSeed(coin.id, market + 1), sizeOf(2, 0.008), between(seed, 3, 14 * HOUR, 3.5))
  addSwing(out, times, coinSeed(coin.id, market + 2), sizeOf(4, 0.025), between(seed, 5, 5 * DAY, 4))
}

const BY_ID: ReadonlyMap<string, SimulatedCoin> = new Map(SIMULATED_COINS.map((coin) => [coin.id, coin]))

/**
 * Prices of a coin in USD, positive, rounded to 8 digits.
 * @param times milliseconds since 1970, ascending
 * @param seed another number is another market
 * @returns undefined for a coin that the market does not have
 */
export function simulatedPrices(id: string, times: Float64Array, seed = 1): Float64Array | undefined {
  const coin = BY_ID.get(id)
  if (coin === undefined) return undefined
  const mover = coin.follows === undefined ? coin : BY_ID.get(coin.follows)!
  const { betaFrom, betaSpan } = TEMPER[mover.temper]
  const out = new Float64Array(times.length)
  addNoise(out, times, coinSeed('market', seed), MARKET, betaFrom + betaSpan * unit(coinSeed(mover.id, seed), 6))
  addOwn(out, times, mover, seed, 1)
  if (mover !== coin) addOwn(out, times, coin, seed, FOLLOWER)
  for (let i = 0; i < out.length; i++) out[i] = Number((coin.level * Math.exp(out[i]!)).toPrecision(DIGITS))
  return out
}

/** The price at one moment. */
export const simulatedPrice = (id: string, at: number, seed = 1): number | undefined =>
  simulatedPrices(id, Float64Array.of(at), seed)?.[0]

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

/** A seed for a part of a named coin or market. */
function coinSeed(text: string, part: number): number {
  let h = 0x811c9dc5
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193)
  return hash(h >>> 0, part)
}

/** A number in [0, 1). */
const unit = (seed: number, n: number): number => hash(seed, n) / 0x1_0000_0000

/** Mean 0, variance 1, never beyond ±3.47: the sum of four uniform bytes. */
function gaussian(seed: number, n: number): number {
  const h = hash(seed, n)
  const sum = (h & 255) + ((h >>> 8) & 255) + ((h >>> 16) & 255) + (h >>> 24)
  return (sum - 510) / 147.8
}

interface Octave {
  /** Milliseconds between lattice points. */
  readonly width: number
  /** Standard deviation at the lattice points. */
  readonly size: number
}

/**
 * Octaves from `finest` upwards, each three times wider than the last, up to `widest`.
 * @param daily size of the octave of one day
 */
function octaves(finest: number, widest: number, daily: number): readonly Octave[] {
  const found: Octave[] = []
  for (let width = finest; width <= widest; width *= 3) {
    found.push({ width, size: daily * Math.sqrt(width / DAY) })
  }
  return found
}

/** Adds `factor` × the noise at each of `times` (ms, ascending for speed) to `out`. O(octaves × n). */
function addNoise(out: Float64Array, times: Float64Array, seed: number, spectrum: readonly Octave[], factor = 1): void {
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
