import type uPlot from 'uplot'
import { HOUR } from '../../../domain/granularity'
import { type Window, clampWindow, zoomWindow, panWindow, isZoomed, walkTo } from '../../../domain/zoom-window'

/** The narrowest view: so many of the chart's points, on average. */
const MIN_POINTS = 8

/** Around a point that has no neighbour, milliseconds on either side. */
const ALONE = HOUR / 2

/** All there is to see. */
export function fullWindow(u: uPlot): Window {
  const times = u.data[0] ?? []
  const min = times[0] ?? 0
  const max = times[times.length - 1] ?? 0
  return min === max ? { min: min - ALONE, max: max + ALONE } : { min, max }
}

/** A view is too narrow when it is so by more than rounding. */
const ROUNDING = 0.999

/** The range of the time axis: the requested one, down to the narrowest view; a single point stands in the middle. */
export function timeRange(u: uPlot, min: number | null, max: number | null): [number, number] {
  const full = fullWindow(u)
  if ((u.data[0]?.length ?? 0) < 2 || min === null || max === null) return [full.min, full.max]
  const least = leastWidth(u)
  if (max - min >= least * ROUNDING) return [min, max]
  const widened = zoomWindow({ min, max }, full, (min + max) / 2, 1, least)
  return [widened.min, widened.max]
}

export function visibleWindow(u: uPlot): Window {
  const { min, max } = u.scales['x'] ?? {}
  return min == null || max == null ? fullWindow(u) : { min, max }
}

/** Milliseconds. */
export function leastWidth(u: uPlot): number {
  const full = fullWindow(u)
  const count = u.data[0]?.length ?? 0
  return count < 2 ? 0 : ((full.max - full.min) / (count - 1)) * MIN_POINTS
}

export const isPlotZoomed = (u: uPlot): boolean => isZoomed(visibleWindow(u), fullWindow(u))

export function showWindow(u: uPlot, window: Window): void {
  u.setScale('x', clampWindow(window, fullWindow(u)))
}

export const showAll = (u: uPlot): void => u.setScale('x', fullWindow(u))

/** A page is this share of the visible points. */
const PAGE = 0.1
const ZOOM = 0.7

/** Arrow keys walk the points of the focused plot, + and - zoom about the point, 0 shows everything. */
export function listenToKeys(host: HTMLElement, u: uPlot): void {
  const pointAt = (index: number) => {
    const time = u.data[0]?.[index]
    if (time === undefined) return
    const window = visibleWindow(u)
    const off = Math.min(0, time - window.min) + Math.max(0, time - window.max)
    if (off !== 0) u.batch(() => showWindow(u, panWindow(window, fullWindow(u), off)))
    // The last column is the ratio.
    const value = u.data.at(-1)?.[index]
    const top = value == null ? u.over.clientHeight / 2 : u.valToPos(value, u.series[u.series.length - 1]?.scale ?? 'y')
    u.setCursor({ left: u.valToPos(time, 'x'), top })
  }
  const zoom = (factor: number) => {
    const window = visibleWindow(u)
    const time = u.cursor.idx == null ? undefined : u.data[0]?.[u.cursor.idx]
    const at = time ?? (window.min + window.max) / 2
    showWindow(u, zoomWindow(window, fullWindow(u), at, factor, leastWidth(u)))
    if (u.cursor.idx != null) pointAt(u.cursor.idx)
  }

  host.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const last = (u.data[0]?.length ?? 0) - 1
    if (last < 0) return
    const window = visibleWindow(u)
    const closest = u.valToIdx(window.max)
    const newest = (u.data[0]?.[closest] ?? 0) > window.max ? Math.max(0, closest - 1) : closest
    const page = Math.ceil(Math.max(1, closest - u.valToIdx(window.min)) * PAGE)
    const next = walkTo(event.key, event.shiftKey, u.cursor.idx ?? null, last, page, newest)
    if (next !== null) pointAt(next)
    else if (event.key === '+' || event.key === '=') zoom(ZOOM)
    else if (event.key === '-') zoom(1 / ZOOM)
    else if (event.key === '0') showAll(u)
    else return
    event.preventDefault()
  })
  host.addEventListener('blur', () => u.setCursor({ left: -10, top: -10 }))
}
