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

/** The time axis shows what is asked for, whoever asks, down to the narrowest view; a single point stands in the middle. */
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
