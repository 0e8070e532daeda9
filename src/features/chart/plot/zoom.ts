import type uPlot from 'uplot'
import { clampWindow, isZoomed, type Window } from './window'

/** The narrowest view: so many of the chart's points, on average. */
const LEAST_POINTS = 8

/** All there is to see. */
export function fullWindow(u: uPlot): Window {
  const times = u.data[0] ?? []
  return { min: times[0] ?? 0, max: times[times.length - 1] ?? 0 }
}

export function visibleWindow(u: uPlot): Window {
  const { min, max } = u.scales['x'] ?? {}
  return min == null || max == null ? fullWindow(u) : { min, max }
}

/** Milliseconds. */
export function leastWidth(u: uPlot): number {
  const full = fullWindow(u)
  const count = u.data[0]?.length ?? 0
  return count < 2 ? 0 : ((full.max - full.min) / (count - 1)) * LEAST_POINTS
}

export const isPlotZoomed = (u: uPlot): boolean => isZoomed(visibleWindow(u), fullWindow(u))

export function showWindow(u: uPlot, window: Window): void {
  u.setScale('x', clampWindow(window, fullWindow(u)))
}

export const showAll = (u: uPlot): void => u.setScale('x', fullWindow(u))
