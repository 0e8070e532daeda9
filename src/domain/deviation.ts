/**
 * Running sample deviation (n - 1) of the last `window` values up to and including each one, in O(n) whatever the
 * window; NaN while there are fewer than two.
 *
 * Sliding sums subtract what leaves the window and keep its rounding errors for ever: one bad tick spoils all that
 * follows. Here nothing is taken out of a sum. The values are cut into blocks of `window`; every window is then the end
 * of one block and the start of the next, and the sums of both only grew:
 *
 *     block k             block k + 1
 *     . . . . t t t t t | h h h . . . . . .      t: tail, summed backwards from the block's end
 *             ^- window: t merged with h -^      h: head, summed from the block's start
 *
 * Each half sums x - pivot and (x - pivot)², its pivot being its own value at the border. As the pivot is one of the
 * half's n values, sum((x - pivot)²) is at most n times the half's squared deviations M2, so that the subtraction in
 * M2 = sum((x - pivot)²) - sum(x - pivot)² / n costs at most a factor n of precision, whatever the data. The halves are
 * merged by Chan's rule, M2 = M2t + M2h + d² nt nh / (nt + nh) with d the distance of their means: a sum of what is not
 * negative, exactly 0 for equal values.
 * Chan, Golub, LeVeque: Algorithms for computing the sample variance (The American Statistician 37, 1983).
 *
 * @param window N, at least 2
 * @param from index of the first value whose deviation is wanted; the earlier ones only fill its window
 * @returns values.length - from deviations
 */
export function runningDeviation(values: Float64Array, window: number, from = 0): Float64Array {
  const out = new Float64Array(values.length - from)
  const size = Math.min(window, values.length)
  const scratch = scratchOf(size)
  for (let start = 0; start < values.length; start += size) {
    const end = Math.min(start + size, values.length)
    if (end <= from) continue
    if (start === 0) firstBlock(values, size, from, out, scratch)
    else {
      sumTails(values, start, size, scratch)
      mergeBlock(values, start, end, from, out, scratch)
    }
  }
  return out
}

interface Scratch {
  /** 1 / n. */
  readonly inverse: Float64Array
  /** nh nt / (nh + nt) where the head has n values. */
  readonly weight: Float64Array
  /** Of the tail that completes a head of n values: its mean, as distance from the head's pivot. */
  readonly tailMean: Float64Array
  readonly tailM2: Float64Array
}

function scratchOf(size: number): Scratch {
  const inverse = new Float64Array(size + 1)
  const weight = new Float64Array(size + 1)
  for (let n = 1; n <= size; n++) {
    inverse[n] = 1 / n
    weight[n] = (n * (size - n)) / size
  }
  return { inverse, weight, tailMean: new Float64Array(size + 1), tailM2: new Float64Array(size + 1) }
}

/** Windows that are not full yet: heads alone. */
function firstBlock(values: Float64Array, size: number, from: number, out: Float64Array, { inverse }: Scratch): void {
  const pivot = values[0]!
  let sum = 0
  let squares = 0
  for (let n = 1; n <= size; n++) {
    const distance = values[n - 1]! - pivot
    sum += distance
    squares += distance * distance
    const m2 = squares - sum * sum * inverse[n]!
    if (n > from) out[n - 1 - from] = n < 2 ? NaN : Math.sqrt(m2 > 0 ? m2 * inverse[n - 1]! : 0)
  }
}

/** The tails of the block that ends at `border`, from the shortest to the longest. */
function sumTails(values: Float64Array, border: number, size: number, { inverse, tailMean, tailM2 }: Scratch): void {
  const pivot = values[border - 1]!
  const apart = pivot - values[border]!
  let sum = 0
  let squares = 0
  for (let n = 1; n < size; n++) {
    const distance = values[border - n]! - pivot
    sum += distance
    squares += distance * distance
    const mean = sum * inverse[n]!
    tailMean[size - n] = apart + mean
    tailM2[size - n] = squares - sum * mean
  }
  // A head as long as the window needs no tail.
  tailMean[size] = 0
  tailM2[size] = 0
}

/** Full windows: each head of the block from `start` with the tail that completes it. */
function mergeBlock(
  values: Float64Array,
  start: number,
  end: number,
  from: number,
  out: Float64Array,
  { inverse, weight, tailMean, tailM2 }: Scratch,
): void {
  const pivot = values[start]!
  const perDegree = 1 / (weight.length - 2)
  let sum = 0
  let squares = 0
  for (let i = start, n = 1; i < end; i++, n++) {
    const distance = values[i]! - pivot
    sum += distance
    squares += distance * distance
    const mean = sum * inverse[n]!
    const apart = mean - tailMean[n]!
    const m2 = squares - sum * mean + tailM2[n]! + apart * apart * weight[n]!
    if (i >= from) out[i - from] = Math.sqrt(m2 > 0 ? m2 * perDegree : 0)
  }
}
