import type { Page } from 'playwright/test'
import { measured } from '../support/budgets.mjs'
import { cardNames, installed } from './support/app'
import { startAppServer, type AppServer } from './support/app-server'
import { fetchBoard } from './support/board'
import { browserCode } from './support/browser-code'
import { type CountedBrowser, type CountedPage, countedBrowser, type PageCosts } from './support/page-costs'
import { seedBoard } from './support/seed-board'
import { expect, test as base } from './support/test'
import { openThreshold, shownRatio } from './support/threshold'
import { anonymousId, recordsOf } from './support/truth'

declare global {
  /** support/in-browser/all-prices.ts */
  function setAllPrices(factor: number): Promise<void>
}

const PAIRS = 50
const CARDS = 60
const WINDOW = { width: 1440, height: 900 }
/** All cards are in sight: figures of others follow later. */
const TALL_WINDOW = { ...WINDOW, height: 12_000 }
/** Milliseconds after which a page opens the stream. */
const STREAM_DELAY = 500

const test = base.extend<{ wide: AppServer }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures' names from the pattern
  wide: async ({}, use) => {
    const server = await startAppServer({ env: { FREE_MAX_WIDGETS: String(CARDS) } })
    await use(server)
    expect(await server.stop(), 'the server ends cleanly').toBe(0)
  },
  baseURL: async ({ wide }, use) => use(wide.origin),
})
test.use({ viewport: WINDOW })

/** Every line that is passed fails the test, not the first alone. */
const hold = (name: string, value: number): void => expect.soft(() => measured(name, value), name).not.toThrow()
const kilobytes = (bytes: number): number => Math.ceil(bytes / 1000)

function holdDatabase(when: string, { transactions, requests, commits }: PageCosts): void {
  hold(`${when}: IndexedDB transactions of the page`, transactions)
  hold(`${when}: IndexedDB requests of the page`, requests)
  hold(`${when}: React commits`, commits)
}

function holdScript(when: string, { script }: PageCosts): void {
  hold(`${when}: script run by the page, kB`, kilobytes(script.run))
  hold(`${when}: script parsed by the page, kB`, kilobytes(script.parsed))
}

function holdShift(when: string, ...costs: readonly PageCosts[]): void {
  const score = costs.reduce((sum, { shift }) => sum + shift, 0)
  hold(`${when}: layout shift, thousandths`, Math.round(score * 1000))
}

async function holdTraffic(when: string, { traffic }: CountedBrowser): Promise<void> {
  const { requests, bytes } = await traffic.read()
  hold(`${when}: requests sent`, requests)
  hold(`${when}: received, kB`, kilobytes(bytes))
}

const expectCards = (page: Page, count: number): Promise<void> =>
  expect(page.getByRole('article')).toHaveCount(count, { timeout: 60_000 })

/** The web worker has answered with the figures of the cards in sight. */
const expectFigures = (page: Page): Promise<void> =>
  expect(page.locator('article svg[data-direction]').first()).toBeAttached({ timeout: 60_000 })

async function firstVisit(browser: CountedBrowser, page: Page, origin: string): Promise<CountedPage> {
  const counted = await browser.open(page, origin)
  await expect(page.getByRole('button', { name: '+ Add Your First Pair' })).toBeVisible()
  const interactive = await counted.costs()
  holdScript('first visit until interactive', interactive)
  holdDatabase('first visit until interactive', interactive)

  const stream = page.waitForResponse(/\/api\/v1\/stream/)
  await page.evaluate(() => releaseEngine())
  await page.evaluate((ms) => passTime(ms), STREAM_DELAY)
  await stream
  await expect(page.getByText(/^(\d+\w\w percentile|lowest|highest) of \d+ days$/)).toHaveCount(3)
  const engine = await counted.costs()
  holdScript('first visit, engine in the web worker', engine)
  holdDatabase('first visit, engine in the web worker', engine)
  holdShift('first visit', interactive, engine)
  await holdTraffic('first visit', browser)

  await page.evaluate(() => releaseWorker())
  await installed(page)
  await counted.costs()
  await holdTraffic('service worker installed', browser)
  return counted
}

/** Gives the guest pairs, which the page then has with all that belongs to them. */
async function givePairs({ page, costs }: CountedPage, origin: string): Promise<void> {
  const known = await page.getByRole('article').count()
  const wanted = known === 0 ? PAIRS : CARDS
  await seedBoard(origin, { guest: await anonymousId(page) }, wanted - known, known)
  await fetchBoard(page)
  await expectCards(page, wanted)
  await costs()
  // Prices and histories are fetched beside the pairs: those of new coins come with the next turn.
  await fetchBoard(page)
  await expectFigures(page)
  await costs()
}

async function start(browser: CountedBrowser, page: Page, origin: string): Promise<CountedPage> {
  const when = `start with ${PAIRS} pairs`
  await browser.traffic.read()
  const counted = await browser.open(page, origin)
  await expectCards(page, PAIRS)
  await expectFigures(page)
  const interactive = await counted.costs()
  holdScript(`${when} until interactive`, interactive)
  holdDatabase(`${when} until interactive`, interactive)

  await page.evaluate(() => releaseWorker())
  const answered = await counted.costs()
  holdDatabase(`${when}, answer of the service worker`, answered)
  holdShift(when, interactive, answered)
  await holdTraffic(when, browser)
  return counted
}

async function priceEvent({ page, costs }: CountedPage): Promise<void> {
  await page.setViewportSize(TALL_WINDOW)
  const [webWorker] = page.workers()
  await webWorker!.evaluate(await browserCode('all-prices'))
  // The marks of the first event are changed by the second.
  await webWorker!.evaluate(() => setAllPrices(1.01))
  await costs()
  await webWorker!.evaluate(() => setAllPrices(1))
  const event = await costs()
  await page.setViewportSize(WINDOW)
  const when = `a price for ${CARDS} cards`
  hold(`${when}: writes to the document`, event.documentWrites)
  holdDatabase(when, event)
}

/** Milliseconds after which the page's clock has a press sent (src/app/bridge/clock.ts). */
const PAINT_TIME = 100

async function press({ page, costs }: CountedPage): Promise<void> {
  const pair = (await cardNames(page))[0] ?? ''
  const dialog = await openThreshold(page, pair, 'High')
  await dialog.getByLabel('Threshold').fill(String(2 * (await shownRatio(page, pair))))
  await costs()
  await dialog.getByRole('button', { name: 'Set & Arm Alert' }).click()
  await expect(dialog).toBeHidden()
  const pressed = await costs()
  hold('a press that sets a threshold: IndexedDB transactions of the page that write', pressed.writing)
  holdDatabase('a press that sets a threshold', pressed)
  await page.evaluate((paintTime) => passTime(paintTime), PAINT_TIME)
  // Read by the service worker: a read of the page would count.
  const [worker] = page.context().serviceWorkers()
  await expect.poll(() => worker!.evaluate(recordsOf, 'outbox')).toEqual([])
  const sent = await costs()
  holdDatabase('a press that sets a threshold, sent', {
    ...sent,
    transactions: pressed.transactions + sent.transactions,
    requests: pressed.requests + sent.requests,
    commits: pressed.commits + sent.commits,
  })
}

test('a first visit, a start with 50 pairs, a price for 60 cards and a press cost the page what tests/budgets.json allows', async ({
  page,
  context,
  wide: { origin },
}) => {
  const browser = await countedBrowser(context)
  const visit = await firstVisit(browser, page, origin)
  await givePairs(visit, origin)
  await page.close()
  const started = await start(browser, await context.newPage(), origin)
  await givePairs(started, origin)
  await priceEvent(started)
  await press(started)
})
