import { mean, quantileRank, sampleCorrelation, sampleStandardDeviation } from 'simple-statistics'
import { closesOf, type DailyMatrix } from '../../../src/domain/daily-matrix'
import { pairColumns } from '../../../src/domain/pair-columns'
import { STATISTIC_WINDOWS } from '../../../src/domain/pair-statistics'
import { dailyMatrix } from './daily-market'
import type { PairTimes } from './pairs'

/** Every so many-th pair is computed by the library, whose time is multiplied by it. */
const SHARE = 15

/** z, percentile and correlation of a pair by simple-statistics. */
function pairByLibrary(matrix: DailyMatrix, a: number, b: number): number[] {
  const [closesA, closesB] = [Array.from(closesOf(matrix, a)), Array.from(closesOf(matrix, b))]
  const days = [...closesA.keys()].filter((day) => closesA[day]! > 0 && closesB[day]! > 0)
  const x = days.map((day) => Math.log(closesA[day]! / closesB[day]!))
  const returns = [closesA, closesB].map((closes) =>
    days.slice(1).map((day, index) => Math.log(closes[day]! / closes[days[index]!]!)),
  )
  const now = x.at(-1)!
  return STATISTIC_WINDOWS.flatMap((window) => {
    const before = x.slice(0, -1).slice(-window)
    return [
      (now - mean(before)) / sampleStandardDeviation(before),
      quantileRank(before, now),
      sampleCorrelation(returns[0]!.slice(-window), returns[1]!.slice(-window)),
    ]
  })
}

function race(rounds: number): PairTimes {
  const matrix = dailyMatrix()
  const unknown = new Float64Array(matrix.coins.length).fill(NaN)
  const columns = pairColumns(matrix, unknown)
  const times: PairTimes = { ours: [], library: [] }
  for (let round = 0; round < rounds; round += 1) {
    let start = performance.now()
    pairColumns(matrix, unknown)
    times.ours.push(performance.now() - start)
    start = performance.now()
    for (let pair = 0; pair < columns.a.length; pair += SHARE) {
      const [z] = pairByLibrary(matrix, columns.a[pair]!, columns.b[pair]!)
      const ours = columns.windows[0]!.z[pair]!
      if (!(Math.abs(z! - ours) < 0.2)) throw new Error(`z of pair ${pair} is ${ours}, by the library ${z}.`)
    }
    times.library.push((performance.now() - start) * SHARE)
  }
  return times
}

addEventListener('message', (event: MessageEvent<number>) => postMessage(race(event.data)))
