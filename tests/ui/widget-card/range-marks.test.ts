import { expect, it } from 'vitest'
import { rangeMarks, scaleOf } from '../../../src/features/widget-card/range-marks'

it('range marks place the ratio between the thresholds, and at the edge where the ratio is beyond', () => {
  const scale = scaleOf({ low: 1, high: 2 }, undefined)
  expect(rangeMarks(scale, 1.5, 1.25)).toEqual({
    low: 10,
    high: 90,
    checkpoint: 30,
    now: 50,
    lowSet: true,
    highSet: true,
    words: 'Now 1.5000, low threshold 1.0000, high threshold 2.0000, default checkpoint 1.2500',
  })
  expect(rangeMarks(scale, 9, null)).toMatchObject({ now: 100, checkpoint: null })
})

it('range marks fall back on the last day for a missing threshold, and the words say so', () => {
  const marks = rangeMarks(scaleOf({ low: null, high: 4 }, Float64Array.of(2, 1, 3)), 2, null)
  expect(marks).toMatchObject({ low: 10, high: 90, lowSet: false, highSet: true })
  expect(marks.words).toBe('Now 2.0000, lowest of the last day 1.0000, high threshold 4.0000')
})

it('range marks are null where neither thresholds nor the last day nor the ratio are known', () => {
  expect(rangeMarks(scaleOf({ low: null, high: null }, undefined), null, 3)).toEqual({
    low: null,
    high: null,
    checkpoint: null,
    now: null,
    lowSet: false,
    highSet: false,
    words: 'Now N/A, default checkpoint 3.0000',
  })
})
