import type { ChartReady } from '../../../workers/api'

/** A chart of these ratios, an hour apart, ending at `end`; EMA and bands run one above and below. */
export function chartOf(ratios: readonly number[], end = Date.UTC(2026, 10, 21, 12), step = 3_600_000): ChartReady {
  const column = (of: (ratio: number) => number) => Float64Array.from(ratios, of)
  const times = Float64Array.from(ratios, (_, i) => end - (ratios.length - 1 - i) * step)
  const last = ratios.at(-1) ?? Number.NaN
  return {
    kind: 'ready',
    times,
    ratio: column((ratio) => ratio),
    ema: column((ratio) => ratio),
    upper: column((ratio) => ratio + 1),
    lower: column((ratio) => ratio - 1),
    from: times[0] ?? end,
    averagePoints: 5,
    estimatedPeriod: 3.2 * 86_400_000,
    currentBands: { high: last + 1, low: last - 1 },
    fetchedAt: end,
    basis: 'period',
    hasCloses: false,
  }
}
