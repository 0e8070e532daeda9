import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  ALERT_FRESHNESS,
  ALERT_SIDES,
  type Armed,
  checkAlerts,
  isFreshForAlerts,
  type Thresholds,
} from '../../src/domain/alerts'
import { alertNotification, alertSentence, neutralNotification } from '../../src/domain/alert-notification'
import { MINUTE } from '../../src/domain/granularity'
import type { OwnerId, WidgetId } from '../../src/domain/ids'

const BOTH: Armed = { high: true, low: true }
const NONE: Armed = { high: false, low: false }
const between: Thresholds = { high: 2, low: 1 }

test.each([
  [2.1, BOTH, ['high'], { high: false, low: true }],
  [0.9, BOTH, ['low'], { high: true, low: false }],
  [1.5, BOTH, [], BOTH],
  [2.1, { high: false, low: true }, [], { high: false, low: true }],
  [1.5, NONE, [], BOTH],
  [0.9, NONE, [], { high: true, low: false }],
] as const)('a ratio of %d with the armed flags %o fires %j and leaves the flags %o', (ratio, armed, fired, after) => {
  expect(checkAlerts(ratio, between, armed)).toEqual({ fired, armed: after })
})

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

const AT = new Date(2026, 0, 15, 10, 42).getTime()
const data = { event_id: 'w:high:3', owner: 'me' as OwnerId, widget_id: 'w' as WidgetId }
const sell = { ...data, pair: 'BTC / ETH', side: 'high' as const, ratio: 21.5, threshold: 21.42, at: AT }
const buy = { ...sell, side: 'low' as const, ratio: 0, threshold: 0.0000000123 }
const alertTitle = (alert: Parameters<typeof alertNotification>[0]) => alertNotification(alert, AT).title
const alertBody = (...alert: Parameters<typeof alertNotification>) => alertNotification(...alert).options.body

test('the texts of an alert name its pair, direction, ratio, threshold and time', () => {
  expect(alertTitle(sell)).toBe('Sell alert: BTC / ETH')
  expect(alertTitle(buy)).toBe('Buy alert: BTC / ETH')
  expect(alertBody(sell, AT)).toBe('Ratio 21.5000 is above 21.4200. 10:42')
  expect(alertBody(buy, AT)).toBe('Ratio 0.00 is below 1.2300e-8. 10:42')
  expect(alertSentence(sell)).toBe('Sell alert: BTC / ETH. Ratio 21.5000 is above 21.4200.')
})

test('the texts of an alert whose ratio is back say that it was beyond the threshold, and when it came back', () => {
  const back = { ...sell, back_at: AT + 83 * MINUTE }
  expect(alertSentence(back)).toBe('Sell alert: BTC / ETH. Ratio 21.5000 was above 21.4200, back at 12:05.')
  expect(alertBody(back, AT)).toBe('Ratio 21.5000 was above 21.4200, back at 12:05. 10:42')
})

test('a second line of the alert body says which coin moved since the checkpoint, where that is known', () => {
  const moved = alertBody({ ...sell, since_checkpoint: { a: 0.08, b: -0.01 } }, AT)
  expect(moved.replaceAll('\u00A0', ' ')).toBe(
    'Ratio 21.5000 is above 21.4200. 10:42\nSince checkpoint +9.1 %, mostly BTC: +8.0 %, ETH −1.0 %',
  )
  expect(alertBody({ ...sell, since_checkpoint: { a: 0.08, b: -1 } }, AT)).toMatch(/10:42$/)
})

test('the alert body gives the age of a crossing more than two minutes old, and none when the clock is behind', () => {
  expect(alertBody(sell, AT + 2 * MINUTE)).toMatch(/10:42$/)
  expect(alertBody(sell, AT + 2 * MINUTE + 1)).toBe('Ratio 21.5000 is above 21.4200. 10:42, 2 min ago')
  expect(alertBody(sell, AT + 59 * MINUTE)).toMatch(/10:42, 59 min ago$/)
  expect(alertBody(sell, AT - 60 * MINUTE)).toMatch(/10:42$/)
})

test('alert title and body fit a lock screen: 40 and 120 characters at most', () => {
  const longest = { ...sell, pair: `${'A'.repeat(30)} / ${'B'.repeat(30)}`, ratio: 9_999_999.99, threshold: 1e-300 }
  expect(alertTitle(longest)).toBe(`Sell alert: ${'A'.repeat(27)}…`)
  expect(alertTitle({ ...sell, pair: `${'A'.repeat(13)} / ${'B'.repeat(12)}` })).toHaveLength(40)
  expect(alertTitle({ ...sell, pair: `${'A'.repeat(13)} / ${'B'.repeat(12)}` })).toMatch(/B$/)
  expect(alertBody({ ...longest, back_at: AT }, AT + 59 * MINUTE).length).toBeLessThanOrEqual(120)
})

test('an alert notification has the crossing’s id as its tag, and the actions "Open chart" and "Re-arm later"', () => {
  const { title, options } = alertNotification(sell, AT)
  expect(title).toBe('Sell alert: BTC / ETH')
  expect(options).toMatchObject({ tag: 'w:high:3', timestamp: AT, data })
  expect(options.actions.map((one) => one.title)).toEqual(['Open chart', 'Re-arm later'])
})

test('an alert notification either renotifies or is silent, never both', () => {
  expect(alertNotification(sell, AT).options).toMatchObject({ silent: false, renotify: true })
  expect(alertNotification(sell, AT, true).options).toMatchObject({ silent: true, renotify: false })
})

test('the neutral notification contains no pair, no number, no data and no actions', () => {
  const { title, options } = neutralNotification('w:high:3', AT)
  expect(title).toBe('A ratio alert fired')
  expect(options).toMatchObject({ tag: 'w:high:3', data: null, actions: [] })
  expect(JSON.stringify([title, options.body])).not.toMatch(/BTC|\d/)
})
