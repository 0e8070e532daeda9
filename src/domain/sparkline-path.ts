interface SparklinePath {
  /** SVG path data of the line. */
  readonly line: string
  /** The same, closed along the lower edge. */
  readonly area: string
}

const round = (value: number): number => Math.round(value * 10) / 10

/**
 * Path of a series in a box of `width` × `height` units whose upper edge is the largest value.
 * @param times ascending, milliseconds; the box spans `from` to `to`
 * @param values as many; those that are not finite are left out
 * @returns null with fewer than two points: there is no line to draw
 */
export function sparklinePath(
  times: Float64Array,
  values: Float64Array,
  box: { readonly width: number; readonly height: number; readonly from: number; readonly to: number },
): SparklinePath | null {
  let low = Infinity
  let high = -Infinity
  let points = 0
  for (const value of values) {
    if (!Number.isFinite(value)) continue
    low = Math.min(low, value)
    high = Math.max(high, value)
    points += 1
  }
  if (points < 2 || box.to <= box.from) return null

  const perMs = box.width / (box.to - box.from)
  // A flat line runs through the middle.
  const perUnit = high > low ? box.height / (high - low) : 0
  let line = ''
  let first = 0
  let last = 0
  for (let index = 0; index < times.length; index++) {
    const value = values[index] ?? NaN
    if (!Number.isFinite(value)) continue
    last = round((times[index]! - box.from) * perMs)
    if (line === '') first = last
    line += `${line === '' ? 'M' : 'L'}${last} ${round(perUnit === 0 ? box.height / 2 : (high - value) * perUnit)}`
  }
  return { line, area: `${line}L${last} ${box.height}L${first} ${box.height}Z` }
}
