import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  test as base,
  chromium,
  expect,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type WebError,
} from 'playwright/test'
import { BROWSER_FLAGS, requireChromium } from '../../browser.mjs'
import { processorSecondsSince } from '../../support/processor-seconds.mjs'
import { startPushService, type PushService } from '../../support/push-service'
import { countStart } from '../../support/starts.mjs'
import { startAlertWorld, type AlertWorld } from './alert-world'
import type { AppServer } from './app-server'
import { pushBrowser, type PushBrowser } from './push-browser'
import { startSharedWorld, type SharedWorld } from './shared-world'
import { reportBreaches } from './policy-breaches'
import { visitedBrowser, type VisitedBrowser } from './visited-browser'

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
  /** True: the first page's browser has never seen the app; else it has installed it, and has no data of it. */
  readonly firstVisit: boolean
  /** Of the browsers of this test. */
  readonly device: BrowserContextOptions & { readonly baseURL: string }
  /** Has an uncaught error on any page of a browser, or a breach of its security policies, fail the test. */
  readonly watchErrors: (context: BrowserContext) => void
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
  readonly visited: VisitedBrowser
  /** The push service between servers and browsers. */
  readonly pushService: PushService
  /** One server for all tests of a worker; visitors are told apart by their identity. */
  readonly sharedWorld: SharedWorld
  readonly server: AppServer
  /** Another server, whose prices a test moves; started when the first test asks for it. */
  readonly movingWorld: AlertWorld
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
  visited: [
    async ({ sharedBrowser }, use) => {
      const visited = visitedBrowser(sharedBrowser)
      await use(visited)
      await visited.close()
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
  // Worker fixtures stand here alone: tests that add one of their own get workers, a browser and servers of their own.
  sharedWorld: [
    async ({ pushService }, use) => {
      const world = await startSharedWorld({ PUSH_ALLOWED_HOSTS: pushService.host })
      await use(world)
      expect(await world.stop(), 'the server ends cleanly').toBe(0)
    },
    { scope: 'worker' },
  ],
  server: [async ({ sharedWorld }, use) => use(sharedWorld.server), { scope: 'worker' }],
  movingWorld: [
    async ({ pushService }, use) => {
      const world = await startAlertWorld(pushService)
      await use(world)
      expect(await world.stop(), 'the server ends cleanly').toBe(0)
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
  firstVisit: [false, { option: true }],
  device: async ({ viewport, deviceScaleFactor, colorScheme, hasTouch, baseURL }, use) => {
    if (baseURL === undefined) throw new Error('Each test has a server.')
    await use({ viewport, deviceScaleFactor: deviceScaleFactor ?? 1, colorScheme, hasTouch, baseURL })
  },
  watchErrors: async ({ reported }, use) => {
    const uncaught: string[] = []
    const note = (error: WebError) => uncaught.push(error.error().stack || String(error.error()))
    const watched: BrowserContext[] = []
    await use((context) => {
      context.on('weberror', note)
      watched.push(context)
    })
    for (const context of watched) context.off('weberror', note)
    const unexpected = uncaught.filter((error) => !reported.errors.some((pattern) => pattern.test(error)))
    expect(unexpected, 'no uncaught error and no breach of a policy on any page').toEqual([])
  },
  openBrowser: async ({ device, browserVariables, browserFlags, ownProfile, sharedBrowser, watchErrors }, use) => {
    const open: { context: BrowserContext; profile: string | null }[] = []
    await use(async () => {
      const profile = ownProfile ? mkdtempSync(join(tmpdir(), 'e2e-profile-')) : null
      const context =
        profile === null
          ? await (await sharedBrowser()).newContext(device)
          : await chromium.launchPersistentContext(profile, {
              ...browserProcess(browserVariables, browserFlags),
              ...device,
            })
      await reportBreaches(context)
      watchErrors(context)
      open.push({ context, profile })
      if (context.pages().length === 0) await context.newPage()
      return context
    })
    for (const { context, profile } of open) {
      await context.close()
      if (profile !== null) rmSync(profile, { recursive: true, force: true })
    }
  },
  context: async ({ openBrowser, firstVisit, ownProfile, device, server, visited, watchErrors }, use) => {
    const isFresh = firstVisit || ownProfile || device.baseURL !== server.origin
    if (isFresh) return use(await openBrowser())
    const context = await visited.open(device)
    watchErrors(context)
    await use(context)
  },
  page: async ({ context }, use) => use(context.pages()[0] ?? (await context.newPage())),
  push: async ({ context, page, pushService, baseURL, firstVisit, ownProfile, server }, use) => {
    if (!firstVisit && !ownProfile && baseURL === server.origin)
      throw new Error('A browser is given its push service before its first visit: test.use({ firstVisit: true })')
    await context.grantPermissions(['notifications'], baseURL === undefined ? {} : { origin: baseURL })
    await use(await pushBrowser(context, page, pushService))
  },
})
