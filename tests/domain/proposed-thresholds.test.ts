import { expect, test } from 'vitest'
import { proposedThresholds } from '../../src/domain/proposed-thresholds'

const around = { mean: Math.log(25), deviation: 0.05 }

test('thresholds are proposed two deviations of the logarithm above and below the average, in four digits', () => {
  expect(proposedThresholds(around, 25)).toEqual({
    high: { threshold: 27.63, armed: true },
    low: { threshold: 22.62, armed: true },
  })
})

test('a proposed threshold that the ratio is beyond begins disarmed', () => {
  expect(proposedThresholds(around, 28)?.high.armed).toBe(false)
  expect(proposedThresholds(around, 22)?.low.armed).toBe(false)
})

test('without an average, and where both thresholds would be the same or cannot be stored, none are proposed', () => {
  expect(proposedThresholds({ mean: null, deviation: null }, 25)).toBeNull()
  expect(proposedThresholds({ mean: 0, deviation: 0 }, 1)).toBeNull()
  expect(proposedThresholds({ mean: 69, deviation: 1 }, 1)).toBeNull()
})
