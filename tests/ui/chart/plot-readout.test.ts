import { describe, expect, test } from 'vitest'
import { readoutPlace } from '../../../src/features/chart/plot/readout'

const DESK = { width: 1000, height: 500 }
const BOX = { width: 150, height: 60 }

describe('place of the values beside the crosshair', () => {
  test.each([
    ['in the left half, right of the point', 200, 216],
    ['in the right half, left of the point', 800, 634],
  ])('the box of values stands at the top and, %s', (_where, x, left) => {
    expect(readoutPlace(DESK, BOX, [{ x, y: 30 }], x)).toEqual({ left, top: 0 })
  })

  test.each([
    ['right', 430, 500],
    ['left', 570, 500],
    ['right', 300, 370],
    ['left', 700, 630],
  ])(
    'the box of values covers neither the crosshair nor a point up to 70 px to its %s, as a zoomed chart has it',
    (_side, x, cursor) => {
      const { left } = readoutPlace(DESK, BOX, [{ x, y: 30 }], cursor)
      for (const at of [x, cursor]) expect(at < left || at > left + BOX.width).toBe(true)
    },
  )

  test('the box of values goes to the bottom if it would cover the point on a narrow plot', () => {
    const phone = { width: 300, height: 400 }
    const wide = { width: 250, height: 60 }
    expect(readoutPlace(phone, wide, [{ x: 150, y: 40 }], 150)).toEqual({ left: 0, top: 340 })
    expect(readoutPlace(phone, wide, [{ x: 150, y: 380 }], 150)).toEqual({ left: 0, top: 0 })
  })
})
