import { hasMessageBus } from '../../browser.mjs'
import { startNotificationDaemon, type NotificationDaemon } from '../../support/notification-daemon'
import { test as base } from './alert-test'

export { expect } from './alert-test'

interface Desk {
  /** The desktop that shows this browser's notifications and clicks them. */
  readonly desk: NotificationDaemon
}

/** Playwright's `test` for browsers that are reached by push, on a desktop whose notifications a test can click. */
export const test = base.extend<Desk>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures' names from the pattern
  desk: async ({}, use, info) => {
    info.skip(!hasMessageBus(), 'dbus-daemon is not there')
    const desk = await startNotificationDaemon()
    await use(desk)
    await desk.stop()
  },
  // The desktop is found by a variable of the browser's process.
  ownProfile: true,
  browserVariables: async ({ desk }, use) => use(desk.variables),
})
