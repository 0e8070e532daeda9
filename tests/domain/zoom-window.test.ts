import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { clampWindow, isZoomed, panWindow, walkTo, zoomWindow } from '../../src/domain/zoom-window'
import { expectRows } from '../support/expect-rows'

const FULL = { min: 0, max: 1000 }

it('zooming the visible window keeps the moment that is zoomed about in its place', () => {
  expect(zoomWindow(FULL, FULL, 250, 0.5, 1)).toEqual({ min: 125, max: 625 })
  expect(zoomWindow({ min: 125, max: 625 }, FULL, 250, 2, 1)).toEqual(FULL)
})

it('zooming in stops at the narrowest visible window', () => {
  expect(zoomWindow({ min: 100, max: 200 }, FULL, 150, 0.01, 50)).toEqual({ min: 125, max: 175 })
})

it('panning and clamping keep the visible window inside the data', () => {
  expect(panWindow({ min: 100, max: 200 }, FULL, -300)).toEqual({ min: 0, max: 100 })
  expect(panWindow({ min: 100, max: 200 }, FULL, 5000)).toEqual({ min: 900, max: 1000 })
  expect(clampWindow({ min: -5, max: 2000 }, FULL)).toBe(FULL)
})

it('zooming keeps the visible window inside the data and scales its width between the narrowest and everything', () => {
  const moment = fc.double({ min: 0, max: 1000, noNaN: true })
  fc.assert(
    fc.property(moment, moment, moment, fc.double({ min: 0.01, max: 10, noNaN: true }), (a, b, at, factor) => {
      fc.pre(Math.abs(a - b) > 1)
      const window = { min: Math.min(a, b), max: Math.max(a, b) }
      const next = zoomWindow(window, FULL, at, factor, 1)
      expect(next.min).toBeGreaterThanOrEqual(-1e-9)
      expect(next.max).toBeLessThanOrEqual(1000 + 1e-9)
      expect(next.max - next.min).toBeCloseTo(Math.min(1000, Math.max(1, (window.max - window.min) * factor)), 6)
    }),
  )
})

it('the visible window counts as zoomed when less than everything shows, beyond rounding', () => {
  expect(isZoomed({ min: 0, max: 990 }, FULL)).toBe(true)
  expect(isZoomed({ min: 0, max: 999.9999 }, FULL)).toBe(false)
})

it('an arrow key without a current point starts at the newest point of the chart', () => {
  expect(walkTo('ArrowLeft', false, null, 99, 10)).toBe(99)
  expect(walkTo('ArrowLeft', false, 99, 99, 10)).toBe(98)
})

it('a key moves the chart’s crosshair by a point or a page, or to an end', () =>
  expectRows(
    (key, shift, from) => walkTo(key, shift, from, 99, 10),
    [
      ['ArrowRight', false, 50, 51],
      ['ArrowUp', false, 50, 51],
      ['ArrowDown', false, 50, 49],
      ['ArrowLeft', true, 50, 40],
      ['PageUp', false, 50, 60],
      ['PageDown', false, 50, 40],
      ['Home', false, 50, 0],
      ['End', false, 50, 99],
      ['ArrowRight', false, 99, 99],
      ['ArrowLeft', true, 5, 0],
    ],
  ))

it('arrow keys without a current point start at the newest point in view, and paging counts from that point', () => {
  expect(walkTo('ArrowLeft', false, null, 99, 10, 40)).toBe(40)
  expect(walkTo('ArrowRight', true, null, 99, 10, 40)).toBe(40)
  expect(walkTo('PageDown', false, null, 99, 10, 40)).toBe(30)
  expect(walkTo('End', false, null, 99, 10, 40)).toBe(99)
})

it('keys that do not walk the chart, such as Tab, lead to no point', () => {
  expect(walkTo('Tab', false, 5, 99, 10)).toBeNull()
  expect(walkTo('a', false, 5, 99, 10)).toBeNull()
})
