import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { MAX_MARGIN } from '../../src/domain/alerts'
import { proposedMargin } from '../../src/domain/proposed-margin'

/** Closes whose every day moves by so much, up and down in turn. */
const moving = (move: number, days = 91) =>
  Array.from({ length: days }, (_, day) => (day % 2 === 0 ? 1 : Math.exp(move)))

test.each([
  [0.000_02, 0.0001],
  [0.0028, 0.0007],
  [0.013, 0.003],
  [0.02, 0.005],
  [0.05, 0.015],
  [6, MAX_MARGIN],
])('a pair that moves by %d a day is proposed a margin of %d', (move, margin) => {
  expect(proposedMargin(moving(move))).toBe(margin)
})

test('a proposed margin is that of the median move of the last 90 days that are known, whatever lies before them', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 0.5, max: 2, noNaN: true }), { maxLength: 30 }),
      fc.array(fc.nat({ max: 88 }), { maxLength: 20 }),
      (before, gaps) => {
        const closes = [...before, ...moving(0.03)]
        // A close that is not known takes two moves with it: at least 50 of 90 are left.
        for (const gap of gaps) closes[before.length + 1 + gap] = NaN
        expect(proposedMargin(closes)).toBe(0.008)
      },
    ),
  )
})

test('no margin is proposed from fewer than twenty moves, nor for a ratio that does not move', () => {
  expect(proposedMargin(moving(0.03, 20))).toBeNull()
  expect(proposedMargin(moving(0.03, 21))).toBe(0.008)
  expect(proposedMargin(moving(0))).toBeNull()
})
