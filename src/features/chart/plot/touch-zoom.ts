import type uPlot from 'uplot'
import { panWindow, zoomWindow, type Window } from './window'
import { fullWindow, isPlotZoomed, leastWidth, showAll, showWindow, visibleWindow } from './zoom'

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

// Whichever way the fingers lie: sideways alone, those one above the other would zoom tenfold by a tremble.
const spread = ([a, b]: readonly [Finger, Finger]): number => Math.max(1, distance(a, b))
const middle = ([a, b]: readonly [Finger, Finger]): number => (a.x + b.x) / 2

/**
 * Fingers: two pinch, one pans a zoomed chart and reads an unzoomed one, a double tap shows everything again. Up and
 * down stay the page's (`touch-action: pan-y` on the plot).
 */
export function touchZoom(): uPlot.Plugin {
  return {
    hooks: {
      ready: (u) => listen(u),
    },
  }
}

function listen(u: uPlot): void {
  const fingers = new Map<number, Finger>()
  let gesture: Gesture = { kind: 'none' }
  let down: Finger | null = null
  let tap: { readonly at: number; readonly finger: Finger } | null = null

  const finger = (event: PointerEvent): Finger => {
    const rect = u.over.getBoundingClientRect()
    return { id: event.pointerId, x: event.clientX - rect.left, y: event.clientY - rect.top }
  }
  const begin = () => {
    const [first, second] = [...fingers.values()]
    const window = visibleWindow(u)
    if (first === undefined) gesture = { kind: 'none' }
    else if (second !== undefined) gesture = { kind: 'pinch', from: [first, second], window }
    else gesture = isPlotZoomed(u) ? { kind: 'pan', from: first, window } : { kind: 'read' }
  }
  const perPixel = (window: Window): number => (window.max - window.min) / Math.max(1, u.over.clientWidth)

  const move = (now: Finger) => {
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
        const [first, second] = [...fingers.values()]
        if (first === undefined || second === undefined) return
        const { from, window } = gesture
        const at = window.min + middle(from) * perPixel(window)
        const factor = spread(from) / spread([first, second])
        const zoomed = zoomWindow(window, fullWindow(u), at, factor, leastWidth(u))
        showWindow(u, panWindow(zoomed, fullWindow(u), (middle(from) - middle([first, second])) * perPixel(zoomed)))
      }
    }
  }

  const isTouch = (event: PointerEvent) => event.pointerType !== 'mouse'
  u.over.addEventListener('pointerdown', (event) => {
    if (!isTouch(event)) return
    // A pen is a mouse to uPlot, too, which would zoom to where it was drawn along.
    if (event.pointerType === 'pen') event.preventDefault()
    down = finger(event)
    fingers.set(event.pointerId, down)
    u.over.setPointerCapture(event.pointerId)
    begin()
  })
  u.over.addEventListener('pointermove', (event) => {
    if (!fingers.has(event.pointerId)) return
    const now = finger(event)
    fingers.set(event.pointerId, now)
    move(now)
  })
  const lift = (event: PointerEvent) => {
    if (!fingers.delete(event.pointerId)) return
    begin()
  }
  u.over.addEventListener('pointercancel', lift)
  u.over.addEventListener('pointerup', (event) => {
    const still = fingers.size === 1 && down !== null && distance(down, finger(event)) < TAP_PX
    lift(event)
    if (!isTouch(event) || !still) return
    const now = finger(event)
    const twice = tap !== null && event.timeStamp - tap.at < DOUBLE_TAP_MS && distance(tap.finger, now) < DOUBLE_TAP_PX
    if (twice) showAll(u)
    tap = twice ? null : { at: event.timeStamp, finger: now }
  })
}

const distance = (a: Finger, b: Finger): number => Math.hypot(a.x - b.x, a.y - b.y)
