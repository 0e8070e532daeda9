import type uPlot from 'uplot'
import { HOUR } from '../../../domain/granularity'

/** The visible part of the time axis, milliseconds. */
export interface Window {
  readonly min: number
  readonly max: number
}

/** `window` moved, and if need be narrowed, so that it lies inside `full`. */
export function clampWindow(window: Window, full: Window): Window {
  const width = window.max - window.min
  if (width >= full.max - full.min) return full
  if (window.min < full.min) return { min: full.min, max: full.min + width }
  if (window.max > full.max) return { min: full.max - width, max: full.max }
  return window
}

/**
 * Zooms about a moment that keeps its place on the screen.
 * @param factor below 1 shows less, above 1 more
 * @param least the narrowest window, milliseconds
 */
export function zoomWindow(window: Window, full: Window, at: number, factor: number, least: number): Window {
  const width = window.max - window.min
  const next = Math.min(full.max - full.min, Math.max(Math.min(least, full.max - full.min), width * factor))
  if (width <= 0 || next <= 0) return full
  const place = (at - window.min) / width
  return clampWindow({ min: at - place * next, max: at + (1 - place) * next }, full)
}

export const panWindow = (window: Window, full: Window, by: number): Window =>
  clampWindow({ min: window.min + by, max: window.max + by }, full)

/** Shows less than everything; a thousandth is rounding. */
export const isZoomed = (window: Window, full: Window): boolean =>
  window.max - window.min < (full.max - full.min) * 0.999

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

/**
 * The point that a key leads to from point `index`; null: the key is not ours.
 * @param index null: no point is under the crosshair
 * @param last index of the newest point
 * @param visible index of the newest one that is in view, where a walk begins
 */
export function walkTo(
  key: string,
  shift: boolean,
  index: number | null,
  last: number,
  page: number,
  visible = last,
): number | null {
  const at = index ?? visible
  const stride = shift ? page : 1
  switch (key) {
    case 'ArrowLeft':
    case 'ArrowDown':
      return index === null ? at : Math.max(0, at - stride)
    case 'ArrowRight':
    case 'ArrowUp':
      return index === null ? at : Math.min(last, at + stride)
    case 'PageDown':
      return Math.max(0, at - page)
    case 'PageUp':
      return Math.min(last, at + page)
    case 'Home':
      return 0
    case 'End':
      return last
    default:
      return null
  }
}

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
