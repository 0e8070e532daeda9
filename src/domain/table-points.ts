import type { Window } from './zoom-window'

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
