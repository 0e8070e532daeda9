import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { placeLabels, readoutPlace } from '../../src/domain/label-places'

const DESK = { width: 1000, height: 500 }
const BOX = { width: 150, height: 60 }

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
])('the box of values covers neither the crosshair nor a point up to 70 px to its %s', (_side, x, cursor) => {
  const { left } = readoutPlace(DESK, BOX, [{ x, y: 30 }], cursor)
  for (const at of [x, cursor]) expect(at < left || at > left + BOX.width).toBe(true)
})

test('the box of values goes to the bottom if it would cover the point on a narrow plot', () => {
  const phone = { width: 300, height: 400 }
  const wide = { width: 250, height: 60 }
  expect(readoutPlace(phone, wide, [{ x: 150, y: 40 }], 150)).toEqual({ left: 0, top: 340 })
  expect(readoutPlace(phone, wide, [{ x: 150, y: 380 }], 150)).toEqual({ left: 0, top: 0 })
})

const place = (labels: readonly (readonly [y: number, width: number])[]) =>
  placeLabels(
    labels.map(([y, width]) => ({ y, width, right: 200 })),
    10,
    { height: 20, gap: 4 },
  )

test('reference labels stand at the left edge where they are apart', () => {
  expect(
    place([
      [100, 50],
      [120, 60],
      [60, 40],
    ]),
  ).toEqual([10, 10, 10])
})

test('a reference label that would cover earlier labels moves to their right', () => {
  expect(
    place([
      [100, 50],
      [110, 60],
      [90, 40],
    ]),
  ).toEqual([10, 64, 64])
  expect(
    place([
      [100, 50],
      [110, 60],
      [105, 40],
    ]),
  ).toEqual([10, 64, 128])
})

test('reference labels are left out where there is no room', () => {
  expect(
    place([
      [100, 100],
      [100, 80],
      [100, 10],
    ]),
  ).toEqual([10, 114, null])
  expect(place([[100, 191]])).toEqual([null])
})

test('reference labels never cover one another', () => {
  const label = fc.tuple(fc.integer({ min: 0, max: 100 }), fc.integer({ min: 5, max: 90 }))
  fc.assert(
    fc.property(fc.array(label, { maxLength: 25 }), (labels) => {
      const lefts = place(labels)
      const boxes = labels.flatMap(([y, width], i) => {
        const left = lefts[i]
        return left == null ? [] : [{ y, left, right: left + width }]
      })
      for (const a of boxes)
        for (const b of boxes)
          if (a !== b) expect(Math.abs(a.y - b.y) >= 20 || a.right < b.left || b.right < a.left).toBe(true)
    }),
  )
})
