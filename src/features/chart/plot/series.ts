import uPlot from 'uplot'
import { isLineShown, LINES, type LineId } from '../lines'
import { mergeIntervals, type PlotModel } from './model'
import type { Palette } from './palette'

/** Its place among the series; the ratio is drawn last, on top. */
export const RATIO_SERIES = LINES.length

/** CSS pixels: the dot of a point that no line reaches. */
const LONELY_SIZE = 5
/** Points stand apart when there are so many radii between them. */
const APART = 2

/** Diameter of the ratio's points, CSS pixels. */
export const pointSize = ({ rules, lonely }: PlotModel): number =>
  lonely.length > 0 ? Math.max(LONELY_SIZE, rules.pointRadius * 2) : rules.pointRadius * 2

export function plotSeries(model: () => PlotModel, palette: () => Palette): uPlot.Series[] {
  /** Nulls in a column and holes in time, as pixel intervals that are not drawn. */
  const gaps: uPlot.Series.GapsRefiner = (u, _series, from, to, nulls) => {
    const start = u.data[0]?.[from] ?? 0
    const end = u.data[0]?.[to] ?? 0
    const inside = model()
      .holes.filter(([left, right]) => right > start && left < end)
      .map(([left, right]): [number, number] => [u.valToPos(left, 'x', true), u.valToPos(right, 'x', true)])
    return inside.length === 0 ? nulls : mergeIntervals([...nulls, ...inside])
  }

  const arePointsShown = (u: uPlot, _series: number, from: number, to: number): boolean => {
    const radius = model().rules.pointRadius
    return radius > 0 && to > from && u.over.clientWidth / (to - from) >= radius * APART
  }
  const ratioPoints: uPlot.Series.Points = {
    show: arePointsShown,
    filter: (_u, _series, show) => (show ? null : model().lonely),
    width: 0,
    size: pointSize(model()),
  }

  const lines = LINES.map((line, i): uPlot.Series => ({
    scale: 'y',
    stroke: () => palette().color(line.token),
    width: line.width,
    show: isLineShown(line.id, model().view.toggles),
    gaps,
    paths: linePath(line.id, () => model().holes.length > 0),
    points: i + 1 === RATIO_SERIES ? ratioPoints : { show: false },
  }))
  return [{}, ...lines]
}

/** Dashes are counted in device pixels, and a window can move to another screen: set before each drawing. */
export function scaleDashes(u: uPlot): void {
  LINES.forEach((line, i) => {
    const drawn = u.series[i + 1]
    if (drawn !== undefined) drawn.dash = line.dash.map((length) => length * devicePixelRatio)
  })
}

/** uPlot's own flag: a band's clip is for its fill. */
const CLIPS_FILL = 1

/** The path of a column with gaps, which uPlot knows how to leave out. */
const withGaps = uPlot.paths.linear?.()

const rangeOf = (scale: uPlot.Scale | undefined) => ({ min: scale?.min ?? NaN, max: scale?.max ?? NaN })

/**
 * Builds a line's path: whole columns at once by `thinLine`, where uPlot's own builder asks and answers for each point.
 * @param isBroken whether there are holes between the points
 */
const linePath =
  (id: LineId, isBroken: () => boolean): uPlot.Series.PathBuilder =>
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
      fill: id === 'upper' ? closedAt(top + height) : null,
      band: id === 'lower' ? closedAt(top) : null,
      clip: null,
      gaps: [],
      flags: CLIPS_FILL,
    }
  }

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
