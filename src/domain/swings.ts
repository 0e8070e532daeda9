/** A turn of a series: the largest or the smallest value of its surroundings. */
export interface Extreme {
  readonly index: number
  readonly value: number
  readonly kind: 'peak' | 'trough'
}

/** Makes peaks and troughs take turns: of several of one kind in a row the most extreme stays, of equals the first. */
export function takingTurns(found: readonly Extreme[]): Extreme[] {
  const kept: Extreme[] = []
  for (const extreme of found) {
    const last = kept.at(-1)
    if (last?.kind !== extreme.kind) kept.push(extreme)
    else if (extreme.kind === 'peak' ? extreme.value > last.value : extreme.value < last.value) {
      kept[kept.length - 1] = extreme
    }
  }
  return kept
}

/** From trough to peak; below zero if a local peak lies lower than the trough beside it: no swing. */
const swing = (one: Extreme, other: Extreme): number =>
  one.kind === 'peak' ? one.value - other.value : other.value - one.value

/**
 * Merges away the swings (ways from one extreme to the next) that are smaller than `least`, smallest first: a swing
 * between two larger ones goes with both its ends, which leaves one longer swing; one at an end of the series goes with
 * its outer end. No queue is needed: whatever is removed, a swing stays the smallest of its surroundings, so that it
 * may go as soon as the one after it is known to be larger. O(n).
 * @param turns peaks and troughs taking turns
 */
export function withoutSmallSwings(turns: readonly Extreme[], least: number): Extreme[] {
  const kept: Extreme[] = []
  for (const extreme of turns) {
    kept.push(extreme)
    while (kept.length >= 4) {
      const [before, from, to, after] = kept.slice(-4) as [Extreme, Extreme, Extreme, Extreme]
      const size = swing(from, to)
      if (size >= least || size > swing(before, from) || size > swing(to, after)) break
      kept.splice(-3, 2)
    }
  }
  // Swings that are left under `least` grow towards the middle from either end.
  let start = 0
  let end = kept.length
  while (end - start >= 2 && swing(kept[start]!, kept[start + 1]!) < least) start++
  while (end - start >= 2 && swing(kept[end - 1]!, kept[end - 2]!) < least) end--
  return kept.slice(start, end)
}
