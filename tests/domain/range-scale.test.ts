import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dayRange, placeOnRange, rangeScale } from '../../src/domain/range-scale'

const NONE = { low: null, high: null }

describe('range scale', () => {
  test('the range scale lies between the thresholds, whatever the day’s range', () => {
    expect(rangeScale({ low: 1, high: 3 }, { low: 0.5, high: 9 })).toEqual({
      low: { value: 1, from: 'threshold' },
      high: { value: 3, from: 'threshold' },
      span: { from: 1, to: 3 },
    })
  })

  test('the range scale takes the day’s low or high where a threshold is missing', () => {
    expect(rangeScale({ low: null, high: 3 }, { low: 2, high: 4 })).toEqual({
      low: { value: 2, from: 'day' },
      high: { value: 3, from: 'threshold' },
      span: { from: 2, to: 3 },
    })
    expect(rangeScale(NONE, { low: 2, high: 4 })?.span).toEqual({ from: 2, to: 4 })
  })

  test('the range scale leaves out a day’s low or high that lies beyond the threshold of the other end', () => {
    expect(rangeScale({ low: null, high: 3 }, { low: 3.5, high: 4 })).toMatchObject({ low: null, span: { to: 3 } })
    expect(rangeScale({ low: 3, high: null }, { low: 1, high: 2 })).toMatchObject({ high: null, span: { from: 3 } })
  })

  test('the range scale is null without thresholds and without ratios of the day', () => {
    expect(rangeScale(NONE, null)).toBeNull()
    expect(dayRange(new Float64Array(0))).toBeNull()
  })
})

const ratio = fc.double({ min: 1e-9, max: 1e9, noNaN: true })
const threshold = fc.option(ratio, { nil: null })

test('every ratio has a place within the range bar, and a larger ratio is never further left', () => {
  fc.assert(
    fc.property(
      fc.record({ low: threshold, high: threshold }),
      fc.array(ratio),
      ratio,
      ratio,
      (set, day, one, other) => {
        const scale = rangeScale(set, dayRange(Float64Array.from(day)))
        if (scale === null) return
        const [left, right] = [Math.min(one, other), Math.max(one, other)].map((value) => placeOnRange(scale, value))
        expect(left).toBeGreaterThanOrEqual(0)
        expect(right).toBeLessThanOrEqual(1)
        expect(left).toBeLessThanOrEqual(right!)
      },
    ),
  )
})

test('the ends of a range scale leave a tenth of the bar free on either side', () => {
  fc.assert(
    fc.property(ratio, ratio, (a, b) => {
      const scale = rangeScale({ low: Math.min(a, b), high: Math.max(a, b) }, null)!
      expect(placeOnRange(scale, scale.span.from)).toBeCloseTo(0.1, 9)
      expect(placeOnRange(scale, scale.span.to)).toBeCloseTo(0.9, 9)
    }),
  )
})
