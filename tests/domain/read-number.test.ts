import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatRatio } from '../../src/domain/format-number'
import { writeNumber, readNumber } from '../../src/domain/read-number'

/** The shown ratio of each column of the table, and the number behind it. */
const SHOWN = ['94,006.78', '1,234.50', '29.3321', '0.035670', '5.2257e-11']
const RATIOS = [94_006.78, 1234.5, 29.3321, 0.035_67, 5.2257e-11]

/** A written form and what it is beside each shown ratio: a number, "a or b" where the user is asked, "-" for none. */
const FORMS = String.raw`
  90,000       | 90000             | 90000             | 90 or 90000       | 90 or 90000       | 90 or 90000
  90.000       | 90 or 90000       | 90 or 90000       | 90                | 90                | 90
  1,234        | 1234              | 1234              | 1.234 or 1234     | 1.234 or 1234     | 1.234 or 1234
  1.234        | 1.234 or 1234     | 1.234 or 1234     | 1.234             | 1.234             | 1.234
  999,999      | 999999            | 999999            | 999.999 or 999999 | 999.999 or 999999 | 999.999 or 999999
  30.125       | 30.125 or 30125   | 30.125 or 30125   | 30.125            | 30.125            | 30.125
  1,5          | 1.5               | 1.5               | 1.5               | 1.5               | 1.5
  1.5          | 1.5               | 1.5               | 1.5               | 1.5               | 1.5
  1,50         | 1.5               | 1.5               | 1.5               | 1.5               | 1.5
  0,5          | 0.5               | 0.5               | 0.5               | 0.5               | 0.5
  ,5           | 0.5               | 0.5               | 0.5               | 0.5               | 0.5
  .5           | 0.5               | 0.5               | 0.5               | 0.5               | 0.5
  5.           | 5                 | 5                 | 5                 | 5                 | 5
  5,           | 5                 | 5                 | 5                 | 5                 | 5
  90000        | 90000             | 90000             | 90000             | 90000             | 90000
  90000.5      | 90000.5           | 90000.5           | 90000.5           | 90000.5           | 90000.5
  90000,5      | 90000.5           | 90000.5           | 90000.5           | 90000.5           | 90000.5
  90,0         | 90                | 90                | 90                | 90                | 90
  90,00        | 90                | 90                | 90                | 90                | 90
  90,0000      | 90                | 90                | 90                | 90                | 90
  90.00        | 90                | 90                | 90                | 90                | 90
  90.0000      | 90                | 90                | 90                | 90                | 90
  90,000.00    | 90000             | 90000             | 90000             | 90000             | 90000
  90.000,00    | 90000             | 90000             | 90000             | 90000             | 90000
  94,006.78    | 94006.78          | 94006.78          | 94006.78          | 94006.78          | 94006.78
  94.006,78    | 94006.78          | 94006.78          | 94006.78          | 94006.78          | 94006.78
  94 006.78    | 94006.78          | 94006.78          | 94006.78          | 94006.78          | 94006.78
  94 006,78    | 94006.78          | 94006.78          | 94006.78          | 94006.78          | 94006.78
  94'006.78    | 94006.78          | 94006.78          | 94006.78          | 94006.78          | 94006.78
  94’006,78    | 94006.78          | 94006.78          | 94006.78          | 94006.78          | 94006.78
  94\u202F006,78 | 94006.78          | 94006.78          | 94006.78          | 94006.78          | 94006.78
  1,234,567    | 1234567           | 1234567           | 1234567           | 1234567           | 1234567
  1.234.567    | 1234567           | 1234567           | 1234567           | 1234567           | 1234567
  1 234 567    | 1234567           | 1234567           | 1234567           | 1234567           | 1234567
  1,234.       | 1234              | 1234              | 1234              | 1234              | 1234
  1.234,       | 1234              | 1234              | 1234              | 1234              | 1234
  1,234.567    | 1234.567          | 1234.567          | 1234.567          | 1234.567          | 1234.567
  1.234,567    | 1234.567          | 1234.567          | 1234.567          | 1234.567          | 1234.567
  1234.567     | 1234.567          | 1234.567          | 1234.567          | 1234.567          | 1234.567
  1234,567     | 1234.567          | 1234.567          | 1234.567          | 1234.567          | 1234.567
  0.035        | 0.035             | 0.035             | 0.035             | 0.035             | 0.035
  0,035        | 0.035             | 0.035             | 0.035             | 0.035             | 0.035
  0.03567      | 0.03567           | 0.03567           | 0.03567           | 0.03567           | 0.03567
  0,00001      | 0.00001           | 0.00001           | 0.00001           | 0.00001           | 0.00001
  0.000        | 0                 | 0                 | 0                 | 0                 | 0
  0            | 0                 | 0                 | 0                 | 0                 | 0
  -1           | -1                | -1                | -1                | -1                | -1
  +2           | 2                 | 2                 | 2                 | 2                 | 2
  1e-7         | 1e-7              | 1e-7              | 1e-7              | 1e-7              | 1e-7
  1E-7         | 1e-7              | 1e-7              | 1e-7              | 1e-7              | 1e-7
  1,5e-7       | 1.5e-7            | 1.5e-7            | 1.5e-7            | 1.5e-7            | 1.5e-7
  5.2257e-11   | 5.2257e-11        | 5.2257e-11        | 5.2257e-11        | 5.2257e-11        | 5.2257e-11
  1e5          | 100000            | 100000            | 100000            | 100000            | 100000
  1.234e5      | 123400            | 123400            | 123400            | 123400            | 123400
               | -                 | -                 | -                 | -                 | -
  abc          | -                 | -                 | -                 | -                 | -
  1.2.3        | -                 | -                 | -                 | -                 | -
  1,2,3        | -                 | -                 | -                 | -                 | -
  90,00,000    | -                 | -                 | -                 | -                 | -
  12 34        | -                 | -                 | -                 | -                 | -
  1e           | -                 | -                 | -                 | -                 | -
  1e999        | -                 | -                 | -                 | -                 | -
  90k          | -                 | -                 | -                 | -                 | -
  0,123.4      | -                 | -                 | -                 | -                 | -
`

const cells = FORMS.trim()
  .split('\n')
  .flatMap((row) => {
    const [form = '', ...expected] = row.split(' | ').map((cell) => cell.trim())
    return expected.map((cell, column) => ({ form: form.replace(String.raw`\u202F`, '\u202F'), column, cell }))
  })

const written = (text: string, ratio: number | null): string => {
  const reading = readNumber(text, ratio)
  if (reading.kind === 'none') return '-'
  return reading.kind === 'one' ? String(reading.value) : reading.values.join(' or ')
}

test('the table of written numbers has at least 60 forms beside five shown ratios', () => {
  expect(RATIOS.map(formatRatio)).toEqual(SHOWN)
  expect(new Set(cells.map(({ form }) => form)).size).toBeGreaterThanOrEqual(60)
  expect(cells.length).toBe(new Set(cells.map(({ form }) => form)).size * SHOWN.length)
})

test.each(SHOWN.map((shown, column) => ({ shown, column })))(
  'each written number is read, or asked about, as the table says beside the ratio $shown',
  ({ column }) => {
    const ratio = RATIOS[column]!
    const mine = cells.filter((cell) => cell.column === column)
    const read = mine.map(({ form }) => [form, written(form, ratio)])
    expect(read).toEqual(mine.map(({ form, cell }) => [form, cell]))
  },
)

test('a separator before three digits is asked about while the ratio is not known', () => {
  expect(written('90,000', null)).toBe('90 or 90000')
  expect(written('90.000', null)).toBe('90 or 90000')
  expect(written('0.500', null)).toBe('0.5')
})

test('a separator before three digits is asked about beside a ratio that is shown as a power of ten', () => {
  expect(formatRatio(94_006_780)).toBe('9.4007e+7')
  expect(written('90,000', 94_006_780)).toBe('90 or 90000')
  expect(written('90.000', 94_006_780)).toBe('90 or 90000')
})

test('a comma before three digits groups from the first ratio that is shown with a comma', () => {
  expect(formatRatio(999.9994)).toBe('999.999')
  expect(written('1,050', 999.9994)).toBe('1.05 or 1050')
  expect(formatRatio(999.9996)).toBe('1,000.000')
  expect(written('1,050', 999.9996)).toBe('1050')
})

const positive = fc.double({ min: 1e-28, max: 1e28, noNaN: true })

test('a number as the screen writes it is never read as another number', () => {
  fc.assert(
    fc.property(positive, positive, (value, ratio) => {
      const shown = formatRatio(value)
      const meant = Number(shown.replaceAll(',', ''))
      const reading = readNumber(shown, ratio)
      if (reading.kind === 'either') expect(reading.values).toContain(meant)
      else expect(reading).toEqual({ kind: 'one', value: meant })
    }),
  )
})

test('a number that the dialog writes into its field is read as that number alone', () => {
  const three = fc.integer({ min: 1000, max: 999_999 }).map((thousandths) => thousandths / 1000)
  fc.assert(
    fc.property(fc.oneof(positive, three), fc.option(positive), (value, ratio) => {
      expect(readNumber(writeNumber(value, ratio), ratio)).toEqual({ kind: 'one', value })
    }),
  )
  expect(writeNumber(90.125, 94_006.78)).toBe('90.1250')
  expect(writeNumber(90.125, 94)).toBe('90.125')
})
