import { expect, test } from 'vitest'
import { formatSignificant, withDecimals } from '../../src/domain/format-number'

/** Numbers of all sizes that a screen shows, both signs, ties and carries included; the same at every run. */
const NUMBERS = [
  0,
  0.5,
  2.5,
  0.005,
  1.005,
  999.995,
  999_999.5,
  0.000_001,
  1_234_567.891,
  ...Array.from({ length: 2000 }, (_, index) => Math.sin(index + 1) * 10 ** ((index % 14) - 6)),
].flatMap((value) => [value, -value])

const byIntl = (options: Intl.NumberFormatOptions) => {
  const format = new Intl.NumberFormat('en-US', options)
  return (value: number) => format.format(value).replace(/^-/, '−')
}

test.for([0, 1, 2, 4, 5, 8])(
  'with %i decimals, numbers read as the browser’s own format writes them, with the minus of typography',
  (decimals) => {
    // A number holds fifteen digits; screens show fewer.
    const shown = NUMBERS.filter((value) => Math.abs(value) * 10 ** decimals < 1e14)
    for (const signDisplay of ['negative', 'exceptZero'] as const) {
      const expected = byIntl({ minimumFractionDigits: decimals, maximumFractionDigits: decimals, signDisplay })
      const write = (value: number) => withDecimals(value, decimals, signDisplay)
      expect(shown.map(write)).toEqual(shown.map(expected))
    }
  },
)

test('a number of sixteen digits that is not whole is written with its decimals, and rounded up across the point', () => {
  expect(withDecimals(1_099_308_858_140_950.25, 2)).toBe('1,099,308,858,140,950.25')
  expect(withDecimals(-1_099_308_858_140_950.875, 0)).toBe('−1,099,308,858,140,951')
  expect(withDecimals(1e21, 2)).toBe('1,000,000,000,000,000,000,000.00')
})

test.for([2, 3, 4])(
  'with %i significant digits, numbers read as the browser’s own format writes them, with the minus of typography',
  (digits) => {
    const shown = NUMBERS.filter((value) => Math.abs(value) >= 1e-6 && Math.abs(value) < 1e7)
    const expected = byIntl({
      minimumSignificantDigits: digits,
      maximumSignificantDigits: digits,
      signDisplay: 'negative',
    })
    expect(shown.map((value) => formatSignificant(value, digits))).toEqual(shown.map(expected))
  },
)
