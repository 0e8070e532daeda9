import type { Page } from 'playwright/test'
import { fetchBoard } from '../../e2e/support/board'
import { browserCode } from '../../e2e/support/browser-code'
import { installed } from '../../e2e/support/app'
import { layoutShifts, type MainThread, mainThread } from '../../e2e/support/main-thread'
import { seedBoard } from '../../e2e/support/seed-board'
import { expect, test as base } from '../../e2e/support/test'
import { startAppServer, type AppServer } from '../../e2e/support/app-server'
import { anonymousId } from '../../e2e/support/truth'

/** Pairs on the board; a price event comes every second, for so many seconds. */
const PAIRS = 60
const SECONDS = Number(process.env.LIVE_SECONDS ?? 60)
/** Seconds of price events before the measurement: code that has never run is slow. */
const WARM_UP = 5
/** The share of one core that the page's thread may take, of its processor's time. */
const BOUND = 0.02

declare global {
  function streamPrices(count: number): Promise<void>
}

const test = base.extend<{ wide: AppServer }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures' names from the pattern
  wide: async ({}, use) => {
    const server = await startAppServer({ env: { FREE_MAX_WIDGETS: String(PAIRS) } })
    await use(server)
    await server.stop()
  },
  baseURL: async ({ wide }, use) => use(wide.origin),
})

async function openCards(page: Page, origin: string): Promise<void> {
  await page.goto('/')
  await installed(page)
  await seedBoard(origin, { guest: await anonymousId(page) }, PAIRS)
  await fetchBoard(page)
  await expect(page.getByRole('article')).toHaveCount(PAIRS)
  const drawn = page.locator('article svg[data-direction]')
  await expect(drawn, 'every sparkline is drawn').toHaveCount(PAIRS, { timeout: 60_000 })
}

async function openList(page: Page, origin: string): Promise<void> {
  await openCards(page, origin)
  await page
    .getByRole('button', { name: 'List', exact: true })
    .or(page.getByLabel('List', { exact: true }))
    .click()
  await expect(page.getByRole('row')).toHaveCount(PAIRS + 1)
  const unfold = page.getByRole('button', { name: 'Search and order' })
  if (await unfold.isVisible()) await unfold.click()
  await page.getByRole('combobox', { name: 'Order' }).selectOption('Nearest to a threshold')
}

const texts = (page: Page) => page.locator('main').innerText()

interface View {
  readonly name: string
  readonly viewport: { readonly width: number; readonly height: number }
  readonly open: (page: Page, origin: string) => Promise<void>
}

const views: readonly View[] = [
  { name: 'cards on a phone', viewport: { width: 390, height: 844 }, open: openCards },
  { name: 'cards at a desk', viewport: { width: 1440, height: 900 }, open: openCards },
  { name: 'the list on a phone', viewport: { width: 390, height: 844 }, open: openList },
  { name: 'the list with a chart at a desk', viewport: { width: 1440, height: 900 }, open: openList },
]

const PARTS = ['script', 'style', 'layout', 'task'] as const satisfies readonly (keyof MainThread)[]

for (const { name, viewport, open } of views) {
  test.describe(name, () => {
    test.use({ viewport })

    test(`${PAIRS} pairs with a price event a second, ${name}: under ${BOUND * 100} % of a core on the page’s thread`, async ({
      page,
      wide,
    }) => {
      await open(page, wide.origin)
      await page.evaluate(await browserCode('price-events'))
      const cost = await mainThread(page)
      await page.evaluate((count) => streamPrices(count), WARM_UP)
      const shifts = await layoutShifts(page)
      const before = await texts(page)
      await cost()
      await page.evaluate((count) => streamPrices(count), SECONDS)
      const spent = await cost()
      const shares = PARTS.map((part) => `${part} ${((spent[part] / SECONDS / 1000) * 100).toFixed(2)} %`)
      console.log(`${name}, ${SECONDS} s: ${shares.join(', ')} of a core`)
      expect(await texts(page), 'the figures have moved').not.toBe(before)
      expect(await shifts()).toEqual([])
      expect(spent.task / SECONDS / 1000).toBeLessThan(BOUND)
    })
  })
}
