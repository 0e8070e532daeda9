import { describe, expect, test } from 'vitest'
import {
  alertBody,
  alertNotification,
  alertSentence,
  alertTitle,
  type AlertFacts,
  neutralNotification,
} from '../../src/domain/alert-notification'
import { MINUTE } from '../../src/domain/granularity'
import type { OwnerId, WidgetId } from '../../src/domain/ids'

const AT = new Date(2026, 0, 15, 10, 42).getTime()
const sell: AlertFacts = { pair: 'BTC / ETH', side: 'high', ratio: 21.5, threshold: 21.42, at: AT }
const buy: AlertFacts = { ...sell, side: 'low', ratio: 0, threshold: 0.0000000123 }

describe('alert texts', () => {
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
})

describe('alert notification', () => {
  const data = { event_id: 'w:high:3', owner: 'me' as OwnerId, widget_id: 'w' as WidgetId }
  const alert = { ...sell, ...data }

  test('an alert notification has the crossing’s id as its tag, and the actions "Open chart" and "Re-arm later"', () => {
    const { title, options } = alertNotification(alert, AT)
    expect(title).toBe('Sell alert: BTC / ETH')
    expect(options).toMatchObject({ tag: 'w:high:3', timestamp: AT, data })
    expect(options.actions.map((one) => one.title)).toEqual(['Open chart', 'Re-arm later'])
  })

  test('an alert notification either renotifies or is silent, never both', () => {
    expect(alertNotification(alert, AT).options).toMatchObject({ silent: false, renotify: true })
    expect(alertNotification(alert, AT, true).options).toMatchObject({ silent: true, renotify: false })
  })

  test('the neutral notification contains no pair, no number, no data and no actions', () => {
    const { title, options } = neutralNotification('w:high:3', AT)
    expect(title).toBe('A ratio alert fired')
    expect(options).toMatchObject({ tag: 'w:high:3', data: null, actions: [] })
    expect(JSON.stringify([title, options.body])).not.toMatch(/BTC|\d/)
  })
})
