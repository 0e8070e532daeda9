import { bandsAround } from '../../../src/domain/bands'

/** Bands so far away that the average is lost in their rounding: what lies between them is the deviation alone. */
const FAR = 2 ** 60

/** The running sample deviations from index `from` on; the earlier values only fill the windows. */
export function deviationOf(values: Float64Array, window: number, from = 0): Float64Array {
  const { upper, lower } = bandsAround(values.slice(0, from), values.slice(from), window, FAR)
  return upper.map((value, i) => (value - lower[i]!) / 2 / FAR)
}
