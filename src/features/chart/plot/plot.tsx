import { type Ref, useEffect, useEffectEvent, useImperativeHandle, useLayoutEffect, useMemo, useRef } from 'react'
import uPlot from 'uplot'
import { averageLabel, isLineShown, LINES } from '../lines'
import { lastValueMark, plotAxes, valueRange } from './axes'
import { beyondShade } from './beyond-shade'
import { plotModel, type PlotModel, type PlotView, withView } from './model'
import { readPalette, watchTheme } from './palette'
import styles from './plot.module.css'
import { readout, type ReadoutClasses } from './readout'
import { referenceLines } from './reference-lines'
import { swapMarks } from './swap-marks'
import { plotSeries, pointSize, RATIO_SERIES, scaleDashes } from './series'
import {
  fullWindow,
  isPlotZoomed,
  listenToKeys,
  panWindow,
  showAll,
  timeRange,
  visibleWindow,
  type Window,
} from './zoom'
import { touchZoom, wheelZoom } from './zoom-gestures'

interface PlotProps extends PlotView {
  /** The plot's name for screen readers. */
  readonly label: string
  /** Id of the element that says how the plot is used. */
  readonly describedBy: string
  /** An older chart stands in while the chosen one loads. */
  readonly dimmed: boolean
  readonly onView: (zoomed: Window | null) => void
  /** Called after every drawing; must stay the same between renders. */
  readonly onDraw?: (() => void) | undefined
  readonly ref: Ref<PlotControls>
}

const classes = {
  box: styles.readout ?? '',
  date: styles.date ?? '',
  row: styles.row ?? '',
}

/** The canvas, made once for all periods, so that switching them never flashes. */
export function Plot({
  period,
  chart,
  toggles,
  references,
  rangeReferences,
  swaps,
  label,
  describedBy,
  dimmed,
  onView,
  onDraw,
  ref,
}: PlotProps) {
  const host = useRef<HTMLDivElement>(null)
  const plot = useRef<PlotHandle>(null)
  const view = useMemo(
    () => ({ period, chart, toggles, references, rangeReferences, swaps }),
    [period, chart, toggles, references, rangeReferences, swaps],
  )
  const create = useEffectEvent((element: HTMLElement) => createPlot(element, view, { classes, onView, onDraw }))

  useEffect(() => {
    if (host.current === null) return
    const made = create(host.current)
    plot.current = made
    return () => {
      plot.current = null
      made.destroy()
    }
  }, [])

  // Before the browser paints: the chart appears in one frame with its period's figures.
  useLayoutEffect(() => plot.current?.show(view), [view])
  useImperativeHandle(
    ref,
    () => ({
      reset() {
        plot.current?.reset()
        // The pressed button goes away.
        host.current?.focus()
      },
      valueAxis: () => plot.current?.valueAxis() ?? null,
    }),
    [],
  )

  return (
    <div
      ref={host}
      className={styles.plot}
      data-dimmed={dimmed}
      // A slider over the points: plot/readout.ts sets its value to the point under the crosshair, in words.
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-describedby={describedBy}
      aria-orientation="horizontal"
      aria-valuemin={0}
      aria-valuenow={0}
    />
  )
}

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

/** The parts of a plot's handle that the screen around it uses. */
export type PlotControls = Pick<PlotHandle, 'reset' | 'valueAxis'>

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

/** Draws into `host`, follows its size and the theme, and listens to mouse, fingers, wheel and keys. */
export function createPlot(host: HTMLElement, first: PlotView, { classes, onView, onDraw }: Surroundings): PlotHandle {
  let model = plotModel(first)
  let palette = readPalette(host)
  const modelNow = () => model
  const paletteNow = () => palette
  const color = (token: string) => () => palette.color(token)

  const options: uPlot.Options = {
    width: Math.max(1, host.clientWidth),
    height: Math.max(1, host.clientHeight),
    ms: 1,
    legend: { show: false },
    padding: [12, 0, 0, 8],
    scales: {
      x: { time: false, range: timeRange },
      y: { range: (_u, min, max) => valueRange(model.view.rangeReferences ?? model.view.references, min, max) },
    },
    series: plotSeries(modelNow, paletteNow),
    bands: [{ series: [1, 2], fill: color('--chart-band-fill') }],
    axes: plotAxes(modelNow, paletteNow),
    cursor: {
      drag: { x: true, y: false, dist: 6, setScale: true },
      points: {
        size: 9,
        width: 2,
        stroke: (_u, i) => palette.color(LINES[i - 1]?.token ?? '--chart-ratio'),
        fill: color('--bg-surface'),
      },
    },
    plugins: [
      wheelZoom(),
      touchZoom(),
      beyondShade(modelNow, paletteNow),
      referenceLines(modelNow, paletteNow),
      lastValueMark(paletteNow),
      swapMarks(modelNow, paletteNow),
      readout(host, classes, () => averageLabel(model.rules.averageDays)),
    ],
    hooks: {
      setScale: [(u, key) => key === 'x' && onView(isPlotZoomed(u) ? visibleWindow(u) : null)],
      drawClear: [scaleDashes],
      draw: [() => onDraw?.()],
    },
  }
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

  const showData = (next: PlotModel, keepView: boolean) => {
    const before = fullWindow(u)
    const kept = keepView && isPlotZoomed(u) ? visibleWindow(u) : null
    model = next
    const points = u.series[RATIO_SERIES]?.points
    if (points !== undefined) points.size = pointSize(model)
    u.setData(model.data, kept === null)
    if (kept === null) return
    // A view that ends now goes on ending now.
    const after = fullWindow(u)
    const followed = kept.max >= before.max ? after.max - before.max : 0
    u.setScale('x', panWindow(kept, after, followed))
  }

  return {
    show(view) {
      const next = withView(model, view)
      const fresh = next.data !== model.data
      const moved = view.references !== model.view.references
      const swapped = view.swaps !== model.view.swaps
      const keepView = view.period === model.view.period
      u.batch(() => {
        if (fresh) showData(next, keepView)
        else model = next
        // The value axis is worked out anew with every window.
        if (moved && !fresh) u.setScale('x', visibleWindow(u))
        else if (swapped && !fresh) u.redraw(false)
        LINES.forEach(({ id }, i) => {
          const show = isLineShown(id, view.toggles)
          if (u.series[i + 1]?.show !== show) u.setSeries(i + 1, { show })
        })
      })
    },
    reset: () => showAll(u),
    valueAxis() {
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
    },
    destroy() {
      resized.disconnect()
      stopWatching()
      u.destroy()
    },
  }
}
