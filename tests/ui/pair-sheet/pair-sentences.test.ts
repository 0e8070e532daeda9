import { expect, test } from 'vitest'
import { pairSentences } from '../../../src/features/chart/sheet/pair-sentences'
import type { PairReport, WindowReport } from '../../../workers/api'

const excursions = (values: Partial<NonNullable<WindowReport['highs']>> = {}) => ({
  count: 7,
  cameBack: 3,
  younger: 0,
  chance: 0.442,
  medianDays: 9,
  worstMove: 0.124,
  isUnderWay: false,
  ...values,
})

const windowOf = (values: Partial<WindowReport> = {}): WindowReport => ({
  window: 90,
  days: 90,
  mean: 3,
  deviation: 0.1,
  z: 1.94,
  percentile: 0.97,
  halfLife: 6.2,
  adf: -3.4,
  legs: { a: -0.1099, b: -0.065 },
  leftOut: 0,
  verdict: 'swung',
  correlation: 0.82,
  highs: excursions(),
  lows: excursions({ count: 1, cameBack: 1, medianDays: 4, worstMove: 0.02 }),
  ...values,
})

const reportOf = (values: Partial<PairReport> = {}): PairReport => ({
  ratio: 28.06,
  isLive: true,
  pricedAt: 20_001.5 * 86_400_000,
  closesAge: null,
  lastDay: 20_000,
  commonDays: 365,
  windows: [],
  ...values,
})

const wordsOf = (window: Partial<WindowReport> = {}, report: Partial<PairReport> = {}) =>
  Object.fromEntries(
    pairSentences(reportOf(report), windowOf(window), ['ETH', 'BTC']).map(({ figure, words }) => [
      figure,
      words.replaceAll('\u00A0', ' '),
    ]),
  )

test('a pair at a high is put into words with its place, its ends, half-life, test and correlation', () => {
  expect(wordsOf()).toEqual({
    percentile: '28.0600 is higher than on 97 % of the last 90 days (+1.9σ from their average).',
    legs: 'ETH is 10.4 % below its average of 90 days, BTC 6.3 % below.',
    excursions:
      '3 of 7 highs beyond 2 deviations of 90 days came back to the rolling average within 30 days; a ratio that wanders freely does in about 3 of 7. The median took 9 days; the worst went 12.4 % further first.',
    'half-life':
      'If it comes back, half of a distance was gone after about 6 days; from 90 days this cannot be told exactly.',
    reversion:
      'In these 90 days the ratio swung around its average (a test that 1 in 20 wandering ratios passes). It has said nothing about the days after.',
    correlation: 'The coins’ daily moves have correlated by 0.82.',
  })
})

test('a pair at a low is compared downwards, and its lows are counted', () => {
  const words = wordsOf({ percentile: 0.04, z: -2.1 })
  expect(words['percentile']).toBe('28.0600 is lower than on 96 % of the last 90 days (−2.1σ from their average).')
  expect(words['excursions']).toBe(
    '1 of 1 low beyond 2 deviations of 90 days came back to the rolling average within 30 days.',
  )
})

test('a ratio beyond all days of the window is said to be, and none of 100 % is rounded to', () => {
  expect(wordsOf({ percentile: 1 })['percentile']).toContain('higher than on each of the last 90 days')
  expect(wordsOf({ percentile: 0 })['percentile']).toContain('lower than on each of the last 90 days')
  expect(wordsOf({ percentile: 0.998 })['percentile']).toContain('higher than on 99 % of')
})

test('fewer than five excursions are counted alone, and without 300 known days nothing stands beside them', () => {
  const ends = (values: Parameters<typeof excursions>[0]) => wordsOf({ highs: excursions(values) })['excursions']
  expect(ends({ count: 4 })).toBe(
    '3 of 4 highs beyond 2 deviations of 90 days came back to the rolling average within 30 days.',
  )
  expect(ends({ count: 5, chance: null, medianDays: null })).toBe(
    '3 of 5 highs beyond 2 deviations of 90 days came back to the rolling average within 30 days. The worst went 12.4 % further first.',
  )
  expect(ends({ count: 0, cameBack: 0, medianDays: null, worstMove: null })).toBe(
    'No high beyond 2 deviations of 90 days began in the year up to 30 days ago.',
  )
})

test('excursions of which it is not known yet are said apart, and one that has not ended', () => {
  const ends = (values: Parameters<typeof excursions>[0]) => wordsOf({ highs: excursions(values) })['excursions']
  expect(ends({ younger: 1, isUnderWay: true })).toMatch(/ first\. 1 is younger than 30 days\.$/)
  expect(ends({ count: 1, cameBack: 0, isUnderWay: true })).toMatch(/ within 30 days\. One has not ended\.$/)
})

test('a figure that there is none of is left out', () => {
  const words = wordsOf({ halfLife: null, verdict: null, legs: null, correlation: null, highs: null, z: null })
  expect(Object.keys(words)).toEqual(['percentile'])
  expect(words['percentile']).not.toContain('σ')
})

test('each coin is set beside its own average, so that a rise of one is not told as a swing of both', () => {
  const legs = (a: number, b: number, report: Partial<PairReport> = {}) => wordsOf({ legs: { a, b } }, report)['legs']
  expect(legs(1.3041, -0.065)).toBe('ETH is 268.4 % above its average of 90 days, BTC 6.3 % below.')
  expect(legs(0.0004, 0)).toBe('ETH is at its average of 90 days, BTC at its own.')
  expect(legs(0.01, 0.02, { isLive: false })).toBe('ETH was 1.0 % above its average of 90 days, BTC 2.0 % above.')
})

test('a pegged pair stands by its distance in per cent, and nothing of it is counted in deviations', () => {
  const words = wordsOf({ mean: 0, deviation: 0.0004, z: 2.9 }, { ratio: 1.0012 })
  expect(words['percentile']).toBe('1.0012 is higher than on 97 % of the last 90 days (+0.12 % from their average).')
  expect(words['pegged']).toBe(
    'In these 90 days the ratio hardly moved (its deviation is 0.04 %). Counted in deviations, distances that no swap pays would look large.',
  )
  expect(Object.keys(words)).toEqual(['percentile', 'legs', 'pegged', 'correlation'])
  expect(wordsOf({ deviation: 0.01, mean: 3 })['pegged']).toBeUndefined()
})

test('a test that did not tell the ratio from a wandering one is given no other meaning', () => {
  expect(wordsOf({ verdict: 'not told from wandering' })['reversion']).toBe('Not told from wandering.')
})

test('too few days are counted, with how many figures take', () => {
  const none = { mean: null, deviation: null, z: null, percentile: null }
  expect(wordsOf(none, { commonDays: 41 })).toEqual({
    closes: '41 days have a close of both coins; figures take 60.',
  })
  expect(wordsOf({ ...none, days: 12 })).toEqual({
    closes: '12 days of the last 90 have a close of both coins; figures take 20.',
  })
  expect(wordsOf(none, { commonDays: 0 })['closes']).toBe('No day has a close of both coins; figures take 60.')
})

test('the first sentence names the known days, and a window of which 85 of 90 are known counts as whole', () => {
  expect(wordsOf({ days: 62 })['percentile']).toBe(
    '28.0600 is higher than on 97 % of 62 days (+1.9σ from their average); of the last 90 no more are known.',
  )
  expect(wordsOf({ days: 62 })['legs']).toContain('its average of 62 days')
  expect(wordsOf({ days: 84 })['percentile']).toContain('of 84 days')
  expect(wordsOf({ days: 85 })['percentile']).toContain('of the last 90 days')
  expect(wordsOf({ days: 344, window: 365 })['percentile']).toContain('of 344 days')
  expect(wordsOf({ days: 345, window: 365 })['percentile']).toContain('of the last 365 days')
})

test('closes that look wrong are counted', () => {
  expect(wordsOf({ leftOut: 2 })['closes']).toBe('2 closes of these 90 days look wrong and are left out.')
  expect(wordsOf({ leftOut: 1 })['closes']).toBe('1 close of these 90 days looks wrong and is left out.')
})

test('a ratio that is not live is called the close of its UTC day, or the ratio of its time, in the past tense', () => {
  const was = '28.0600, was higher than on 97 % of the last 90 days (+1.9σ from their average).'
  expect(wordsOf({}, { isLive: false, pricedAt: null })['percentile']).toBe(`The close of Oct 4, ${was}`)
  expect(wordsOf({}, { isLive: false })['percentile']).toMatch(/^The ratio of Oct 5, \d\d:\d\d, 28\.0600, was higher/)
})

test('of closes that are too old nothing is said but their age', () => {
  expect(Object.values(wordsOf({ percentile: null }, { closesAge: 9 }))).toEqual([
    'The closes are 9 days old, too old to say where the ratio stands.',
  ])
})

test('enough days without the last close are not called too few', () => {
  const none = { mean: null, deviation: null, z: null, percentile: null }
  expect(wordsOf(none, { ratio: NaN, isLive: false })).toEqual({
    closes: 'The close of Oct 4 is missing of one of the coins.',
  })
})

test('no sentence promises or recommends anything', () => {
  const all = [wordsOf(), wordsOf({ percentile: 0.02, verdict: 'not told from wandering' })]
  expect(JSON.stringify(all)).not.toMatch(
    /\b(will|should|buy|sell|recommend|expect|trending|reverting)\b|more than chance|drawn back/i,
  )
})
