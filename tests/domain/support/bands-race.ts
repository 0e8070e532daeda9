import { BollingerBands, EMA } from 'trading-signals'
import { bandsAround } from '../../../src/domain/bands'
import { RATIO_KINDS } from './ratio-kinds'

/** Ours is run this often for each run of the peer, which takes a hundred times as long. */
const OURS_PER_ROUND = 15
const WARM_UP = 40

const median = (values: readonly number[]): number => values.toSorted((one, other) => one - other)[values.length >> 1]!

interface Race {
  /** Medians, nanoseconds a point. */
  readonly ours: number
  readonly theirs: number
  readonly times: number
}

/** EMA, deviation and bands by us and by trading-signals, medians of interleaved rounds in one process. */
export function raceBands({ points, window, rounds }: { points: number; window: number; rounds: number }): Race {
  const values = RATIO_KINDS['prices of 1e5']!(points, 1)
  const none = new Float64Array(0)
  let sink = 0
  const ours = (): void => {
    sink += bandsAround(none, values, window).upper.at(-1)!
  }
  const theirs = (): void => {
    const average = new EMA(window)
    const bands = new BollingerBands(window, 2)
    for (const value of values) {
      average.update(value, false)
      bands.update(value, false)
    }
    sink += average.getResultOrThrow() + bands.getResultOrThrow().upper
  }
  const nanoseconds = (work: () => void): number => {
    const start = performance.now()
    work()
    return ((performance.now() - start) * 1e6) / points
  }

  for (let i = 0; i < WARM_UP; i++) ours()
  const own: number[] = []
  const peer: number[] = []
  for (let round = 0; round < rounds; round++) {
    for (let i = 0; i < OURS_PER_ROUND; i++) own.push(nanoseconds(ours))
    peer.push(nanoseconds(theirs))
  }
  if (!Number.isFinite(sink)) throw new Error('a band is not a number')
  return { ours: median(own), theirs: median(peer), times: median(peer) / median(own) }
}
