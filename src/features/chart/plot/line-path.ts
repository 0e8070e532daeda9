import uPlot from 'uplot'
import { pixelOf, thinLine, type PixelScale } from './thin-line'

/** uPlot's own flag: a band's clip is for its fill. */
const CLIPS_FILL = 1

/** The path of a column with gaps, which uPlot knows how to leave out. */
const withGaps = uPlot.paths.linear?.()

const rangeOf = (scale: uPlot.Scale | undefined) => ({ min: scale?.min ?? NaN, max: scale?.max ?? NaN })

/** Which edge of the space between two lines a line is; null: neither. */
export type BandEdge = 'upper' | 'lower' | null

/**
 * Builds a line's path: whole columns at once by thin-line.ts, where uPlot's own builder asks and answers for each point.
 * @param isBroken whether there are holes between the points
 */
export const linePath =
  (edge: BandEdge, isBroken: () => boolean): uPlot.Series.PathBuilder =>
  (u, seriesIndex, from, to) => {
    const times = u.data[0]
    const values = u.data[seriesIndex]
    if (!(times instanceof Float64Array) || !(values instanceof Float64Array) || isBroken()) {
      return withGaps?.(u, seriesIndex, from, to) ?? null
    }
    const { left, top, width, height } = u.bbox
    const time = rangeOf(u.scales['x'])
    const value = rangeOf(u.scales['y'])
    const x: PixelScale = { from: time.min, at: left, perUnit: width / (time.max - time.min) }
    const y: PixelScale = { from: value.max, at: top, perUnit: -height / (value.max - value.min) }
    const stroke = new Path2D()
    thinLine(times, values, from, to, x, y, stroke)

    /** The line, closed along a level. */
    const closedAt = (level: number): Path2D => {
      const area = new Path2D(stroke)
      area.lineTo(Math.round(pixelOf(x, times[to]!)), level)
      area.lineTo(Math.round(pixelOf(x, times[from]!)), level)
      area.closePath()
      return area
    }
    return {
      stroke,
      // uPlot fills what is below the upper line, clipped to what is above the lower.
      fill: edge === 'upper' ? closedAt(top + height) : null,
      band: edge === 'lower' ? closedAt(top) : null,
      clip: null,
      gaps: [],
      flags: CLIPS_FILL,
    }
  }
