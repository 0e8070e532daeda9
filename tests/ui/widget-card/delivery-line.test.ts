import { describe, expect, test } from 'vitest'
import { deliveryText } from '../../../src/features/widget-card/delivery-line'
import type { PushState } from '../../../src/state/push'
import { alertsView, widgetView } from '../../support/widget-view'

const watched = { alerts: alertsView({ high: { threshold: 3 } }), notificationsEnabled: true }
const text = (values: Parameters<typeof widgetView>[0], push?: PushState) => deliveryText(widgetView(values), push).text

describe('sentence on a card that says who is told', () => {
  test.each<[PushState | undefined, string]>([
    [undefined, 'Tells you in the open app'],
    ['on', 'Tells you on this device and in the open app'],
    ['off', 'Tells you here only while the app is open'],
    ['blocked', 'Tells you here only while the app is open'],
    ['unsupported', 'Tells you here only while the app is open'],
    ['needs-home-screen', 'Tells you here only while the app is open'],
  ])('with alerts on and push of this device %s the card says: %s', (push, words) => {
    expect(text(watched, push)).toBe(words)
  })

  test('with a threshold and alerts off the card says that nobody is told, and offers to switch alerts on', () => {
    expect(deliveryText(widgetView({ alerts: alertsView({ low: { threshold: 1 } }) }), 'on')).toEqual({
      text: 'Set, nobody is told: ',
      offersAlerts: true,
    })
  })

  test('with alerts on and no threshold the card says that no threshold is set', () => {
    expect(text({ notificationsEnabled: true }, 'on')).toBe('Alerts are on, but no threshold is set')
  })

  test('with neither threshold nor alerts the card says nothing of who is told', () => {
    expect(deliveryText(widgetView(), 'on')).toEqual({ text: '', offersAlerts: false })
  })

  test('an inactive pair tells nobody, and its alerts are not offered', () => {
    expect(deliveryText(widgetView({ ...watched, isActive: false }), 'on')).toEqual({
      text: 'Set, nobody is told: this pair is inactive',
      offersAlerts: false,
    })
  })
})
