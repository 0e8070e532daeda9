import { startNotificationDaemon, type NotificationDaemon } from '../../support/notification-daemon'
import { startAlertWorld, type AlertWorld } from './alert-world'
import { pushBrowser, type PushBrowser } from './push-browser'
import { expect, test as base } from './test'

export { expect } from './test'

interface Device {
  /** Where this browser's notifications are shown. */
  readonly desk: NotificationDaemon
  /** What brings this browser its messages; it may show notifications. */
  readonly push: PushBrowser
}

/** Playwright's `test` with a server whose prices move, in browsers that are reached by push. */
export const test = base.extend<Device, { alerts: AlertWorld }>({
  alerts: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures' names from the pattern
    async ({}, use) => {
      const world = await startAlertWorld()
      await use(world)
      expect(await world.stop(), 'the server ends cleanly').toBe(0)
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ alerts }, use) => use(alerts.server.origin),
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures' names from the pattern
  desk: async ({}, use) => {
    const desk = await startNotificationDaemon()
    await use(desk)
    await desk.stop()
  },
  browserVariables: async ({ desk }, use) => use(desk.variables),
  push: async ({ context, page, alerts }, use) => {
    await context.grantPermissions(['notifications'], { origin: alerts.server.origin })
    await use(await pushBrowser(context, page, alerts.push))
  },
})
