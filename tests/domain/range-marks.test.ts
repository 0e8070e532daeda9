import { expect, it } from 'vitest'
import { rangeMarks, scaleOf } from '../../src/domain/range-marks'
import { placed } from '../support/placed'

const NONE = { low: null, high: null }
const day = Float64Array.of(2, 1, 3)
const standing = placed({ percentile: 0.97, z: 2, extreme: 'high' })

it('a range bar spans nine tenths of 90 days, on which thresholds and checkpoint have their places', () => {
  const marks = rangeMarks(scaleOf(day, standing), 3.1, { low: 1.5, high: 2.5 }, 1.25)
  expect(marks).toEqual({
    low: 30,
    high: 70,
    checkpoint: 20,
    now: 94,
    words:
      'Now 3.1000, 5% of 90 days below 1.0000, 95% of 90 days below 3.0000, low threshold 1.5000, high threshold 2.5000, default checkpoint 1.2500',
    legend: { low: '1.0000', high: '3.0000', title: '90 days, 5 – 95%', now: 'now above' },
  })
})

it('thresholds do not move the scale of a range bar: a ratio among the outer twentieth of its days stands beyond its ends', () => {
  const near = rangeMarks(scaleOf(day, standing), 3.1, { low: 2.9, high: 3.2 }, null)
  const without = rangeMarks(scaleOf(day, standing), 3.1, NONE, null)
  expect([near.now, near.legend]).toEqual([without.now, without.legend])
  expect(rangeMarks(scaleOf(day, standing), 9, { low: 0.1, high: 8 }, null)).toMatchObject({
    low: 0,
    high: 100,
    now: 100,
  })
})

it('while 90 days are not known a range bar spans the last day, and the words say so', () => {
  const marks = rangeMarks(scaleOf(day), 1.5, { low: null, high: 4 }, null)
  expect(marks).toMatchObject({ low: null, high: 100, now: 30 })
  expect(marks.words).toBe(
    'Now 1.5000, lowest of the last day 1.0000, highest of the last day 3.0000, high threshold 4.0000',
  )
  expect(marks.legend).toEqual({ low: '1.0000', high: '3.0000', title: '24h range', now: '' })
})

it('range marks are null where neither days nor the last day are known', () => {
  expect(rangeMarks(scaleOf(undefined), null, { low: 1, high: null }, 3)).toEqual({
    low: null,
    high: null,
    checkpoint: null,
    now: null,
    words: 'Now N/A, low threshold 1.0000, default checkpoint 3.0000',
    legend: { low: '', high: '', title: '', now: '' },
  })
})
