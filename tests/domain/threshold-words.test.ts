import { describe, expect, test } from 'vitest'
import { distanceFromNow, formatStored, isFarFromNow, sideMeaning } from '../../src/domain/threshold-entry'

test.each([
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
])('a threshold of %d is echoed with every stored digit as %s', (value, text) => {
  expect(formatStored(value)).toBe(text)
})

describe('distance of a threshold from the current ratio', () => {
  test.each([
    [90_000, 94_006.78, '4.3\u00A0% below now'],
    [98_707.119, 94_006.78, '5.0\u00A0% above now'],
    [94_006.78, 94_006.78, 'the same as now'],
    [2.0001, 2, 'less than 0.01\u00A0% above now'],
    [1.999, 2, '0.05\u00A0% below now'],
    [90, 94_006.78, 'more than 99.9\u00A0% below now'],
    [90_000, 29.3321, '306,731\u00A0% above now'],
    [90_000, 5.2257e-11, 'more than 1,000,000\u00A0% above now'],
  ])('%d at a ratio of %d is %s', (value, ratio, words) => {
    expect(distanceFromNow(value, ratio)).toBe(words)
  })

  test.each([null, 0])('a distance from a ratio of %s is not said', (ratio) => {
    expect(distanceFromNow(1, ratio)).toBeNull()
    expect(isFarFromNow(1, ratio)).toBe(false)
  })

  test('a threshold is far from the ratio beyond 50 % on either side, and not at 50 %', () => {
    expect([0.99, 1, 3, 3.01].map((value) => isFarFromNow(value, 2))).toEqual([true, false, false, true])
  })
})

test('a crossing of either side is said to a holder of either coin', () => {
  expect(sideMeaning('high', 'BTC', 'ETH')).toBe('High: BTC is dear against ETH, the moment to sell BTC for ETH.')
  expect(sideMeaning('low', 'BTC', 'ETH')).toBe('Low: BTC is cheap against ETH, the moment to buy BTC with ETH.')
})
