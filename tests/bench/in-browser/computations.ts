import { computeChart } from '../../../src/domain/chart'
import { PERIOD_RULES } from '../../../src/domain/chart-periods'
import type { ChartReady } from '../../../workers/api'
import { arquero } from './computations/arquero'
import { ours } from './computations/ours'
import { technicalIndicators } from './computations/technical-indicators'
import { tradingSignals } from './computations/trading-signals'
import type { Computation, Computed } from './computation'
import { historyRows, NOW, PAIRS, SIZES, type Size } from './market'

const COMPUTATIONS: readonly Computation[] = [ours, tradingSignals, technicalIndicators, arquero]

/** Relative; the libraries keep running sums of their own kinds. */
const AGREEMENT = 1e-6

/** Milliseconds of each round. */
export interface ComputationTimes {
  /** Average, deviation and bands of one column of ratios, by library. */
  readonly bands: Readonly<Record<string, number[]>>
  /** All columns that the app computes for a chart, from two series of prices. */
  readonly whole: number[]
}

/** The same computation by us and by others, taking turns. */
export function raceComputations({ ratio, averagePoints }: ChartReady, size: Size, rounds: number): ComputationTimes {
  const expected = ours.compute(ratio, averagePoints)
  for (const library of COMPUTATIONS) agree(library, library.compute(ratio, averagePoints), expected, averagePoints)

  const timeOf = (work: () => unknown): number => {
    const start = performance.now()
    work()
    return performance.now() - start
  }
  const chart = wholeChart(size)
  const bands: Record<string, number[]> = Object.fromEntries(COMPUTATIONS.map(({ name }) => [name, []]))
  const whole: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    whole.push(timeOf(chart))
    for (const { name, compute } of COMPUTATIONS) bands[name]?.push(timeOf(() => compute(ratio, averagePoints)))
  }
  return { bands, whole }
}

function wholeChart(size: Size): () => void {
  const period = SIZES[size]
  const { granularity } = PERIOD_RULES[period]
  const rows = historyRows().filter((row) => row.granularity === granularity)
  const [a, b] = [PAIRS[0].coinA, PAIRS[0].coinB].map((coin) => rows.find((row) => row.coin_id === coin))
  if (a === undefined || b === undefined) throw new Error('The market has no such pair.')
  return () => {
    const result = computeChart({ a: { [granularity]: a }, b: { [granularity]: b }, period, now: NOW, live: null })
    if (result.kind !== 'ready') throw new Error('The whole chart could not be computed.')
  }
}

/** Throws where a library computes something else than we do: then its time would say nothing. */
function agree({ name, divisor }: Computation, got: Computed, expected: Computed, points: number): void {
  const toSample = divisor === 'n' ? Math.sqrt(points / (points - 1)) : 1
  const near = (value: number, wanted: number) => Math.abs(value - wanted) <= AGREEMENT * Math.abs(wanted)
  const full = expected.deviations.length - points + 1
  for (let back = 1; back <= full; back += 1) {
    const value = (got.deviations[got.deviations.length - back] ?? NaN) * toSample
    const wanted = expected.deviations[expected.deviations.length - back] ?? NaN
    if (!near(value, wanted))
      throw new Error(`${name}: ${value} where we have ${wanted}, ${back} points before the end.`)
  }
  if (got.average !== null && !near(got.average, expected.average ?? NaN)) {
    throw new Error(`${name} averages to ${got.average}, we to ${expected.average}.`)
  }
}
