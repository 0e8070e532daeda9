/**
 * Running sample deviation (n - 1) of the last `window` values up to and including each one, in O(n) whatever the
 * window, NaN while there are fewer than two.
 *
 * Sliding sums subtract what leaves the window and keep its rounding errors for ever: one bad tick spoils all that
 * follows. Here nothing is ever subtracted. The values are cut into blocks of `window`; every window is then the end
 * of one block and the start of the next, and both are sums that only grew:
 *
 *     block k            block k + 1
 *     . . . . s s s s s | p p p . . . . . .      s: sums from the block's end backwards
 *             ^- window: s merged with p -^      p: sums from the block's start
 *
 * Each half sums x - pivot and (x - pivot)², its pivot being its own value at the border. The pivot is part of the half,
 * therefore sum((x - pivot)²) is at most n times the half's own squared deviations and the subtraction in
 * M2 = sum((x - pivot)²) - sum(x - pivot)² / n loses at most a factor n of precision, whatever the data. The halves are
 * merged by Chan's rule, M2 = M2s + M2p + d² ns np / n with d the difference of their means, a sum of what is not negative;
 * equal values give exactly 0.
 * Chan, Golub, LeVeque: Algorithms for computing the sample variance (The American Statistician 37, 1983).
 *
 * @param window N >= 2
 * @param from index of the first value whose deviation is wanted; the earlier ones only fill its window
 * @returns values.length - from deviations
 */
export function runningDeviation(values: Float64Array, window: number, from = 0): Float64Array {
  const out = new Float64Array(values.length - from)
  const size = Math.min(window, values.length)
  const inverse = Float64Array.from({ length: size + 1 }, (_, n) => 1 / n)
  // Mean less pivot, and M2, of the last n values of the block before, at [n].
  const tailMean = new Float64Array(size + 1)
  const tailM2 = new Float64Array(size + 1)
  let tailPivot = 0

  for (let start = 0; start < values.length; start += size) {
    const end = Math.min(start + size, values.length)
    const pivot = values[start]!
    let sum = 0
    let squares = 0
    for (let i = start; i < end; i++) {
      const distance = values[i]! - pivot
      sum += distance
      squares += distance * distance
      if (i < from) continue
      const heads = i - start + 1
      const mean = sum * inverse[heads]!
      let m2 = squares - sum * mean
      let n = heads
      if (start > 0 && heads < size) {
        const tails = size - heads
        const apart = pivot - tailPivot + (mean - tailMean[tails]!)
        m2 += tailM2[tails]! + apart * apart * (heads * tails * inverse[size]!)
        n = size
      }
      out[i - from] = n < 2 ? NaN : Math.sqrt(m2 > 0 ? m2 * inverse[n - 1]! : 0)
    }

    tailPivot = values[end - 1]!
    sum = 0
    squares = 0
    for (let n = 1; n <= end - start; n++) {
      const distance = values[end - n]! - tailPivot
      sum += distance
      squares += distance * distance
      const mean = sum * inverse[n]!
      const m2 = squares - sum * mean
      tailMean[n] = mean
      tailM2[n] = m2 > 0 ? m2 : 0
    }
  }
  return out
}
