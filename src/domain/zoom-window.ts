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

/**
 * Indices of the visible points, evenly thinned where there are too many; the newest is always among them.
 * @param times milliseconds, ascending
 * @param window null: all of them
 * @param most how many at most, at least 1
 */
export function tablePoints(times: Float64Array, window: Window | null, most: number) {
  const { min, max } = window ?? { min: -Infinity, max: Infinity }
  const first = times.findIndex((time) => time >= min)
  const last = times.findLastIndex((time) => time <= max)
  const visible = first === -1 ? 0 : Math.max(0, last - first + 1)
  const stride = Math.max(1, Math.ceil(visible / most))
  const count = Math.ceil(visible / stride)
  // Counted back from the newest.
  const indices = Array.from({ length: count }, (_, i) => last - (count - 1 - i) * stride)
  return { indices, visible }
}
