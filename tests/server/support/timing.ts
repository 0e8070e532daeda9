import { seeded } from './seeded'

/** Durations of two kinds of requests, milliseconds, and their answers. */
export interface Sides<T> {
  readonly known: { readonly times: number[]; readonly answers: T[] }
  readonly unknown: { readonly times: number[]; readonly answers: T[] }
}

/**
 * Sends requests of two kinds in turn, each time in an order by chance, so that whatever else the machine does meets both
 * alike; the first ones are not counted.
 */
export async function interleaved<T>(
  tries: number,
  ask: { readonly known: () => Promise<T>; readonly unknown: () => Promise<T> },
  seed: number,
): Promise<Sides<T>> {
  const random = seeded(seed)
  const sides: Sides<T> = { known: { times: [], answers: [] }, unknown: { times: [], answers: [] } }
  const warmUp = Math.ceil(tries / 10)
  for (let i = -warmUp; i < tries; i++) {
    const order = random() < 0.5 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const)
    for (const side of order) {
      const start = performance.now()
      const answer = await ask[side]()
      const took = performance.now() - start
      if (i < 0) continue
      sides[side].times.push(took)
      sides[side].answers.push(answer)
    }
  }
  return sides
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
const variance = (values: readonly number[]): number => {
  const middle = mean(values)
  return values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (values.length - 1)
}

/** Welch's t of two samples: how many standard errors lie between their means. */
export const welchT = (a: readonly number[], b: readonly number[]): number =>
  (mean(a) - mean(b)) / Math.sqrt(variance(a) / a.length + variance(b) / b.length)

/** Without what is above the 90th percentile of both together: what is slow by accident hides what is slow by nature. */
export function withoutOutliers({ known, unknown }: Sides<unknown>): [number[], number[]] {
  const all = [...known.times, ...unknown.times].toSorted((a, b) => a - b)
  const most = all[Math.floor(all.length * 0.9)] ?? Infinity
  return [known.times.filter((time) => time <= most), unknown.times.filter((time) => time <= most)]
}
