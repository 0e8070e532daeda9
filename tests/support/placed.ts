import type { PairStanding } from '../../src/domain/standing'

/** A pair's place in 90 days: in their middle, unless the facts say otherwise. */
export const placed = (facts: Partial<PairStanding> = {}): PairStanding => ({
  days: 90,
  percentile: 0.5,
  z: 0,
  p5: 1,
  median: 2,
  p95: 3,
  extreme: null,
  closesTo: null,
  ...facts,
})
