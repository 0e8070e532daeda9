import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  ALERT_FRESHNESS,
  ALERT_SIDES,
  type Armed,
  checkAlerts,
  isFreshForAlerts,
  type Thresholds,
} from '../../src/domain/alerts'

const BOTH: Armed = { high: true, low: true }
const NONE: Armed = { high: false, low: false }
const between: Thresholds = { high: 2, low: 1 }

describe('checkAlerts', () => {
  test.each([
    [2.1, BOTH, ['high'], { high: false, low: true }],
    [0.9, BOTH, ['low'], { high: true, low: false }],
    [1.5, BOTH, [], BOTH],
    [2.1, { high: false, low: true }, [], { high: false, low: true }],
    [1.5, NONE, [], BOTH],
    [0.9, NONE, [], { high: true, low: false }],
  ] as const)(
    'a ratio of %d with the armed flags %o fires %j and leaves the armed flags %o',
    (ratio, armed, fired, after) => {
      expect(checkAlerts(ratio, between, armed)).toEqual({ fired, armed: after })
    },
  )

  test('a ratio equal to a threshold fires nothing and arms the side again', () => {
    expect(checkAlerts(2, between, NONE)).toEqual({ fired: [], armed: BOTH })
    expect(checkAlerts(1, between, NONE)).toEqual({ fired: [], armed: BOTH })
    expect(checkAlerts(2, between, BOTH).armed).toBe(BOTH)
  })

  test('a ratio between swapped thresholds fires both sides', () => {
    expect(checkAlerts(1.5, { high: 1, low: 2 }, BOTH)).toEqual({ fired: ['high', 'low'], armed: NONE })
  })

  test.each([null, NaN, Infinity])('a ratio of %s fires nothing and leaves the armed flags alone', (ratio) => {
    expect(checkAlerts(ratio, between, NONE)).toEqual({ fired: [], armed: NONE })
  })
})

const ratio = fc.double({ min: 0, max: 1e9, noNaN: true })
const threshold = fc.option(fc.double({ min: 1e-12, max: 1e9, noNaN: true }), { nil: null })
const thresholds = fc.record({ high: threshold, low: threshold })
const armed = fc.record({ high: fc.boolean(), low: fc.boolean() })

test('checking the same ratio a second time fires nothing and leaves the armed flags alone', () => {
  fc.assert(
    fc.property(ratio, thresholds, armed, (seen, set, flags) => {
      const first = checkAlerts(seen, set, flags)
      expect(checkAlerts(seen, set, first.armed)).toEqual({ fired: [], armed: first.armed })
    }),
  )
})

test('only an armed side fires, and firing disarms that side', () => {
  fc.assert(
    fc.property(ratio, thresholds, armed, (seen, set, flags) => {
      const after = checkAlerts(seen, set, flags)
      for (const side of after.fired) {
        expect(flags[side]).toBe(true)
        expect(after.armed[side]).toBe(false)
      }
    }),
  )
})

test('checkAlerts treats the high and the low side as mirror images', () => {
  fc.assert(
    fc.property(fc.integer({ min: -50, max: 50 }), thresholds, armed, (seen, set, flags) => {
      const mirrored = checkAlerts(
        -seen,
        { high: set.low === null ? null : -set.low, low: set.high === null ? null : -set.high },
        { high: flags.low, low: flags.high },
      )
      const straight = checkAlerts(seen, set, flags)
      expect(mirrored.armed).toEqual({ high: straight.armed.low, low: straight.armed.high })
      expect(mirrored.fired.toSorted()).toEqual(
        straight.fired.map((side) => (side === 'high' ? 'low' : 'high')).toSorted(),
      )
    }),
  )
})

test('along any path of ratios a side fires as often as the ratio moves beyond its threshold', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 1 }), (path) => {
      const set: Thresholds = { high: 20, low: 10 }
      let flags = BOTH
      const counted = { high: 0, low: 0 }
      for (const seen of path) {
        const after = checkAlerts(seen, set, flags)
        for (const side of after.fired) counted[side]++
        flags = after.armed
      }
      const leaves = (beyond: (seen: number) => boolean) =>
        path.filter((seen, index) => beyond(seen) && !(index > 0 && beyond(path[index - 1]!))).length
      expect(counted).toEqual({ high: leaves((seen) => seen > 20), low: leaves((seen) => seen < 10) })
    }),
  )
})

test('a side without a threshold neither fires nor changes its armed flag', () => {
  fc.assert(
    fc.property(ratio, armed, (seen, flags) => {
      const after = checkAlerts(seen, { high: null, low: null }, flags)
      expect(after).toEqual({ fired: [], armed: flags })
      for (const side of ALERT_SIDES) expect(after.armed[side]).toBe(flags[side])
    }),
  )
})

test('a price may make alerts while its time is at most ten minutes old or ten minutes ahead', () => {
  expect(ALERT_FRESHNESS).toBe(600_000)
  for (const sign of [1, -1]) {
    expect(isFreshForAlerts(1e12 - sign * 600_000, 1e12)).toBe(true)
    expect(isFreshForAlerts(1e12 - sign * 600_001, 1e12)).toBe(false)
  }
})
