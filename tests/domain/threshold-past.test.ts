import { expect, test } from 'vitest'
import { DAY } from '../../src/domain/granularity'
import { pastInShort, pastOfThreshold, thresholdsOfPast } from '../../src/domain/threshold-past'

const daily = (ratios: readonly number[]) => ({
  times: Float64Array.from(ratios, (_, day) => day * DAY),
  ratios: Float64Array.from(ratios),
})
const dayOf = (time: number) => `day ${time / DAY}`

test('the past of a threshold says how often it was reached, when last, and for how much of the time', () => {
  // The average is 2.46, the mean of the logarithms; at or above 5 from day 1 to 2 and from day 5 to 7.
  const swing = daily([1, 5, 3, 1, 1, 5, 6, 2, 3, 3])
  expect(pastOfThreshold(swing, 'high', 5, dayOf)).toBe(
    'Reached 2 times in 9 days; back at the average after 2.0 days (median), last on day 5. Beyond it 33\u00A0% of the time.',
  )
  expect(pastInShort(swing, 'high', 5)).toBe('reached 2 times in 9 days')
})

test('the past of a threshold that the ratio is beyond now says that this time is under way', () => {
  expect(pastOfThreshold(daily([1, 1, 1, 9]), 'high', 5, dayOf)).toBe(
    'Reached once in 3 days; not back at the average since, last on day 3, which is under way.',
  )
})

test.each([
  ['high', 9, 'Not reached in 3 days; the highest was 4.0000.'],
  ['low', 0.5, 'Not reached in 3 days; the lowest was 1.0000.'],
] as const)('the past of a %s threshold that was never reached names the furthest ratio', (side, threshold, words) => {
  expect(pastOfThreshold(daily([2, 4, 1, 3]), side, threshold, dayOf)).toBe(words)
  expect(pastInShort(daily([2, 4, 1, 3]), side, threshold)).toBe('not reached in 3 days')
})

test('the past of a threshold that the ratio was beyond from the beginning does not call it reached', () => {
  expect(pastOfThreshold(daily([4, 4, 4, 4]), 'high', 3, dayOf)).toBe(
    'Beyond it as the 3 days began, and not reached from the other side since. Beyond it all the time.',
  )
})

test('the past of a threshold is not told from less than a day', () => {
  expect(pastOfThreshold(daily([2]), 'high', 1, dayOf)).toBeNull()
  expect(pastOfThreshold(daily([]), 'high', 1, dayOf)).toBeNull()
})

// ln 2 either way: the deviation of 40 such points is ln 2 · √(40 / 39).
const even = daily(Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? 2 : 8)))

test('the past proposes its outer twentieth and two deviations, with the digits that are set', () => {
  const twoDeviations = 4 * Math.exp(2 * Math.LN2 * Math.sqrt(40 / 39))
  expect(thresholdsOfPast(even, 'high')).toEqual([
    { name: 'p95', value: 8, words: '8.000' },
    { name: '+2σ', value: Number(twoDeviations.toPrecision(4)), words: twoDeviations.toPrecision(4) },
  ])
  expect(thresholdsOfPast(even, 'low').map(({ name }) => name)).toEqual(['p5', '−2σ'])
  expect(thresholdsOfPast(even, 'low')[1]!.value).toBeCloseTo(16 / twoDeviations, 3)
})

test('the past of a pegged pair proposes its outer twentieth alone: deviations mislead there', () => {
  const peg = daily(Array.from({ length: 90 }, (_, day) => 1 + 0.005 * Math.sin(day)))
  expect(thresholdsOfPast(peg, 'high').map(({ name }) => name)).toEqual(['p95'])
  expect(thresholdsOfPast(peg, 'low').map(({ name }) => name)).toEqual(['p5'])
})

test('fewer than 20 points propose no thresholds', () => {
  expect(thresholdsOfPast(daily([2, 8, 2, 8]), 'high')).toEqual([])
})
