import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bandAlerts } from '../../src/domain/threshold-entry'

describe('band alerts', () => {
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
  ])(
    'band alerts with the ratio %s are armed only on a side that the ratio has still to cross',
    (_where, ratio, high, low) => {
      const alerts = bandAlerts({ high: 30, low: 28 }, ratio)
      expect([alerts?.high.armed, alerts?.low.armed]).toEqual([high, low])
    },
  )

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
})
