import type uPlot from 'uplot'
import { isLineShown, LINES, type LineId } from '../lines'
import { mergeIntervals } from './gaps'
import { linePath, type BandEdge } from './line-path'
import type { PlotModel } from './model'
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

const bandEdge = (id: LineId): BandEdge => (id === 'upper' || id === 'lower' ? id : null)

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
    paths: linePath(bandEdge(line.id), () => model().holes.length > 0),
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
