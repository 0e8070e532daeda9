import type { Event } from '../histories/stage'
import { FAULTS } from '../support/network'
import type { Random } from '../support/random'

/** One step on a guest's way to an account: something that the user, the browser or the network does. */
export type Step =
  | Event
  /** The browser's current user, mostly a guest, adds a pair or changes one. */
  | { readonly type: 'add' | 'threshold' | 'checkpoint' | 'remove'; readonly a: number; readonly b: number }
  | { readonly type: 'log-in'; readonly a: number }
  | { readonly type: 'log-out' | 'session-over' | 'bring' | 'not-now' }
  /** Two tabs answer at once. */
  | { readonly type: 'bring-twice' }
  /** The tab that answers dies with its n-th database request. */
  | { readonly type: 'bring-and-die'; readonly requests: number }

/** A way from a guest to an account, and everything that comes between. */
export interface Move {
  readonly seed: number
  readonly config: {
    /** Two tabs that each run the engine, instead of one service worker. */
    readonly tabs: boolean
    /** Pairs that each user has beforehand. */
    readonly start: number
  }
  readonly operations: readonly Step[]
}

const pick = <T>(random: Random, items: readonly T[]): T => items[random.int(items.length)]!

const change = (random: Random): Step => ({
  type: pick(random, ['add', 'add', 'add', 'threshold', 'threshold', 'checkpoint', 'checkpoint', 'remove'] as const),
  a: random.int(1000),
  b: random.int(1000),
})

function interruption(random: Random): Step {
  const p = random.next()
  const a = random.int(1000)
  if (p < 0.22) return { type: 'fault', fault: pick(random, [...FAULTS, 'lost-answer', 'late-answer', 'lost-answer']) }
  if (p < 0.32) return { type: 'kill', a }
  if (p < 0.42) return { type: 'die-after', a, requests: 1 + random.int(60) }
  if (p < 0.52) return { type: 'offline', on: a % 2 === 0 }
  if (p < 0.62) return { type: 'run', events: 1 + random.int(10) }
  if (p < 0.7) return { type: 'time', ms: pick(random, [1_000, 5_000, 25_000, 80_000]) }
  if (p < 0.76) return { type: 'bring-twice' }
  if (p < 0.82) return { type: 'bring-and-die', requests: 1 + random.int(40) }
  if (p < 0.86) return { type: 'bring' }
  if (p < 0.9) return { type: 'log-out' }
  if (p < 0.93) return { type: 'session-over' }
  if (p < 0.95) return { type: 'log-in', a }
  if (p < 0.98) return change(random)
  return p < 0.99 ? { type: 'not-now' } : { type: 'tick' }
}

export function generateMove(seed: number, random: Random): Move {
  const tabs = random.next() < 0.4
  const start = random.int(3)
  const steps: Step[] = []
  for (let n = 2 + random.int(5); n > 0; n--) steps.push(change(random))
  if (random.next() < 0.6) steps.push({ type: 'time', ms: pick(random, [400, 2_000, 5_000]) })
  if (random.next() < 0.3) steps.push({ type: 'offline', on: true }, change(random), { type: 'offline', on: false })
  steps.push({ type: 'log-in', a: random.int(1000) }, { type: 'time', ms: 5_000 })
  if (random.next() < 0.4) steps.push(interruption(random))
  steps.push({ type: 'bring' })
  for (let n = 1 + random.int(9); n > 0; n--) steps.push(interruption(random))
  return { seed, config: { tabs, start }, operations: steps }
}
