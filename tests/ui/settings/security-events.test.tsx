import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import type { SecurityEvent } from '../../../src/contract/security-events'
import { formatShortDateTime } from '../../../src/domain/local-time'
import { DevicesCard } from '../../../src/features/settings/devices-card'
import { SecurityEventsCard } from '../../../src/features/settings/security-events-card'
import { type LocalApp, signIn, START, startLocalApp } from '../support/local-app'

const event = (kind: SecurityEvent['kind'], change: Partial<SecurityEvent> = {}): SecurityEvent => ({
  id: crypto.randomUUID(),
  at: new Date(START - 3_600_000).toISOString(),
  kind,
  about: null,
  browser: 'Firefox on Windows',
  network: '203.0.113.0/24',
  ...change,
})

/** The card of a user whose server has these events. */
async function open(events: readonly SecurityEvent[]): Promise<LocalApp> {
  const app = await startLocalApp()
  await signIn(app)
  app.answerCall('securityEvents', ({ limit = 5 }) => ({
    ok: true,
    value: { rows: events.slice(0, limit), total: events.length },
  }))
  app.render(<SecurityEventsCard />)
  await screen.findByRole('list', { name: 'Security events' })
  return app
}
const rows = () => screen.getAllByRole('listitem').map((row) => row.textContent)
const online = (is: boolean) => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(is)
  act(() => void window.dispatchEvent(new Event(is ? 'online' : 'offline')))
}

test('the security events name what happened, when, in which browser and from which network', async () => {
  await open([
    event('passkey-added', { about: 'My key' }),
    event('session-ended', { about: 'Chrome on Android' }),
    event('sessions-ended-by-operator', { browser: null, network: null }),
    event('other'),
  ])
  const [added, ended, byOperator, unknown] = rows()
  expect(added).toMatch(/^Passkey “My key” added.+Firefox on WindowsNetwork 203\.0\.113\.0\/24$/)
  expect(ended).toMatch(/^Logged out Chrome on Android from another device/)
  expect(byOperator).toBe(`Logged out everywhere by an operator${formatShortDateTime(START - 3_600_000, START)}`)
  expect(unknown).toMatch(/^An event that this version of the app does not know/)
})

test('five security events stand in the card, and earlier ones come when the user asks', async () => {
  const app = await open(Array.from({ length: 12 }, () => event('signed-in-password')))
  expect(rows()).toHaveLength(5)
  await userEvent.click(screen.getByRole('button', { name: 'Show earlier' }))
  await waitFor(() => expect(rows()).toHaveLength(12))
  expect(screen.queryByRole('button', { name: 'Show earlier' })).toBeNull()
  expect(app.calls).toEqual([
    { route: 'securityEvents', limit: 5 },
    { route: 'securityEvents', limit: 50 },
  ])
})

test('offline the security events stay listed with the time as of which they are true, and no earlier ones are asked for', async () => {
  const app = await open(Array.from({ length: 12 }, () => event('signed-in-password')))
  online(false)
  expect(screen.getByText(/^You are offline\. This is as of /)).toBeDefined()
  await userEvent.click(screen.getByRole('button', { name: 'Show earlier' }))
  expect(app.calls).toHaveLength(1)
  expect(rows()).toHaveLength(5)
})

test('security events that cannot be loaded offline say so, and come by themselves once the network is back', async () => {
  const app = await startLocalApp()
  await signIn(app)
  online(false)
  app.render(<SecurityEventsCard />)
  await screen.findByText(/The list of your security events needs a connection/)
  app.answerCall('securityEvents', () => ({ ok: true, value: { rows: [event('logged-out')], total: 1 } }))
  online(true)
  await waitFor(() => expect(rows()).toHaveLength(1))
})

test('a browser that the user logs out in the card of devices is at once in the card of security events beside it', async () => {
  const events: SecurityEvent[] = []
  const app = await open(events)
  const device = { id: 'phone', label: 'Chrome on Android', gets_push: false, is_current: false }
  const at = new Date(START).toISOString()
  app.answerCall('devices', () => ({ ok: true, value: [{ ...device, signed_in_at: at, last_seen_at: at }] }))
  app.answerCall('endSession', () => {
    events.push(event('session-ended', { about: device.label }))
    return { ok: true, value: null }
  })
  app.render(<DevicesCard />)
  await userEvent.click(await screen.findByRole('button', { name: 'Log out Chrome on Android' }))
  await userEvent.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Log out' }))
  await screen.findByText('Logged out Chrome on Android from another device')
})
