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
