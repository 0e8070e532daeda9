import { expect, test } from 'vitest'
import { cannotPay, deviationThresholds } from '../../src/domain/deviation-thresholds'
const around = { mean: Math.log(25), deviation: 0.05 }

test('thresholds are proposed two deviations of the logarithm above and below the average, in four digits', () => {
  expect(deviationThresholds(around, 25)).toEqual({
    high: { threshold: 27.63, armed: true },
    low: { threshold: 22.62, armed: true },
  })
})

test('a proposed threshold that the ratio is beyond begins disarmed', () => {
  expect(deviationThresholds(around, 28)?.high.armed).toBe(false)
  expect(deviationThresholds(around, 22)?.low.armed).toBe(false)
})

test('without an average, and where both thresholds would be the same or cannot be stored, none are proposed', () => {
  expect(deviationThresholds({ mean: null, deviation: null }, 25)).toBeNull()
  expect(deviationThresholds({ mean: 0, deviation: 0 }, 1)).toBeNull()
  expect(deviationThresholds({ mean: 69, deviation: 1 }, 1)).toBeNull()
})

test('a swap at two deviations and back cannot pay up to the deviation at which both costs eat it', () => {
  const atCost = -Math.log(1 - 0.003)
  expect([0.001, atCost, 0.0031].map((deviation) => cannotPay(deviation, 0.003))).toEqual([true, true, false])
  expect(Math.exp(2 * atCost) * (1 - 0.003) ** 2).toBeCloseTo(1, 14)
})
