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

/** Merges swings away literally: again and again the smallest of all. */
export function naiveMerge(turns: readonly Extreme[], least: number): Extreme[] {
  const kept = [...turns]
  for (;;) {
    const swings = kept.slice(1).map((extreme, i) => Math.abs(extreme.value - kept[i]!.value))
    const smallest = Math.min(...swings)
    if (!(smallest < least)) return kept
    const at = swings.indexOf(smallest)
    if (at === 0) kept.shift()
    else if (at === swings.length - 1) kept.pop()
    else kept.splice(at, 2)
  }
}
