import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type AlertSide, checkAlerts } from '../../src/domain/alerts'
import { checkThreshold, presetThreshold, startsArmed } from '../../src/domain/threshold-entry'

describe('threshold text', () => {
  test.each(['', ' ', 'abc', '1.2.3', '1e', 'NaN', 'Infinity', '1e999', '0x10', '1,2,3', '1 ratio', '--1'])(
    'the threshold text %j is refused as not numeric',
    (text) => {
      expect(checkThreshold('high', text, 1)).toEqual({ kind: 'invalid', message: 'Enter a numeric value.' })
    },
  )

  test.each([
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
  ])('the threshold text %j is read as %d', (text, value) => {
    expect(checkThreshold('low', text, 1e9)).toEqual({ kind: 'armed', value })
  })

  test('the threshold text "90,000" is 90,000 beside a ratio that is shown with grouping', () => {
    expect(checkThreshold('low', '90,000', 94_006.78)).toEqual({ kind: 'armed', value: 90_000 })
  })

  test('the threshold text "1,234" is asked about beside a ratio that is shown without grouping', () => {
    expect(checkThreshold('high', '1,234', 1.2)).toEqual({ kind: 'ambiguous', values: [1.234, 1234] })
  })

  test.each(['0', '-1', '-0', '0.000', '1e-999', '-1,234'])(
    'the threshold text %j is refused as not greater than 0',
    (text) => {
      expect(checkThreshold('high', text, 1)).toEqual({
        kind: 'invalid',
        message: 'High alert value must be greater than 0.',
      })
      expect(checkThreshold('low', text, 1)).toEqual({
        kind: 'invalid',
        message: 'Low alert value must be greater than 0.',
      })
    },
  )

  test.each(['9e-31', '2e30'])('the threshold text %j is refused as outside 1e-30 to 1e+30', (text) => {
    expect(checkThreshold('low', text, 1)).toEqual({
      kind: 'invalid',
      message: 'Enter a value between 1e-30 and 1e+30.',
    })
  })
})

describe('threshold against the current ratio', () => {
  test('a high threshold above the current ratio is armed, and so is a low threshold below', () => {
    expect(checkThreshold('high', '2.0001', 2)).toEqual({ kind: 'armed', value: 2.0001 })
    expect(checkThreshold('low', '1.9999', 2)).toEqual({ kind: 'armed', value: 1.9999 })
  })

  test.each(['2', '1'])('a high threshold of %s is saved disarmed at a current ratio of 2', (text) => {
    expect(checkThreshold('high', text, 2)).toEqual({
      kind: 'disarmed',
      value: Number(text),
      message: 'Value is not above current ratio (2.0000). Alert will be saved but not armed.',
    })
  })

  test.each(['2', '3'])('a low threshold of %s is saved disarmed at a current ratio of 2', (text) => {
    expect(checkThreshold('low', text, 2)).toEqual({
      kind: 'disarmed',
      value: Number(text),
      message: 'Value is not below current ratio (2.0000). Alert will be saved but not armed.',
    })
  })

  test('a threshold is saved disarmed when the current ratio is not known', () => {
    expect(checkThreshold('high', '3', null)).toEqual({
      kind: 'disarmed',
      value: 3,
      message: 'Current ratio is not known yet. Alert will be saved but not armed.',
    })
    expect(checkThreshold('low', '3', null).kind).toBe('disarmed')
  })
})

test('a proposed threshold is armed, 5 % away from the ratio, and has at most eight digits', () => {
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
      const armed = { high: false, low: false, [side]: startsArmed(side, threshold, ratio) }
      const thresholds = { high: null, low: null, [side]: threshold }
      expect(checkAlerts(ratio, thresholds, armed).fired).toEqual([])
    }),
  )
})
