/** Maps values to the canvas: `from` stands at `at`, each unit more `perUnit` device pixels further. */
export interface PixelScale {
  readonly from: number
  readonly at: number
  readonly perUnit: number
}

export const pixelOf = ({ from, at, perUnit }: PixelScale, value: number): number => at + (value - from) * perUnit

/** Takes a line's vertices; a Path2D is one. */
interface LineSink {
  lineTo(x: number, y: number): void
}

/** Device pixels. Points of one column that are closer than this are merged; a dropped point lies at most this far from the drawn line. */
const TOLERANCE = 0.35

/**
 * Draws a column as a line of as few vertices as look the same, in one pass: of the points in one column of pixels the
 * first, the lowest, the highest and the last; and of those that a straight line passes within the tolerance its ends
 * (the line from the last vertex has to hit a cone that each point between narrows). Averages and bands keep a tenth of
 * their points, and a dashed line costs by the vertex. Vertices are whole pixels, which keeps lines crisp.
 * @param from first index, `to` last one, inclusive; the values between are finite and the times ascend
 */
export function thinLine(
  times: ArrayLike<number>,
  values: ArrayLike<number>,
  from: number,
  to: number,
  x: PixelScale,
  y: PixelScale,
  sink: LineSink,
): void {
  /** The last vertex, and how steep the next line may be. */
  let anchorX = NaN
  let anchorY = NaN
  let least = -Infinity
  let most = Infinity
  /** The last point that the line from the anchor reaches, not a vertex yet. */
  let reachedX = NaN
  let reachedY = NaN

  const fix = (atX: number, atY: number) => {
    sink.lineTo(atX, Math.round(atY))
    anchorX = reachedX = atX
    anchorY = reachedY = atY
    least = -Infinity
    most = Infinity
  }
  const follow = (atX: number, atY: number) => {
    const slope = (atY - anchorY) / (atX - anchorX)
    if (!(slope >= least && slope <= most)) fix(reachedX, reachedY)
    const run = atX - anchorX
    least = Math.max(least, (atY - TOLERANCE - anchorY) / run)
    most = Math.min(most, (atY + TOLERANCE - anchorY) / run)
    reachedX = atX
    reachedY = atY
  }

  for (let i = from; i <= to;) {
    const column = Math.round(pixelOf(x, times[i]!))
    const first = pixelOf(y, values[i]!)
    let [top, bottom, last] = [first, first, first]
    for (i += 1; i <= to && Math.round(pixelOf(x, times[i]!)) === column; i += 1) {
      last = pixelOf(y, values[i]!)
      top = Math.min(top, last)
      bottom = Math.max(bottom, last)
    }
    if (Number.isNaN(anchorX)) fix(column, first)
    else follow(column, first)
    if (bottom - top <= TOLERANCE) continue
    if (reachedX !== anchorX || reachedY !== anchorY) fix(reachedX, reachedY)
    for (const level of [top, bottom]) if (level !== first && level !== last) fix(column, level)
    fix(column, last)
  }
  if (reachedX !== anchorX || reachedY !== anchorY) fix(reachedX, reachedY)
}
