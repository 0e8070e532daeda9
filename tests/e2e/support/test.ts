import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base, chromium, expect, type BrowserContext } from 'playwright/test'
import { BROWSER_FLAGS, requireChromium } from '../../browser.mjs'
import { startAppServer, type AppServer } from './app-server'

export { expect } from 'playwright/test'

export interface Visitor {
  /** Environment variables for browsers, beside those of the tests. */
  readonly browserVariables: Readonly<Record<string, string>>
  /** Opens a browser with a profile of its own, as an installed app has one: service worker, storage, sync. */
  readonly openBrowser: () => Promise<BrowserContext>
}
export interface Shared {
  /** One server for all tests of a worker; visitors are told apart by their identity. */
  readonly server: AppServer
}

/**
 * Playwright's `test`, with a real server and, in place of its throw-away contexts, real profiles. `page` is the first
 * page of such a profile. An uncaught error on any page fails the test.
 */
export const test = base.extend<Visitor, Shared>({
  server: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures' names from the pattern
    async ({}, use) => {
      const server = await startAppServer()
      await use(server)
      expect(await server.stop(), 'the server ends cleanly').toBe(0)
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ server }, use) => use(server.origin),

  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures' names from the pattern
  browserVariables: async ({}, use) => use({}),
  openBrowser: async ({ viewport, deviceScaleFactor, colorScheme, hasTouch, baseURL, browserVariables }, use) => {
    // A desktop that notifications would be shown on is a test's own, or there is none.
    const env = { ...process.env, DBUS_SESSION_BUS_ADDRESS: 'disabled:', ...browserVariables }
    const open: { context: BrowserContext; profile: string }[] = []
    const uncaught: string[] = []
    await use(async () => {
      const profile = mkdtempSync(join(tmpdir(), 'e2e-profile-'))
      const context = await chromium.launchPersistentContext(profile, {
        executablePath: requireChromium(),
        args: BROWSER_FLAGS,
        env,
        viewport,
        deviceScaleFactor: deviceScaleFactor ?? 1,
        colorScheme,
        hasTouch,
        ...(baseURL === undefined ? {} : { baseURL }),
      })
      context.on('weberror', (error) => uncaught.push(error.error().stack ?? String(error.error())))
      open.push({ context, profile })
      return context
    })
    for (const { context, profile } of open) {
      await context.close()
      rmSync(profile, { recursive: true, force: true })
    }
    expect(uncaught, 'no uncaught error on any page').toEqual([])
  },
  context: async ({ openBrowser }, use) => use(await openBrowser()),
  page: async ({ context }, use) => use(context.pages()[0] ?? (await context.newPage())),
})
