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
function leastWidth(u: uPlot): number {
  const full = fullWindow(u)
  const count = u.data[0]?.length ?? 0
  return count < 2 ? 0 : ((full.max - full.min) / (count - 1)) * MIN_POINTS
}

export const isPlotZoomed = (u: uPlot): boolean => isZoomed(visibleWindow(u), fullWindow(u))

function showWindow(u: uPlot, window: Window): void {
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

/** Zoom by one pixel of wheel travel; a notch of 100 px changes the width by a fifth. */
const PER_PIXEL = 0.0018
/** A pinch on a touchpad comes as a wheel with Ctrl, and in small steps; a wheel's notch with Ctrl stays one. */
const PINCH = 8
const NOTCH = 100
const WHEEL_LINE = 16
const WHEEL_PAGE = 400

const pixels = (delta: number, mode: number): number =>
  delta * (mode === WheelEvent.DOM_DELTA_LINE ? WHEEL_LINE : mode === WheelEvent.DOM_DELTA_PAGE ? WHEEL_PAGE : 1)

/** The wheel zooms about the pointer; sideways, or with Shift, it pans. Zooming out of the whole scrolls the page. */
export function wheelZoom(): uPlot.Plugin {
  const onWheel = (u: uPlot, event: WheelEvent) => {
    const across = pixels(event.deltaX, event.deltaMode)
    const along = pixels(event.deltaY, event.deltaMode)
    const zoomed = isPlotZoomed(u)
    const window = visibleWindow(u)
    const full = fullWindow(u)
    if (event.shiftKey || Math.abs(across) > Math.abs(along)) {
      if (!zoomed) return
      event.preventDefault()
      const travel = event.shiftKey && across === 0 ? along : across
      showWindow(u, panWindow(window, full, (travel / u.over.clientWidth) * (window.max - window.min)))
      return
    }
    if (along === 0 || (along > 0 && !zoomed)) return
    event.preventDefault()
    const at = u.posToVal(event.clientX - u.over.getBoundingClientRect().left, 'x')
    const travel = event.ctrlKey ? Math.max(-NOTCH, Math.min(NOTCH, along * PINCH)) : along
    showWindow(u, zoomWindow(window, full, at, Math.exp(travel * PER_PIXEL), leastWidth(u)))
  }
  const ready = (u: uPlot) => u.over.addEventListener('wheel', (event) => onWheel(u, event), { passive: false })
  return { hooks: { ready } }
}

interface Finger {
  readonly id: number
  /** CSS pixels from the plot's left and top edge. */
  readonly x: number
  readonly y: number
}

type Gesture =
  | { readonly kind: 'none' }
  /** One finger on the whole chart moves the crosshair. */
  | { readonly kind: 'read' }
  /** One finger on a zoomed chart pushes it along. */
  | { readonly kind: 'pan'; readonly from: Finger; readonly window: Window }
  | { readonly kind: 'pinch'; readonly from: readonly [Finger, Finger]; readonly window: Window }

const DOUBLE_TAP_MS = 300
const DOUBLE_TAP_PX = 24
const TAP_PX = 8

// In both directions: by the sideways distance alone, a tremble of fingers one above the other would zoom tenfold.
const spread = ([a, b]: readonly [Finger, Finger]): number => Math.max(1, distance(a, b))
const middle = ([a, b]: readonly [Finger, Finger]): number => (a.x + b.x) / 2

/**
 * Fingers: two pinch, one pans a zoomed chart and reads an unzoomed one, a double tap shows everything again. Up and
 * down stay the page's (`touch-action: pan-y` on the plot).
 */
export const touchZoom = (): uPlot.Plugin => ({ hooks: { ready: listen } })

/** The gesture that begins when so many fingers lie on the plot. */
function gestureOf(u: uPlot, [first, second]: readonly Finger[]): Gesture {
  if (first === undefined) return { kind: 'none' }
  const window = visibleWindow(u)
  if (second !== undefined) return { kind: 'pinch', from: [first, second], window }
  return isPlotZoomed(u) ? { kind: 'pan', from: first, window } : { kind: 'read' }
}

function follow(u: uPlot, gesture: Gesture, now: Finger, [first, second]: readonly Finger[]): void {
  const perPixel = (window: Window): number => (window.max - window.min) / Math.max(1, u.over.clientWidth)
  switch (gesture.kind) {
    case 'none':
      return
    case 'read':
      u.setCursor({ left: now.x, top: now.y })
      return
    case 'pan':
      showWindow(u, panWindow(gesture.window, fullWindow(u), (gesture.from.x - now.x) * perPixel(gesture.window)))
      return
    case 'pinch': {
      if (first === undefined || second === undefined) return
      const { from, window } = gesture
      const at = window.min + middle(from) * perPixel(window)
      const factor = spread(from) / spread([first, second])
      const zoomed = zoomWindow(window, fullWindow(u), at, factor, leastWidth(u))
      showWindow(u, panWindow(zoomed, fullWindow(u), (middle(from) - middle([first, second])) * perPixel(zoomed)))
    }
  }
}

function listen(u: uPlot): void {
  const fingers = new Map<number, Finger>()
  let gesture: Gesture = { kind: 'none' }
  let down: Finger | null = null
  let tap: { readonly at: number; readonly finger: Finger } | null = null

  const fingerOf = (event: PointerEvent): Finger => {
    const rect = u.over.getBoundingClientRect()
    return { id: event.pointerId, x: event.clientX - rect.left, y: event.clientY - rect.top }
  }
  const begin = () => {
    gesture = gestureOf(u, [...fingers.values()])
  }
  const isTouch = (event: PointerEvent) => event.pointerType !== 'mouse'
  u.over.addEventListener('pointerdown', (event) => {
    if (!isTouch(event)) return
    // A pen is a mouse to uPlot, too, which would zoom to where it was drawn along.
    if (event.pointerType === 'pen') event.preventDefault()
    down = fingerOf(event)
    fingers.set(event.pointerId, down)
    u.over.setPointerCapture(event.pointerId)
    begin()
  })
  u.over.addEventListener('pointermove', (event) => {
    if (!fingers.has(event.pointerId)) return
    const now = fingerOf(event)
    fingers.set(event.pointerId, now)
    follow(u, gesture, now, [...fingers.values()])
  })
  const lift = (event: PointerEvent) => {
    if (fingers.delete(event.pointerId)) begin()
  }
  u.over.addEventListener('pointercancel', lift)
  u.over.addEventListener('pointerup', (event) => {
    const now = fingerOf(event)
    const still = fingers.size === 1 && down !== null && distance(down, now) < TAP_PX
    lift(event)
    if (!isTouch(event) || !still) return
    const twice = tap !== null && event.timeStamp - tap.at < DOUBLE_TAP_MS && distance(tap.finger, now) < DOUBLE_TAP_PX
    if (twice) showAll(u)
    tap = twice ? null : { at: event.timeStamp, finger: now }
  })
}

const distance = (a: Finger, b: Finger): number => Math.hypot(a.x - b.x, a.y - b.y)
