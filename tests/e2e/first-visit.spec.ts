import type { Page, Request } from 'playwright/test'
import { installed } from './support/app'
import { openBoard } from './support/board'
import { expect, test } from './support/test'

/** The narrowest on every run. */
const VIEWS = [
  { width: 360, height: 740, tag: [] },
  { width: 740, height: 360, tag: '@full' },
  { width: 820, height: 1180, tag: '@full' },
  { width: 1440, height: 900, tag: '@full' },
]

/** Keeps requests back until the function that it returns is called. */
async function hold(page: Page, isHeld: (request: Request) => boolean): Promise<() => void> {
  let release = () => undefined as void
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.context().route('**', async (route) => {
    if (isHeld(route.request())) await released
    await route.continue()
  })
  return release
}
const holdScripts = (page: Page) => hold(page, (request) => /\/assets\/[^/]*\.js$/.test(request.url()))

interface Seen {
  readonly shift: number
  readonly moved: readonly string[]
  readonly skeleton: boolean
  readonly welcome: boolean
  readonly violations: readonly string[]
}

interface Shift {
  readonly value: number
  readonly sources: readonly { readonly node: Node | null }[]
}

/** All layout shifts of the page, as the browser scores them, and whether the app has ever shown skeletons. */
async function watchPage(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const seen = { shift: 0, moved: [] as string[], skeleton: false, welcome: false, violations: [] as string[] }
    Object.assign(globalThis, { seen })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as unknown as Shift[]) {
        seen.shift += entry.value
        seen.moved.push(
          ...entry.sources.map(({ node }) => (node instanceof Element ? node.outerHTML : '').slice(0, 80)),
        )
      }
    }).observe({ type: 'layout-shift', buffered: true })
    new MutationObserver(() => {
      seen.skeleton ||= document.querySelector('[aria-busy="true"]') !== null
      seen.welcome ||= document.querySelector('#root #welcome') !== null
    }).observe(document, { childList: true, subtree: true })
    document.addEventListener('securitypolicyviolation', (event) => seen.violations.push(event.violatedDirective))
  })
}
const seenBy = (page: Page) => page.evaluate(() => (globalThis as unknown as { seen: Seen }).seen)

const PARTS = ['Welcome! Compare any two coins.', '+ Add Your First Pair', 'ETH / BTC', 'Privacy Policy', 'Dashboard']
async function places(page: Page) {
  const boxes = await Promise.all(
    PARTS.map((text) => page.getByText(text, { exact: true }).filter({ visible: true }).first().boundingBox()),
  )
  return boxes.map((box) => box && [box.x, box.y, box.width, box.height].map(Math.round))
}

/** The font is there and drawn; how far its lines differ from those of the machine's own font is not the app's doing. */
const untilFont = (page: Page) =>
  page.evaluate(async () => {
    await document.fonts.load('16px "Inter Variable"')
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))
    Object.assign((globalThis as unknown as { seen: object }).seen, { shift: 0, moved: [] })
  })

/** The colour of what has no background. */
const NOTHING = 'rgba(0, 0, 0, 0)'

/** The app has taken over: its live figures are there. */
const untilLive = (page: Page) =>
  expect(page.getByText(/^(\d+\w\w percentile|lowest|highest) of \d+ days$/)).toHaveCount(3)

test.use({ firstVisit: true })

for (const { tag, ...view } of VIEWS) {
  test(
    `the first visit at ${view.width}×${view.height} paints Welcome before any script of the app, and nothing moves when they have come`,
    { tag },
    async ({ page }) => {
      await page.setViewportSize(view)
      await page.emulateMedia({ colorScheme: view.width === 360 ? 'dark' : 'light' })
      await watchPage(page)
      const release = await holdScripts(page)
      await page.goto('/', { waitUntil: 'commit' })
      await expect(page.getByRole('heading', { level: 1, name: 'Welcome! Compare any two coins.' })).toBeVisible()
      await expect(page.getByText("You haven't added any crypto pairs yet.")).toBeVisible()
      await expect(page.getByRole('button', { name: /^Add \w+ \/ \w+$/ })).toHaveCount(3)
      const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
      expect(await background()).toBe(view.width === 360 ? 'rgb(12, 15, 20)' : 'rgb(243, 244, 247)')
      for (const figures of await page.locator('#root li > :empty').all())
        await expect(figures, 'a skeleton of the figures').not.toHaveCSS('background-color', NOTHING)
      await untilFont(page)
      const painted = await places(page)
      expect(painted).not.toContain(null)

      const missing: string[] = []
      page.on('response', (answer) => answer.status() >= 400 && missing.push(answer.url()))
      release()
      await untilLive(page)
      expect(await places(page)).toEqual(painted)
      expect(missing).toEqual([])
      const seen = await seenBy(page)
      expect(seen).toMatchObject({ skeleton: false, welcome: true, violations: [] })
      // Source, account and Premium take room that is free when the app learns of them.
      expect(seen.shift, seen.moved.join('\n')).toBeLessThan(0.01)
    },
  )
}

test('a press on Add Your First Pair before the app’s scripts have come opens the dialog once they have', async ({
  page,
}) => {
  const release = await holdScripts(page)
  await page.goto('/', { waitUntil: 'commit' })
  await page.getByRole('button', { name: '+ Add Your First Pair' }).click()
  release()
  await expect(page.getByRole('dialog', { name: 'Create New Pair' })).toBeVisible()
})

test('one press, whose code was there before, adds a ready pair, which reaches the server, and a returning visitor sees the shell and never Welcome', async ({
  page,
}) => {
  const commands = page.waitForRequest(/\/assets\/widgets-[^/]*\.js$/)
  await openBoard(page, [])
  await commands
  await page.getByRole('button', { name: 'Add SOL / ETH' }).click()
  await expect(page.getByRole('article', { name: 'SOL / ETH' })).toBeFocused()
  await expect(page.getByText('Saving...')).toHaveCount(0)

  await watchPage(page)
  const release = await holdScripts(page)
  await page.goto('/', { waitUntil: 'commit' })
  await expect(page.getByRole('link', { name: 'Dashboard' }).first()).toBeVisible()
  release()
  await expect(page.getByRole('article', { name: 'SOL / ETH' })).toBeVisible()
  expect(await seenBy(page)).toMatchObject({ welcome: false, violations: [] })
})

test('before any script the shell is painted on its own screens with their entry marked, and not around the login page; a skeleton stands on both', async ({
  page,
}) => {
  const release = await holdScripts(page)
  await page.goto('/settings', { waitUntil: 'commit' })
  await expect(page.locator('a[aria-current="page"]')).toHaveText(['Settings'])
  await expect(page.locator('main')).toHaveCSS('background-image', /gradient/)
  await page.goto('/login', { waitUntil: 'commit' })
  await expect(page.locator('#root')).toBeEmpty()
  await expect(page.locator('#root')).toHaveCSS('background-image', /gradient/)
  release()
  await expect(page.getByRole('textbox', { name: /mail/i })).toBeVisible()
})

test('the first service worker controls the page before it has fetched a file, and later opens the app offline', async ({
  page,
  context,
}) => {
  const release = await hold(page, (request) => request.serviceWorker() !== null && !request.url().endsWith('/sw.js'))
  await page.goto('/')
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
  release()
  await installed(page)
  await context.setOffline(true)
  await page.goto('/settings')
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible()
})
