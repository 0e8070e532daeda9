import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { type AlertSide, judge, SIDES } from '../../src/domain/alerts'
import { bandAlerts } from '../../src/domain/band-thresholds'
import { presetThreshold } from '../../src/domain/preset-thresholds'
import {
  checkThreshold,
  distanceFromNow,
  formatStored,
  isFarFromNow,
  sideMeaning,
  startsArmed,
} from '../../src/domain/threshold-entry'
import { expectRows } from '../support/expect-rows'

const answers = (side: AlertSide, texts: readonly string[], ratio: number | null = 1) =>
  texts.map((text) => checkThreshold(side, text, ratio))
const invalid = (texts: readonly string[], message: string) => texts.map(() => ({ kind: 'invalid', message }))

test('a threshold text that is no number is refused as not numeric', () => {
  const texts = ['', ' ', 'abc', '1.2.3', '1e', 'NaN', 'Infinity', '1e999', '0x10', '1,2,3', '1 ratio', '--1']
  expect(answers('high', texts)).toEqual(invalid(texts, 'Enter a numeric value.'))
})

test('a threshold text is read with a point or a comma, a sign, an exponent and grouped digits', () => {
  const read = (text: string) => {
    const answer = checkThreshold('low', text, 1e9)
    return answer.kind === 'armed' ? answer.value : answer
  }
  expectRows(read, [
    ['1.5', 1.5],
    ['1,5', 1.5],
    [' 1.5 ', 1.5],
    ['+2', 2],
    ['.5', 0.5],
    [',5', 0.5],
    ['5.', 5],
    ['5.2257e-11', 5.2257e-11],
    ['5,2E3', 5200],
    ['1,234.50', 1234.5],
    ['1.234,50', 1234.5],
    ['1,234,567', 1_234_567],
    ['1.234.567', 1_234_567],
    ['12 345', 12_345],
  ])
})

test('the threshold text "90,000" is 90,000 beside a ratio that is shown with grouping', () => {
  expect(checkThreshold('low', '90,000', 94_006.78)).toEqual({ kind: 'armed', value: 90_000 })
})

test('the threshold text "1,234" is asked about beside a ratio that is shown without grouping', () => {
  expect(checkThreshold('high', '1,234', 1.2)).toEqual({ kind: 'ambiguous', values: [1.234, 1234] })
})

test('a threshold text of zero or less is refused as not greater than 0, with the name of its side', () => {
  const texts = ['0', '-1', '-0', '0.000', '1e-999', '-1,234']
  expect(answers('high', texts)).toEqual(invalid(texts, 'High alert value must be greater than 0.'))
  expect(answers('low', texts)).toEqual(invalid(texts, 'Low alert value must be greater than 0.'))
})

test('a threshold text outside 1e-30 to 1e+30 is refused', () => {
  const texts = ['9e-31', '2e30']
  expect(answers('low', texts)).toEqual(invalid(texts, 'Enter a value between 1e-30 and 1e+30.'))
})

test('a high threshold above the current ratio is armed, and so is a low threshold below', () => {
  expect(checkThreshold('high', '2.0001', 2)).toEqual({ kind: 'armed', value: 2.0001 })
  expect(checkThreshold('low', '1.9999', 2)).toEqual({ kind: 'armed', value: 1.9999 })
})

test.each([
  ['high', 'above', ['2', '1']],
  ['low', 'below', ['2', '3']],
] as const)('a %s threshold that is not %s the current ratio is saved disarmed', (side, where, texts) => {
  const message = `Value is not ${where} current ratio (2.0000). Alert will be saved but not armed.`
  expect(answers(side, texts, 2)).toEqual(texts.map((text) => ({ kind: 'disarmed', value: Number(text), message })))
})

test('a threshold is saved disarmed when the current ratio is not known', () => {
  expect(checkThreshold('high', '3', null)).toEqual({
    kind: 'disarmed',
    value: 3,
    message: 'Current ratio is not known yet. Alert will be saved but not armed.',
  })
  expect(checkThreshold('low', '3', null).kind).toBe('disarmed')
})

test('a preset threshold is armed, 5 % away from the ratio, and has at most eight digits', () => {
  expect(presetThreshold('high', 0.033_918_123_456)).toBe(0.035_614_03)
  expect(presetThreshold('low', 5.2257e-11)).toBe(4.964_415e-11)
  expect(presetThreshold('low', 0)).toBeNull()
  fc.assert(
    fc.property(
      fc.double({ min: 1e-28, max: 1e28, noNaN: true }),
      fc.constantFrom<AlertSide>('high', 'low'),
      (ratio, side) => {
        const value = presetThreshold(side, ratio)!
        expect(value / ratio).toBeCloseTo(side === 'high' ? 1.05 : 0.95, 6)
        expect(checkThreshold(side, String(value), ratio)).toEqual({ kind: 'armed', value })
      },
    ),
  )
})

test('a threshold that starts armed does not fire at the ratio at which the threshold was set', () => {
  const positive = fc.double({ min: 1e-12, max: 1e12, noNaN: true })
  fc.assert(
    fc.property(positive, positive, fc.constantFrom<AlertSide>('high', 'low'), (threshold, ratio, side) => {
      const rule = { kind: SIDES[side].kind, level: threshold, margin: 0, holdMinutes: 0 }
      const armed = startsArmed(side, threshold, ratio)
      expect(judge(rule, ratio, { armed, dueAt: null }, 0).verdict).not.toBe('fired')
    }),
  )
})

test('a threshold is echoed with every stored digit', () =>
  expectRows(formatStored, [
    [90_000, '90,000.00'],
    [94_006.789, '94,006.789'],
    [1.5, '1.5000'],
    [2.123_456_789, '2.123456789'],
    [0.035, '0.035000'],
    [0.000_01, '0.00001000'],
    [1e-7, '1e-7'],
    [5.2257e-11, '5.2257e-11'],
    [12_345_678, '12,345,678'],
    [1e21, '1e+21'],
  ]))

test('the distance of a threshold from the ratio is said in per cent, and roughly where it is tiny or huge', () =>
  expectRows(distanceFromNow, [
    [90_000, 94_006.78, '4.3\u00A0% below now'],
    [98_707.119, 94_006.78, '5.0\u00A0% above now'],
    [94_006.78, 94_006.78, 'the same as now'],
    [2.0001, 2, 'less than 0.01\u00A0% above now'],
    [1.999, 2, '0.05\u00A0% below now'],
    [90, 94_006.78, 'more than 99.9\u00A0% below now'],
    [90_000, 29.3321, '306,731\u00A0% above now'],
    [90_000, 5.2257e-11, 'more than 1,000,000\u00A0% above now'],
  ]))

test.each([null, 0])('a distance from a ratio of %s is not said', (ratio) => {
  expect(distanceFromNow(1, ratio)).toBeNull()
  expect(isFarFromNow(1, ratio)).toBe(false)
})

test('a threshold is far from the ratio beyond 50 % on either side, and not at 50 %', () => {
  expect([0.99, 1, 3, 3.01].map((value) => isFarFromNow(value, 2))).toEqual([true, false, false, true])
})

test('a crossing of either side is said to a holder of either coin', () => {
  expect(sideMeaning('high', 'BTC', 'ETH')).toBe('High: BTC is dear against ETH: one BTC buys more ETH than usual.')
  expect(sideMeaning('low', 'BTC', 'ETH')).toBe('Low: BTC is cheap against ETH: one BTC buys less ETH than usual.')
})

test('band alerts are armed on both sides when the ratio lies between the bands', () => {
  expect(bandAlerts({ high: 30, low: 28 }, 29)).toEqual({
    high: { threshold: 30, armed: true },
    low: { threshold: 28, armed: true },
  })
})

test.each([
  ['above both', 31, false, true],
  ['below both', 27, true, false],
  ['upon the upper one', 30, false, true],
  ['upon the lower one', 28, true, false],
  ['not known', null, false, false],
])('band alerts with the ratio %s are armed on a side that it has still to cross', (_where, ratio, high, low) => {
  const alerts = bandAlerts({ high: 30, low: 28 }, ratio)
  expect([alerts?.high.armed, alerts?.low.armed]).toEqual([high, low])
})

test('band alert thresholds have at most eight digits', () => {
  const alerts = bandAlerts({ high: 30.123456789, low: 0.000000012345678901 }, 1)
  expect([alerts?.high.threshold, alerts?.low.threshold]).toEqual([30.123457, 1.2345679e-8])
})

test.each([
  ['reach 0', { high: 2, low: 0 }],
  ['reach below 0', { high: 2, low: -0.1 }],
  ['meet', { high: 2, low: 2 }],
  ['are the wrong way round', { high: 1, low: 2 }],
  ['differ by less than a threshold can tell', { high: 1.000000001, low: 1 }],
  ['are lower than any ratio', { high: 2, low: 1e-31 }],
  ['are higher than any ratio', { high: 1e31, low: 1 }],
  ['are no numbers', { high: NaN, low: 1 }],
  ['are no numbers', { high: 2, low: NaN }],
  ['have no end', { high: Infinity, low: 1 }],
])('there are no band alerts when the bands %s', (_how, bands) => {
  expect(bandAlerts(bands, 1.5)).toBeNull()
})

test('band alert thresholds are above 0 and in order for any bands', () => {
  fc.assert(
    fc.property(fc.double(), fc.double(), fc.double({ min: 0, noNaN: true }), (high, low, ratio) => {
      const alerts = bandAlerts({ high, low }, ratio)
      if (alerts === null) return
      expect(0 < alerts.low.threshold && alerts.low.threshold < alerts.high.threshold).toBe(true)
    }),
  )
})
