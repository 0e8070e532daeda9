import { expect, it } from 'vitest'
import { orderAfter, sortOf } from '../../src/domain/pair-order'
import { alertState } from '../../src/domain/alert-words'
import { alertsView, widgetView } from '../support/widget-view'
import { expectRows } from '../support/expect-rows'

it('a click on a heading sorts by it, and a second one the other way or by hand', () =>
  expectRows(orderAfter, [
    ['hand', 'name', 'name'],
    ['name', 'name', 'name-down'],
    ['name-down', 'name', 'name'],
    ['rises', 'near', 'near'],
    ['near', 'near', 'hand'],
    ['hand', 'change', 'rises'],
    ['rises', 'change', 'falls'],
    ['falls', 'change', 'rises'],
  ]))

it('one heading at most says how the table is sorted', () => {
  const said = (order: Parameters<typeof sortOf>[0]) =>
    (['name', 'near', 'change'] as const).map((column) => sortOf(order, column))
  expect(said('hand')).toEqual([undefined, undefined, undefined])
  expect(said('name-down')).toEqual(['descending', undefined, undefined])
  expect(said('near')).toEqual([undefined, 'ascending', undefined])
  expect(said('rises')).toEqual([undefined, undefined, 'descending'])
  expect(said('falls')).toEqual([undefined, undefined, 'ascending'])
})

const widget = widgetView({ notificationsEnabled: true, alerts: alertsView({ high: { threshold: 2 } }) })
it.each([
  ['without thresholds', { ...widget, alerts: alertsView() }, { high: true, low: true }, null],
  ['with alerts off', { ...widget, notificationsEnabled: false }, { high: true, low: true }, 'Alerts are off'],
  ['that would fire', widget, { high: true, low: false }, 'Armed'],
  ['whose only set side has fired', widget, { high: false, low: true }, 'Disarmed until the ratio comes back'],
])('a pair %s says of its alerts what they will do', (_which, one, armed, words) => {
  expect(alertState(one, armed, false)?.words ?? null).toBe(words)
})

it('a pair with an old price is called armed, but not judged', () => {
  const armed = { high: true, low: true }
  expect(alertState(widget, armed, true)).toEqual({ on: false, words: 'Armed, not judged while a price is old' })
  expect(alertState({ ...widget, notificationsEnabled: false }, armed, true)?.words).toBe('Alerts are off')
  expect(alertState(widget, armed, true, true)).toEqual({ on: false, words: 'Alerts are snoozed' })
})
