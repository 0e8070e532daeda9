import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  ALERT_FRESHNESS,
  ALERT_SIDES,
  type AlertRule,
  type Armed,
  isFreshForAlerts,
  judge,
  type RuleState,
  SIDES,
  type Thresholds,
} from '../../src/domain/alerts'
import { alertNotification, alertSentence, neutralNotification } from '../../src/domain/alert-notification'
import { MINUTE } from '../../src/domain/granularity'
import type { OwnerId, WidgetId } from '../../src/domain/ids'

const BOTH: Armed = { high: true, low: true }
const NONE: Armed = { high: false, low: false }
const between: Thresholds = { high: 2, low: 1 }

/** `judge` for both thresholds of a widget, without margin and hold. */
function judgeSides(ratio: number | null, thresholds: Thresholds, armed: Armed) {
  const judged = ALERT_SIDES.flatMap((side) => {
    const level = thresholds[side]
    if (level === null) return []
    const rule = { kind: SIDES[side].kind, level, margin: 0, holdMinutes: 0 }
    return [{ side, ...judge(rule, ratio, { armed: armed[side], dueAt: null }, 0) }]
  })
  const flags = Object.fromEntries(judged.map(({ side, state }) => [side, state.armed]))
  return {
    fired: judged.filter(({ verdict }) => verdict === 'fired').map(({ side }) => side),
    armed: { ...armed, ...flags } as Armed,
  }
}

test.each([
  [2.1, BOTH, ['high'], { high: false, low: true }],
  [0.9, BOTH, ['low'], { high: true, low: false }],
  [1.5, BOTH, [], BOTH],
  [2.1, { high: false, low: true }, [], { high: false, low: true }],
  [1.5, NONE, [], BOTH],
  [0.9, NONE, [], { high: true, low: false }],
] as const)('a ratio of %d with the armed flags %o fires %j and leaves the flags %o', (ratio, armed, fired, after) => {
  expect(judgeSides(ratio, between, armed)).toEqual({ fired, armed: after })
})

test('a ratio equal to a threshold fires nothing and arms the side again', () => {
  expect(judgeSides(2, between, NONE)).toEqual({ fired: [], armed: BOTH })
  expect(judgeSides(1, between, NONE)).toEqual({ fired: [], armed: BOTH })
})

test('a ratio between swapped thresholds fires both sides', () => {
  expect(judgeSides(1.5, { high: 1, low: 2 }, BOTH)).toEqual({ fired: ['high', 'low'], armed: NONE })
})

const kind = fc.constantFrom<AlertRule['kind']>('above', 'below')
const rule: fc.Arbitrary<AlertRule> = fc.record({
  kind,
  level: fc.integer({ min: 10, max: 30 }),
  margin: fc.constantFrom(0, 0.1, 0.5),
  holdMinutes: fc.constantFrom(0, 1, 5),
})
const state: fc.Arbitrary<RuleState> = fc.oneof(
  fc.record({ armed: fc.constant(true), dueAt: fc.option(fc.integer({ min: 0, max: 10 }).map((n) => n * MINUTE)) }),
  fc.constant({ armed: false, dueAt: null }),
)
const measure = fc.integer({ min: 0, max: 60 })

test.each([null, NaN, Infinity])('a measure of %s changes no rule, armed or not', (unknown) => {
  fc.assert(
    fc.property(rule, state, (given, before) => {
      expect(judge(given, unknown, before, 0)).toEqual({ verdict: 'same', state: before })
    }),
  )
})

test('judging the same measure at the same time again changes nothing more', () => {
  fc.assert(
    fc.property(rule, state, measure, (given, before, seen) => {
      const { state: after } = judge(given, seen, before, 5 * MINUTE)
      expect(judge(given, seen, after, 5 * MINUTE)).toEqual({ verdict: 'same', state: after })
    }),
  )
})

test('along any path of measures a rule fires once for each stay beyond its level that lasts as long as it is to hold', () => {
  fc.assert(
    fc.property(rule, fc.array(measure, { minLength: 1, maxLength: 40 }), (given, path) => {
      let now: RuleState = { armed: true, dueAt: null }
      const fired: number[] = []
      path.forEach((seen, minute) => {
        const judged = judge(given, seen, now, minute * MINUTE)
        if (judged.verdict === 'fired') fired.push(minute)
        now = judged.state
      })
      expect(fired).toEqual(stays(given, path))
    }),
  )
})

/** Minutes at which a stay beyond the level has lasted; after one, the measure has to come back by the margin first. */
function stays({ kind: which, level, margin, holdMinutes }: AlertRule, path: readonly number[]): number[] {
  const sign = which === 'above' ? 1 : -1
  const isBeyond = (seen: number) => sign * seen > sign * level
  const isBack = (seen: number) => sign * seen <= sign * (level * (1 - sign * margin))
  const found: number[] = []
  for (let from = 0; from < path.length;) {
    const start = path.findIndex((seen, minute) => minute >= from && isBeyond(seen))
    if (start < 0) break
    const end = path.findIndex((seen, minute) => minute > start && !isBeyond(seen))
    const last = end < 0 ? path.length - 1 : end - 1
    if (last - start < holdMinutes) {
      from = last + 1
      continue
    }
    found.push(start + holdMinutes)
    const back = path.findIndex((seen, minute) => minute > start + holdMinutes && isBack(seen))
    from = back < 0 ? path.length : back
  }
  return found
}

test('a ratio that trembles by a thousandth around its level for a day fires once with a margin of half a percent', () => {
  const day = Array.from({ length: 24 * 60 }, (_, minute) => 100 * (1 + 0.001 * Math.sin(minute)))
  const count = (margin: number) => {
    let now: RuleState = { armed: true, dueAt: null }
    return day.filter((seen, minute) => {
      const { verdict, state: after } = judge(
        { kind: 'above', level: 100, margin, holdMinutes: 0 },
        seen,
        now,
        minute * MINUTE,
      )
      now = after
      return verdict === 'fired'
    }).length
  }
  expect([count(0.005), count(0)]).toEqual([1, 230])
})

test('a threshold fires above and below as mirror images', () => {
  fc.assert(
    fc.property(rule, state, fc.integer({ min: 1, max: 60 }), (given, before, seen) => {
      const mirrored: AlertRule = { ...given, kind: given.kind === 'above' ? 'below' : 'above', margin: 0 }
      const straight = judge({ ...given, margin: 0 }, seen, before, 0)
      expect(judge({ ...mirrored, level: -given.level }, -seen, before, 0)).toEqual(straight)
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

test.each([
  [undefined, ['Snooze 1 h', 'Until it is back', 'Open chart', 'Re-arm later']],
  ['move_up', ['Snooze 1 h', 'Until it is back', 'Open chart']],
  ['extreme_high', ['Snooze 1 h', 'Open chart']],
  ['rule_expired', ['Open chart']],
])('where the server takes snoozes a notification of kind %s has the actions %j', (kind, titles) => {
  const alert = { ...sell, ...(kind !== undefined && { kind }) }
  expect(alertNotification(alert, AT, false, true).options.actions.map(({ title }) => title)).toEqual(titles)
})

test.each([
  ['way_off', 'the webhook at hooks.example', 'Alerts no longer reach the webhook at hooks.example.'],
  ['device_silent', 'Chrome on Android', 'Chrome on Android has not shown the last 3 alerts.'],
])('an alert of the kind %s speaks of the way and of no pair, and leads to the ways', (kind, note, sentence) => {
  expect(alertSentence({ ...sell, kind, note })).toBe(sentence)
  const { title, options } = alertNotification({ ...sell, kind, note }, AT, false, true)
  expect([title, options.body.startsWith(sentence)]).toEqual(['Alerts do not arrive everywhere', true])
  const data = { owner: sell.owner, event_ids: [sell.event_id], path: '/settings' }
  expect([options.actions, options.data, options.tag]).toEqual([[], data, sell.event_id])
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
