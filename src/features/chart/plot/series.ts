import uPlot from 'uplot'
import { isLineShown, LINES, type LineId } from '../lines'
import type { PlotModel } from './model'
import { mergeIntervals } from '../../../domain/plot-columns'
import type { Palette } from './palette'
import { type PixelScale, pixelOf, thinLine } from '../../../domain/thin-line'

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
