import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base, chromium, expect, type Browser, type BrowserContext } from 'playwright/test'
import { BROWSER_FLAGS, requireChromium } from '../../browser.mjs'
import { processorSecondsSince } from '../../support/processor-seconds.mjs'
import { startPushService, type PushService } from '../../support/push-service'
import { countStart } from '../../support/starts.mjs'
import { startAppServer, type AppServer } from './app-server'
import { pushBrowser, type PushBrowser } from './push-browser'

export { expect } from 'playwright/test'

export interface Visitor {
  /** Environment variables of the browser process, beside those of the tests; only browsers with a profile have any. */
  readonly browserVariables: Readonly<Record<string, string>>
  /** Flags of the browser process, beside those of the tests; only browsers with a profile have any. */
  readonly browserFlags: readonly string[]
  /** Errors that the app reports on the console beside telling the user: what a test brings about by intention. */
  readonly reported: { readonly errors: readonly RegExp[] }
  /** True: each browser is a process with a profile on disk, as an installed app has one; a context is a private window. */
  readonly ownProfile: boolean
  /** Opens a browser that shares nothing with others (service worker, storage, caches), with its first page. */
  readonly openBrowser: () => Promise<BrowserContext>
  /** Lets the browser of `page` show notifications and be reached by push: with nothing of it where it is not asked for. */
  readonly push: PushBrowser
  /** Writes the processor time of the worker and all that it started to the test that caused it. */
  readonly processor: void
}
export interface Shared {
  /** The browser process of this worker, started when the first test asks for it. */
  readonly sharedBrowser: () => Promise<Browser>
  /** The push service between servers and browsers. */
  readonly pushService: PushService
  /** One server for all tests of a worker; visitors are told apart by their identity. */
  readonly server: AppServer
}

/** A desktop that notifications would be shown on is a test's own, or there is none. */
function browserProcess(variables: Readonly<Record<string, string>> = {}, flags: readonly string[] = []) {
  countStart('browser')
  return {
    executablePath: requireChromium(),
    args: [...BROWSER_FLAGS, ...flags],
    env: { ...process.env, DBUS_SESSION_BUS_ADDRESS: 'disabled:', ...variables },
  }
}

/**
 * Playwright's `test`, with a real server and one Chromium a worker. `page` is the first page of a browser of its own. An
 * uncaught error on any page fails the test.
 */
export const test = base.extend<Visitor, Shared>({
  sharedBrowser: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures' names from the pattern
    async ({}, use) => {
      let launched: Promise<Browser> | undefined
      await use(() => (launched ??= chromium.launch(browserProcess())))
      await (await launched)?.close()
    },
    { scope: 'worker' },
  ],
  pushService: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures' names from the pattern
    async ({}, use) => {
      const service = await startPushService()
      await use(service)
      await service.stop()
    },
    { scope: 'worker' },
  ],
  server: [
    async ({ pushService }, use) => {
      const server = await startAppServer({ env: { PUSH_ALLOWED_HOSTS: pushService.host } })
      await use(server)
      expect(await server.stop(), 'the server ends cleanly').toBe(0)
    },
    { scope: 'worker' },
  ],
  // Set up before all other fixtures of a test, and so the last to end.
  processor: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures' names from the pattern
    async ({}, use, { annotations }) => {
      await use()
      annotations.push({ type: 'processor', description: processorSecondsSince().toFixed(2) })
    },
    { auto: true },
  ],
  baseURL: async ({ server }, use) => use(server.origin),

  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures' names from the pattern
  browserVariables: async ({}, use) => use({}),
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures' names from the pattern
  browserFlags: async ({}, use) => use([]),
  reported: [{ errors: [] }, { option: true }],
  ownProfile: [false, { option: true }],
  openBrowser: async (
    {
      viewport,
      deviceScaleFactor,
      colorScheme,
      hasTouch,
      baseURL,
      browserVariables,
      browserFlags,
      reported,
      ownProfile,
      sharedBrowser,
    },
    use,
  ) => {
    const options = {
      viewport,
      deviceScaleFactor: deviceScaleFactor ?? 1,
      colorScheme,
      hasTouch,
      ...(baseURL === undefined ? {} : { baseURL }),
    }
    const open: { context: BrowserContext; profile: string | null }[] = []
    const uncaught: string[] = []
    await use(async () => {
      const profile = ownProfile ? mkdtempSync(join(tmpdir(), 'e2e-profile-')) : null
      const context =
        profile === null
          ? await (await sharedBrowser()).newContext(options)
          : await chromium.launchPersistentContext(profile, {
              ...browserProcess(browserVariables, browserFlags),
              ...options,
            })
      context.on('weberror', (error) => uncaught.push(error.error().stack || String(error.error())))
      open.push({ context, profile })
      if (context.pages().length === 0) await context.newPage()
      return context
    })
    for (const { context, profile } of open) {
      await context.close()
      if (profile !== null) rmSync(profile, { recursive: true, force: true })
    }
    const unexpected = uncaught.filter((error) => !reported.errors.some((pattern) => pattern.test(error)))
    expect(unexpected, 'no uncaught error on any page').toEqual([])
  },
  context: async ({ openBrowser }, use) => use(await openBrowser()),
  page: async ({ context }, use) => use(context.pages()[0] ?? (await context.newPage())),
  push: async ({ context, page, pushService, baseURL }, use) => {
    await context.grantPermissions(['notifications'], baseURL === undefined ? {} : { origin: baseURL })
    await use(await pushBrowser(context, page, pushService))
  },
})
