import type uPlot from 'uplot'
import { panWindow, zoomWindow, fullWindow, leastWidth, showAll, showWindow, visibleWindow } from './zoom'

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
  /** The last of the columns is the ratio. */
  const ratios = () => u.data[u.data.length - 1] ?? []

  const pointAt = (index: number) => {
    const time = u.data[0]?.[index]
    if (time === undefined) return
    const window = visibleWindow(u)
    const off = Math.min(0, time - window.min) + Math.max(0, time - window.max)
    if (off !== 0) u.batch(() => showWindow(u, panWindow(window, fullWindow(u), off)))
    const value = ratios()[index]
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
