import { act, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { offerInstall } from '../../../src/app/install-offer'
import { SettingsPage } from '../../../src/features/settings/settings-page'
import { startLocalApp } from '../support/local-app'

async function start() {
  const app = await startLocalApp()
  offerInstall(app.store)
  app.render(<SettingsPage />)
}
const asApple = (userAgent: string, touchPoints: number) => {
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(userAgent)
  vi.spyOn(navigator, 'maxTouchPoints', 'get').mockReturnValue(touchPoints)
}

test('the install card shows nothing in a browser that cannot install the app', async () => {
  await start()
  expect(screen.queryByRole('heading', { name: 'App' })).toBeNull()
})

test('the browser’s install prompt is held back and shown once, when the user clicks “Install app”', async () => {
  await start()
  const prompt = vi.fn(() => Promise.resolve({ outcome: 'dismissed' }))
  const event = Object.assign(new Event('beforeinstallprompt', { cancelable: true }), { prompt })
  act(() => void window.dispatchEvent(event))
  expect(event.defaultPrevented).toBe(true)
  expect(prompt).not.toHaveBeenCalled()

  await userEvent.click(screen.getByRole('button', { name: 'Install app' }))
  expect(prompt).toHaveBeenCalledOnce()
  expect(screen.queryByRole('button', { name: 'Install app' })).toBeNull()

  act(() => void window.dispatchEvent(new Event('appinstalled')))
  expect(screen.getByText(/Installed on this device/)).toBeTruthy()
})

test.each([
  ['iPhone', 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X)', 5],
  ['iPad, which calls itself a Mac', 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', 5],
])('%s: the install card explains “Add to Home Screen”', async (_what, userAgent, touchPoints) => {
  asApple(userAgent, touchPoints)
  await start()
  expect(screen.getByText(/Add to Home Screen/)).toBeTruthy()
})

test('a Mac without a touch screen: the install card does not mention the Home Screen', async () => {
  asApple('Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', 0)
  await start()
  expect(screen.queryByText(/Home Screen/)).toBeNull()
})
