import uPlot from 'uplot'
import { panWindow, type Window } from '../../../domain/zoom-window'
import { valueRange } from '../../../domain/value-axis'
import { averageLabel, isLineShown, LINES } from '../lines'
import { lastValueMark, plotAxes } from './axes'
import { beyondShade, referenceLines, swapMarks } from './marks'
import { plotModel, type PlotModel, type PlotView, withView } from './model'
import { watchTheme } from '../../../ui/watch-theme'
import { type Palette, readPalette } from './palette'
import { readout, type ReadoutClasses } from './readout'
import { plotSeries, pointSize, RATIO_SERIES, scaleDashes } from './series'
import { fullWindow, isPlotZoomed, listenToKeys, showAll, timeRange, visibleWindow, touchZoom, wheelZoom } from './zoom'

/** The plot's value axis in CSS pixels from the plot's own upper left corner. */
interface ValueAxis {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
  /** The height at which a ratio stands, beyond the plot too, and the ratio at a height. */
  readonly toPixels: (ratio: number) => number
  readonly toRatio: (pixels: number) => number
}

export interface PlotHandle {
  show(view: PlotView): void
  /** Null while nothing has been drawn. */
  valueAxis(): ValueAxis | null
  /** Undoes every zoom. */
  reset(): void
  destroy(): void
}

interface Surroundings {
  readonly classes: ReadoutClasses
  /** Gets the visible part of the time axis with every frame of a zoom; null: all of it. */
  readonly onView: (zoomed: Window | null) => void
  readonly onDraw?: (() => void) | undefined
}

/** The model and the palette of a plot as they are now: what draws asks for them with every frame. */
interface PlotSources {
  readonly model: () => PlotModel
  readonly palette: () => Palette
}

function plotScales(model: () => PlotModel): uPlot.Scales {
  const references = () => model().view.rangeReferences ?? model().view.references
  return {
    x: { time: false, range: timeRange },
    y: { range: (_u, min, max) => valueRange(references(), min, max) },
  }
}

const plotCursor = (palette: () => Palette): uPlot.Cursor => ({
  drag: { x: true, y: false, dist: 6, setScale: true },
  points: {
    size: 9,
    width: 2,
    stroke: (_u, i) => palette().color(LINES[i - 1]?.token ?? '--chart-ratio'),
    fill: () => palette().color('--bg-surface'),
  },
})

const plotPlugins = (
  host: HTMLElement,
  classes: ReadoutClasses,
  { model, palette }: PlotSources,
): readonly uPlot.Plugin[] => [
  wheelZoom(),
  touchZoom(),
  beyondShade(model, palette),
  referenceLines(model, palette),
  lastValueMark(palette),
  swapMarks(model, palette),
  readout(host, classes, () => averageLabel(model().rules.averageDays)),
]

function plotOptions(host: HTMLElement, sources: PlotSources, around: Surroundings): uPlot.Options {
  const { model, palette } = sources
  return {
    width: Math.max(1, host.clientWidth),
    height: Math.max(1, host.clientHeight),
    ms: 1,
    legend: { show: false },
    padding: [12, 0, 0, 8],
    scales: plotScales(model),
    series: plotSeries(model, palette),
    bands: [{ series: [1, 2], fill: () => palette().color('--chart-band-fill') }],
    axes: plotAxes(model, palette),
    cursor: plotCursor(palette),
    plugins: [...plotPlugins(host, around.classes, sources)],
    hooks: {
      setScale: [(u, key) => key === 'x' && around.onView(isPlotZoomed(u) ? visibleWindow(u) : null)],
      drawClear: [scaleDashes],
      draw: [() => around.onDraw?.()],
    },
  }
}

/** Gives the plot new columns. @param keepView a zoomed plot stays where it is; one that ended now goes on ending now */
function setPlotData(u: uPlot, model: PlotModel, keepView: boolean): void {
  const before = fullWindow(u)
  const kept = keepView && isPlotZoomed(u) ? visibleWindow(u) : null
  const points = u.series[RATIO_SERIES]?.points
  if (points !== undefined) points.size = pointSize(model)
  u.setData(model.data, kept === null)
  if (kept === null) return
  const after = fullWindow(u)
  const followed = kept.max >= before.max ? after.max - before.max : 0
  u.setScale('x', panWindow(kept, after, followed))
}

function valueAxisOf(u: uPlot): ValueAxis | null {
  if (u.scales['y']?.min == null) return null
  const { offsetLeft: left, offsetTop: top, clientWidth, clientHeight } = u.over
  return {
    left,
    right: left + clientWidth,
    top,
    bottom: top + clientHeight,
    toPixels: (ratio) => top + u.valToPos(ratio, 'y'),
    toRatio: (pixels) => u.posToVal(pixels - top, 'y'),
  }
}

/** Draws into `host`, follows its size and the theme, and listens to mouse, fingers, wheel and keys. */
export function createPlot(host: HTMLElement, first: PlotView, around: Surroundings): PlotHandle {
  let model = plotModel(first)
  let palette = readPalette(host)
  const options = plotOptions(host, { model: () => model, palette: () => palette }, around)
  const u = new uPlot(options, model.data, host)
  listenToKeys(host, u)

  const resized = new ResizeObserver(() => {
    const { clientWidth: width, clientHeight: height } = host
    if (width > 0 && height > 0 && (width !== u.width || height !== u.height)) u.setSize({ width, height })
  })
  resized.observe(host)
  const stopWatching = watchTheme(() => {
    palette = readPalette(host)
    u.redraw(false, true)
  })

  return {
    show(view) {
      const before = model
      u.batch(() => {
        model = withView(before, view)
        const isFresh = model.data !== before.data
        if (isFresh) setPlotData(u, model, view.period === before.view.period)
        // The value axis is worked out anew with every window.
        else if (view.references !== before.view.references) u.setScale('x', visibleWindow(u))
        else if (view.swaps !== before.view.swaps) u.redraw(false)
        LINES.forEach(({ id }, i) => {
          const show = isLineShown(id, view.toggles)
          if (u.series[i + 1]?.show !== show) u.setSeries(i + 1, { show })
        })
      })
    },
    reset: () => showAll(u),
    valueAxis: () => valueAxisOf(u),
    destroy() {
      resized.disconnect()
      stopWatching()
      u.destroy()
    },
  }
}
