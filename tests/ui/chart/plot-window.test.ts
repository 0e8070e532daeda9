import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { walkTo } from '../../../src/features/chart/plot/key-walk'
import { clampWindow, isZoomed, panWindow, zoomWindow } from '../../../src/features/chart/plot/window'

const FULL = { min: 0, max: 1000 }

describe('the visible window', () => {
  it('zooms about a moment that keeps its place', () => {
    expect(zoomWindow(FULL, FULL, 250, 0.5, 1)).toEqual({ min: 125, max: 625 })
    expect(zoomWindow({ min: 125, max: 625 }, FULL, 250, 2, 1)).toEqual(FULL)
  })

  it('stops at its narrowest', () => {
    expect(zoomWindow({ min: 100, max: 200 }, FULL, 150, 0.01, 50)).toEqual({ min: 125, max: 175 })
  })

  it('does not leave the data when pushed', () => {
    expect(panWindow({ min: 100, max: 200 }, FULL, -300)).toEqual({ min: 0, max: 100 })
    expect(panWindow({ min: 100, max: 200 }, FULL, 5000)).toEqual({ min: 900, max: 1000 })
    expect(clampWindow({ min: -5, max: 2000 }, FULL)).toBe(FULL)
  })

  it('stays inside and keeps its width, whatever is done', () => {
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

  it('counts as zoomed when it shows less than everything', () => {
    expect(isZoomed({ min: 0, max: 990 }, FULL)).toBe(true)
    expect(isZoomed({ min: 0, max: 999.9999 }, FULL)).toBe(false)
  })
})

describe('walking the points by key', () => {
  it('starts at the newest point', () => {
    expect(walkTo('ArrowLeft', false, null, 99, 10)).toBe(99)
    expect(walkTo('ArrowLeft', false, 99, 99, 10)).toBe(98)
  })

  it.each([
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
  ] as const)('%s (shift %s) from %i leads to %i', (key, shift, from, to) => {
    expect(walkTo(key, shift, from, 99, 10)).toBe(to)
  })

  it('leaves other keys alone', () => {
    expect(walkTo('Tab', false, 5, 99, 10)).toBeNull()
    expect(walkTo('a', false, 5, 99, 10)).toBeNull()
  })
})
