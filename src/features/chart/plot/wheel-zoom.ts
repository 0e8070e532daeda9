import type uPlot from 'uplot'
import { panWindow, zoomWindow } from './window'
import { fullWindow, isPlotZoomed, leastWidth, showWindow, visibleWindow } from './zoom'

/** How much one pixel of wheel travel zooms; a notch of 100 px changes the width by a fifth. */
const PER_PIXEL = 0.0018
/** A pinch on a touchpad comes as a wheel with Ctrl, and in small steps; a wheel's notch with Ctrl stays one. */
const PINCH = 8
const NOTCH = 100
const LINE = 16
const PAGE = 400

const pixels = (delta: number, mode: number): number =>
  delta * (mode === WheelEvent.DOM_DELTA_LINE ? LINE : mode === WheelEvent.DOM_DELTA_PAGE ? PAGE : 1)

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
  return {
    hooks: {
      ready: (u) => u.over.addEventListener('wheel', (event) => onWheel(u, event), { passive: false }),
    },
  }
}
