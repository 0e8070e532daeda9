import { expect, it } from 'vitest'
import { listenToKeys, touchZoom, wheelZoom } from '../../../src/features/chart/plot/zoom'
import type uPlot from 'uplot'
import { fakePlot } from './fake-plot'

type Place = [x: number, y: number]

/** A plot of 1,001 points, a pixel and a millisecond apart. */
function plotWith(plugin?: uPlot.Plugin) {
  const over = document.createElement('div')
  Object.defineProperty(over, 'clientWidth', { value: 1000 })
  over.setPointerCapture = () => undefined
  const { u, view } = fakePlot({ count: 1001, step: 1 }, over)
  const ready = plugin?.hooks.ready
  if (typeof ready === 'function') ready(u)
  const pointer = (type: string, pointerId: number, x: number, y: number, pointerType = 'touch') => {
    const event = new PointerEvent(type, { pointerId, pointerType, clientX: x, clientY: y, cancelable: true })
    over.dispatchEvent(event)
    return event
  }
  // happy-dom's own wheel knows neither place nor keys.
  const wheel = (deltaY: number, ctrlKey = false) =>
    over.dispatchEvent(Object.assign(new WheelEvent('wheel', { deltaY, cancelable: true }), { ctrlKey, clientX: 500 }))
  return { u, view, over, pointer, wheel, width: () => view.max - view.min }
}

it.each([
  ['side by side', [450, 200], [550, 200], [400, 200], [600, 200]],
  ['one above the other', [500, 100], [502, 200], [498, 50], [503, 250]],
] as [string, Place, Place, Place, Place][])(
  'two fingers %s that double their distance halve the time window of the plot',
  (_name, from, to, fromThen, toThen) => {
    const { pointer, width } = plotWith(touchZoom())
    pointer('pointerdown', 1, ...from)
    pointer('pointerdown', 2, ...to)
    pointer('pointermove', 1, ...fromThen)
    pointer('pointermove', 2, ...toThen)
    expect(width()).toBeGreaterThan(490)
    expect(width()).toBeLessThan(510)
  },
)

it('a touch on the plot keeps its mouse events, and a pen loses them, which would select and zoom', () => {
  const { pointer } = plotWith(touchZoom())
  expect(pointer('pointerdown', 1, 500, 200, 'touch').defaultPrevented).toBe(false)
  expect(pointer('pointerdown', 2, 500, 200, 'pen').defaultPrevented).toBe(true)
  expect(pointer('pointerdown', 3, 500, 200, 'mouse').defaultPrevented).toBe(false)
})

it('a wheel notch narrows the view of the plot by a fifth, and a notch with Ctrl by no more', () => {
  const plain = plotWith(wheelZoom())
  plain.wheel(-120)
  expect(plain.width()).toBeCloseTo(806, 0)
  const held = plotWith(wheelZoom())
  held.wheel(-120, true)
  expect(held.width()).toBeCloseTo(835, 0)
})

it('a pinch on a touchpad, which sends small wheel steps with Ctrl, zooms the plot far in and back out', () => {
  const { wheel, width } = plotWith(wheelZoom())
  for (let i = 0; i < 20; i += 1) wheel(-5, true)
  expect(width()).toBeLessThan(300)
  for (let i = 0; i < 20; i += 1) wheel(5, true)
  expect(width()).toBeCloseTo(1000, 6)
})

it('an arrow key starts at the newest point inside the view of the plot and leaves the view where it is', () => {
  const { u, over, view } = plotWith()
  const at: number[] = []
  Object.assign(u, {
    series: [{}, {}],
    data: [u.data[0], u.data[0]],
    setCursor: ({ left }: { left: number }) => at.push(u.posToVal(left, 'x')),
  })
  Object.assign(view, { min: 200, max: 400.4 })
  listenToKeys(over, u)
  over.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowLeft', cancelable: true }))
  expect(at.map(Math.round)).toEqual([400])
  Object.assign(view, { min: 200, max: 400.6 })
  over.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowLeft', cancelable: true }))
  expect(at.map(Math.round)).toEqual([400, 400])
  expect(view).toEqual({ min: 200, max: 400.6 })
})
