import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { valueLabels, valueRange } from '../../src/domain/value-axis'

it('value labels have just the digits that tell neighbouring ticks apart', () => {
  expect(valueLabels([27, 27.5, 28], 0.5)).toEqual(['27.0', '27.5', '28.0'])
  expect(valueLabels([27.25, 27.5], 0.25)).toEqual(['27.25', '27.50'])
  expect(valueLabels([1000, 1500], 500)).toEqual(['1,000', '1,500'])
  expect(valueLabels([0.0312, 0.0314], 0.0002)).toEqual(['0.0312', '0.0314'])
})

it('value labels of very small and very large ticks are exponential', () => {
  expect(valueLabels([2e-8, 2.5e-8], 5e-9)).toEqual(['2.0e-8', '2.5e-8'])
  expect(valueLabels([1e7, 2e7], 1e7)).toEqual(['1e+7', '2e+7'])
})

it('value labels differ wherever their ticks differ', () => {
  const increments = fc
    .constantFrom(1, 2, 2.5, 5)
    .chain((base) => fc.integer({ min: -12, max: 9 }).map((e) => base * 10 ** e))
  fc.assert(
    fc.property(increments, fc.integer({ min: 0, max: 2000 }), (increment, first) => {
      const ticks = Array.from({ length: 6 }, (_, i) => (first + i) * increment)
      expect(new Set(valueLabels(ticks, increment)).size).toBe(6)
    }),
  )
})

const range = (min: number | null, max: number | null) => valueRange([], min, max)

it('the value range has room above and below the data, but none below zero for positive data', () => {
  expect(range(10, 20)).toEqual([9.4, 20.6])
  expect(range(0.1, 20)[0]).toBe(0)
  expect(range(-1, 1)[0]).toBeLessThan(-1)
})

it('the value range is never empty, neither for a flat line nor without data', () => {
  expect(range(5, 5)).toEqual([4.975, 5.025])
  expect(range(0, 0)).toEqual([0, 1])
  expect(range(null, null)).toEqual([0, 1])
})

const at = (...values: number[]) => values.map((value) => ({ value }))

it('the value axis takes in a reference that lies at most half a span outside the data', () => {
  expect(valueRange(at(25, 5), 10, 20)).toEqual([5 - 1.2, 25 + 1.2])
  expect(valueRange(at(25.1, 4.9), 10, 20)).toEqual([10 - 0.6, 20 + 0.6])
  expect(valueRange(at(15), 10, 20)).toEqual([10 - 0.6, 20 + 0.6])
})

it('the value axis always contains the data and gives them at least 44 % of its height', () => {
  const positive = fc.double({ min: 1e-6, max: 1e6, noNaN: true })
  fc.assert(
    fc.property(fc.array(positive), positive, positive, (values, one, other) => {
      const [min, max] = [Math.min(one, other), Math.max(one, other)]
      const [low, high] = valueRange(at(...values), min, max)
      expect(low).toBeLessThan(high)
      expect(low <= min && high >= max).toBe(true)
      if (max - min > 1e-9 * max) expect((max - min) / (high - low)).toBeGreaterThan(0.44)
    }),
  )
})

it('a reference does not widen the value axis around a flat line, which stays in the middle', () => {
  expect(valueRange(at(5.1), 5, 5)).toEqual([4.975, 5.025])
})
