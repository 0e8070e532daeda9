import type { Extreme } from '../../../src/domain/swings'

/** Peaks and troughs by looking at every window. */
export function naiveExtremes(values: readonly number[], look: number): Extreme[] {
  const found: Extreme[] = []
  for (let i = look; i < values.length - look; i++) {
    const value = values[i]!
    const before = values.slice(i - look, i)
    const after = values.slice(i + 1, i + look + 1)
    if (before.every((other) => other < value) && after.every((other) => other <= value)) {
      found.push({ index: i, value, kind: 'peak' })
    }
    if (before.every((other) => other > value) && after.every((other) => other >= value)) {
      found.push({ index: i, value, kind: 'trough' })
    }
  }
  return found
}

const swing = (one: Extreme, other: Extreme): number => (one.value - other.value) * (one.kind === 'peak' ? 1 : -1)

/** Merges swings away literally: again and again the smallest of all, such as those of a peak below its trough. */
export function naiveMerge(turns: readonly Extreme[], least: number): Extreme[] {
  const kept = [...turns]
  for (;;) {
    const swings = kept.slice(1).map((extreme, i) => swing(extreme, kept[i]!))
    const smallest = Math.min(...swings)
    if (!(smallest < least)) return kept
    const at = swings.indexOf(smallest)
    if (at === 0) kept.shift()
    else if (at === swings.length - 1) kept.pop()
    else kept.splice(at, 2)
  }
}

const average = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

/**
 * The values without the straight line through their logarithms.
 * @param times evenly spaced unless given
 */
export function naiveLevel(
  values: readonly number[],
  times: readonly number[] = values.map((_, i) => i),
): readonly number[] {
  if (!values.every((value) => value > 0)) return values
  const logs = values.map(Math.log)
  const away = times.map((time) => time - average(times))
  const slope = average(away.map((x, i) => x * logs[i]!)) / average(away.map((x) => x * x))
  return logs.map((log, i) => Math.exp(log - average(logs) - (Number.isFinite(slope) ? slope : 0) * away[i]!))
}

/** Swings below the minimum, or below the lesser of eight deviations of the noise and a quarter of the range, are small. */
export function naiveLeast(values: readonly number[], minimumSwing: number): number {
  const differences = values
    .slice(4)
    .map((_, i) => [1, -4, 6, -4, 1].reduce((sum, weight, k) => sum + weight * values[i + k]!, 0))
  const noise =
    differences.length === 0 ? 0 : average(differences.map(Math.abs)) / Math.sqrt(70) / Math.sqrt(2 / Math.PI)
  const range = Math.max(...values) - Math.min(...values)
  return Math.max((average(values) * minimumSwing) / 100, Math.min(range / 4, 8 * noise))
}
