import { expect, test } from 'vitest'
import { deliveryText } from '../../src/domain/delivery-text'
import type { ServerRuleView } from '../../src/db/view'
import { alertsView, widgetView } from '../support/widget-view'

const watched = { alerts: alertsView({ high: { threshold: 3 } }), notificationsEnabled: true }
const text = (values: Parameters<typeof widgetView>[0], isPushed?: boolean) =>
  deliveryText(widgetView(values), isPushed).text

test.each<[boolean | undefined, string]>([
  [undefined, 'Tells you in the open app'],
  [true, 'Tells you on this device and in the open app'],
  [false, 'Tells you here only while the app is open'],
])('with alerts on and push of this device known as %s the card says: %s', (isPushed, words) => {
  expect(text(watched, isPushed)).toBe(words)
})

test('with a threshold and alerts off the card says that nobody is told, and offers to switch alerts on', () => {
  expect(deliveryText(widgetView({ alerts: alertsView({ low: { threshold: 1 } }) }), true)).toEqual({
    text: 'Set, nobody is told: ',
    offersAlerts: true,
  })
})

test('with alerts on and no threshold the card says that no threshold is set', () => {
  expect(text({ notificationsEnabled: true }, true)).toBe('Alerts are on, but no threshold is set')
})

test('with neither threshold nor alerts the card says nothing of who is told', () => {
  expect(deliveryText(widgetView(), true)).toEqual({ text: '', offersAlerts: false })
})

test('with armed alerts beside thresholds that are off or not set the card says of the thresholds alone that they tell nobody', () => {
  const rule = (values: Partial<ServerRuleView>) => [{ armed: true, loudness: 'quiet', ...values } as ServerRuleView]
  const alerts = alertsView({ low: { threshold: 1 } })
  const told = 'Tells you on this device and in the open app'
  expect(deliveryText(widgetView({ alerts, serverRules: rule({}) }), true)).toEqual({
    text: 'Thresholds tell nobody: ',
    offersAlerts: true,
  })
  expect(text({ serverRules: rule({}) }, true)).toBe(told)
  expect(text({ serverRules: rule({}), notificationsEnabled: true }, true)).toBe(told)
  expect(text({ alerts, serverRules: rule({ armed: false }) }, true)).toBe('Set, nobody is told: ')
  expect(text({ serverRules: rule({ loudness: 'log' }) }, true)).toBe('')
})

test('an inactive pair tells nobody, and its alerts are not offered', () => {
  expect(deliveryText(widgetView({ ...watched, isActive: false }), true)).toEqual({
    text: 'Set, nobody is told: this pair is inactive',
    offersAlerts: false,
  })
})
