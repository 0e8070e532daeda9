import { expect, it } from 'vitest'
import { rangeMarks, scaleOf } from '../../src/domain/range-marks'

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
    legend: { low: '1.0000', high: '2.0000', title: 'Low – high threshold', now: 'now at 50%' },
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
    legend: { low: '', high: '', title: '', now: '' },
  })
})

const day = Float64Array.of(2, 1, 3)
it.each([
  ['the last day', { low: null, high: null }, day, 1.5, ['1.0000', '24h range', 'now at 25%', '3.0000']],
  ['both thresholds', { low: 1, high: 5 }, day, 5.5, ['1.0000', 'Low – high threshold', 'now above', '5.0000']],
  [
    'a low threshold',
    { low: 1.5, high: null },
    day,
    1.4,
    ['1.5000', 'Low threshold – 24h high', 'now below', '3.0000'],
  ],
  ['a high threshold', { low: null, high: 5 }, day, 3, ['1.0000', '24h low – high threshold', 'now at 50%', '5.0000']],
  ['a lone low threshold', { low: 2, high: null }, undefined, 3, ['2.0000', 'Low threshold', '', '']],
  ['a lone high threshold', { low: null, high: 4 }, undefined, 3, ['', 'High threshold', '', '4.0000']],
  [
    'thresholds the wrong way round',
    { low: 3, high: 1 },
    undefined,
    2,
    ['3.0000', 'Low – high threshold', '', '1.0000'],
  ],
])('the legend of a range bar over %s says what the bar spans', (_of, thresholds, ratios, now, said) => {
  const { low, title, now: place, high } = rangeMarks(scaleOf(thresholds, ratios), now, null).legend
  expect([low, title, place, high]).toEqual(said)
})

it('range marks without thresholds span nine tenths of 90 days once these are known, and the words say so', () => {
  const standing = { days: 90, percentile: 0.97, z: 2, p5: 1, median: 2, p95: 3 }
  const marks = rangeMarks(scaleOf({ low: null, high: null }, Float64Array.of(2, 2.5), standing), 3.1, null)
  expect(marks).toMatchObject({ low: 10, high: 90, now: 94, lowSet: false, highSet: false })
  expect(marks.words).toBe('Now 3.1000, 5% of 90 days below 1.0000, 95% of 90 days below 3.0000')
  expect(marks.legend).toMatchObject({ title: '90 days, 5 – 95%', now: 'now above' })
  const withOne = rangeMarks(scaleOf({ low: null, high: 4 }, Float64Array.of(2, 1, 3), standing), 2, null)
  expect(withOne.words).toBe('Now 2.0000, lowest of the last day 1.0000, high threshold 4.0000')
})
