import type { BrowserContext, Page } from 'playwright/test'
import { startAppServer, type AppServer } from './support/app-server'
import { addPair, chart, expectChart, lineCoverage, openChart, ratioOf } from './support/app'
import { openBoard } from './support/board'
import { serverKnows } from './support/known-prices'
import { replayScript, startMarketReplay, type Fault, type MarketReplay } from './support/market-replay'
import { expect, test as base } from './support/test'

const PERIODS = ['24h', '7d', '1m', '3m', '1y']
const FAULTS: readonly Fault[] = ['429', '500', 'html', 'truncated', 'hang', 'null-prices']

/** A server that takes its market from recorded prices. */
const test = base.extend<{ market: MarketReplay; fed: AppServer }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures' names from the pattern
  market: async ({}, use) => {
    const market = await startMarketReplay()
    await use(market)
    await market.stop()
  },
  fed: async ({ market }, use) => {
    const server = await startAppServer({
      env: {
        MARKET_DATA: 'coingecko',
        COINGECKO_BASE_URL: market.baseUrl,
        COINGECKO_MONTHLY_CALLS: '100000000',
        PRICE_POLL_SECONDS: '1',
      },
    })
    await use(server)
    await server.stop()
  },
  baseURL: async ({ fed }, use) => use(fed.origin),
})

test.skip(replayScript === '', 'MARKET_REPLAY names no script that serves recorded prices')

/** A user whose browser has nothing cached. */
async function comeAnew(context: BrowserContext): Promise<void> {
  const newcomer = context.pages()[0] ?? (await context.newPage())
  await newcomer.goto('/')
  await addPair(newcomer, 'Bitcoin', 'Ethereum')
  await openChart(newcomer, 'BTC / ETH')
}

/** The ratio that a chart's heading shows, unrounded. */
const lastRatio = async (page: Page) =>
  Number(await chart(page, 'BTC / ETH').locator('data').first().getAttribute('value'))

test(
  'the chart ends at spot price A divided by spot price B and covers every period without a hole',
  { tag: '@full' },
  async ({ page, market, fed }) => {
    const pinned = { bitcoin: 100_000.5, ethereum: 4_321.25 }
    await market.pin(pinned)
    await serverKnows(fed.origin, pinned)
    await openBoard(page, ['BTC / ETH'])
    await openChart(page, 'BTC / ETH')

    for (const period of PERIODS) {
      await test.step(period, async () => {
        await page.getByRole('button', { name: period, exact: true }).click()
        await expectChart(page, 'BTC / ETH')
        await expect.poll(() => lastRatio(page)).toBeCloseTo(pinned.bitcoin / pinned.ethereum, 9)
        await expect.poll(() => lineCoverage(chart(page, 'BTC / ETH')), 'the line has no hole').toBeGreaterThan(0.97)
      })
    }
  },
)

test(
  'card, chart and server health stay as they were through every fault of the price provider',
  { tag: '@full' },
  async ({ page, market, fed, openBrowser }) => {
    await openBoard(page, ['BTC / ETH'])
    await openChart(page, 'BTC / ETH')

    for (const fault of FAULTS) {
      await test.step(fault, async () => {
        await market.fail(fault, 1_000)
        await page.goto('/')
        await expect(ratioOf(page, 'BTC / ETH')).toHaveText(/^\d+\.\d+$/)
        await openChart(page, 'BTC / ETH')
        await expect.poll(() => lineCoverage(chart(page, 'BTC / ETH'))).toBeGreaterThan(0.97)
        expect((await fetch(`${fed.origin}/healthz`)).status).toBe(200)
        expect((await fetch(`${fed.origin}/readyz`)).status).toBe(200)

        if (fault === 'hang') await comeAnew(await openBrowser())
        await market.fail('none', 0)
      })
    }
  },
)
