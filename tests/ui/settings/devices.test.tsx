import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import type { Device } from '../../../src/contract/device'
import { logOut } from '../../../src/db/leave-owner'
import { DevicesCard } from '../../../src/features/settings/devices-card'
import { type LocalApp, signIn, START, startLocalApp, noticesOf } from '../support/local-app'

const device = (id: string, change: Partial<Device> = {}): Device => ({
  id,
  label: 'Chrome on Android',
  signed_in_at: new Date(START - 86_400_000).toISOString(),
  last_seen_at: new Date(START - 3_600_000).toISOString(),
  gets_push: false,
  is_current: false,
  ...change,
})
const DESK = device('desk', { label: 'Firefox on Windows', is_current: true })
const PHONE = device('phone', { gets_push: true })
const OLD = device('old', { label: null })
const FAILURE = { ok: false, status: 0, error_code: null, message: 'Nothing answers.' } as const

/** The card of a user with these devices; those that are ended are gone from the next answer. */
async function open(devices: readonly Device[] = [DESK, PHONE, OLD]): Promise<LocalApp> {
  const app = await startLocalApp()
  await signIn(app)
  let left = devices
  app.answerCall('devices', () => ({ ok: true, value: left }))
  app.answerCall('endSession', ({ id }) => {
    left = left.filter((one) => one.id !== id)
    return { ok: true, value: null }
  })
  app.answerCall('endOtherSessions', () => {
    left = left.filter(({ is_current }) => is_current)
    return { ok: true, value: null }
  })
  app.render(<DevicesCard />)
  await screen.findByRole('list', { name: 'Devices' })
  return app
}
const rows = () => screen.getAllByRole('listitem').map((row) => row.textContent)
const toasts = (app: LocalApp) => noticesOf(app).map(({ kind, message }) => [kind, message])
const confirm = async (title: string) =>
  userEvent.click(
    within(await screen.findByRole('alertdialog', { name: title })).getByRole('button', { name: 'Log out' }),
  )
const online = (is: boolean) => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(is)
  act(() => void window.dispatchEvent(new Event(is ? 'online' : 'offline')))
}

test('the devices card lists every signed-in browser, marks the one in use, and offers to log out the others', async () => {
  await open()
  const [desk, phone, old] = rows()
  expect(desk).toBe('Firefox on Windows This deviceIn use now')
  expect(phone).toMatch(/^Chrome on Android Last used .* Gets notificationsLog out$/)
  expect(old).toMatch(/^Unknown browser Last used .*Log out$/)
  expect(screen.queryByRole('button', { name: 'Log out Firefox on Windows' })).toBeNull()
})

test('a device that stays silent is named with the number of alerts that it has not shown', async () => {
  await open([DESK, device('phone', { gets_push: true, unshown: 3 })])
  expect(rows()[1]).toContain('Has not shown the last 3 alerts.')
  expect(rows()[0]).not.toContain('Has not shown')
})

test('a device is logged out after a confirmation and leaves the list, and a toast says so', async () => {
  const app = await open()
  await userEvent.click(screen.getByRole('button', { name: 'Log out Chrome on Android' }))
  expect(app.calls).toEqual([{ route: 'devices' }])
  await confirm('Log out Chrome on Android?')
  await waitFor(() => expect(rows()).toHaveLength(2))
  expect(app.calls).toContainEqual({ route: 'endSession', id: 'phone' })
  expect(toasts(app)).toEqual([['success', 'Chrome on Android is logged out.']])
})

test('a device is not logged out where the user cancels', async () => {
  const app = await open()
  await userEvent.click(screen.getByRole('button', { name: 'Log out Chrome on Android' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Cancel' }))
  expect(app.calls).toEqual([{ route: 'devices' }])
  expect(rows()).toHaveLength(3)
})

test('logging out everywhere else leaves this device alone in the list, and the offer is gone', async () => {
  const app = await open()
  await userEvent.click(screen.getByRole('button', { name: 'Log out everywhere else' }))
  await confirm('Log out everywhere else?')
  await screen.findByText('You are logged in on this device only.')
  expect(rows()).toHaveLength(1)
  expect(screen.queryByRole('button', { name: 'Log out everywhere else' })).toBeNull()
  expect(toasts(app)).toEqual([['success', 'You are logged out everywhere else.']])
})

test('a failed logout of a device shows a toast with the reason, and the device stays in the list', async () => {
  const app = await open()
  app.answerCall('endSession', () => FAILURE)
  await userEvent.click(screen.getByRole('button', { name: 'Log out Chrome on Android' }))
  await confirm('Log out Chrome on Android?')
  await waitFor(() =>
    expect(toasts(app)).toEqual([
      ['error', 'Failed to log out. The server could not be reached. Check your connection and try again.'],
    ]),
  )
  expect(rows()).toHaveLength(3)
})

test('offline the devices stay listed, and logging them out is disabled with the reason', async () => {
  const app = await open()
  online(false)
  expect(screen.getByText('You are offline. Logging out other devices needs a connection.')).toBeDefined()
  const button = screen.getByRole('button', { name: 'Log out Chrome on Android' })
  expect(button.getAttribute('aria-disabled')).toBe('true')
  await userEvent.click(button)
  expect(screen.queryByRole('alertdialog')).toBeNull()
  expect(app.calls).toEqual([{ route: 'devices' }])
})

test('devices that cannot be loaded offline come by themselves once the network is back', async () => {
  const app = await startLocalApp()
  await signIn(app)
  online(false)
  app.render(<DevicesCard />)
  await screen.findByText(/The list of your devices needs a connection/)
  app.answerCall('devices', () => ({ ok: true, value: [DESK] }))
  online(true)
  await waitFor(() => expect(rows()).toHaveLength(1))
})

test('a failure to load the devices shows an alert, and can be tried again', async () => {
  const app = await startLocalApp()
  await signIn(app)
  app.answerCall('devices', () => ({ ...FAILURE, status: 500, message: 'Out of order.' }))
  app.render(<DevicesCard />)
  expect((await screen.findByRole('alert')).textContent).toBe('Failed to load your devices. Out of order.')
  app.answerCall('devices', () => ({ ok: true, value: [DESK] }))
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await waitFor(() => expect(rows()).toHaveLength(1))
})

test('the devices card is gone once the user has logged out', async () => {
  const app = await open()
  await logOut(app.services.commands)
  await waitFor(() => expect(screen.queryByRole('list', { name: 'Devices' })).toBeNull())
})
