import type { BrowserContext, Page, Worker } from 'playwright/test'
import { browserCode } from './browser-code'
import { installed } from './app'

/** Changes what coins cost, as a poll of the service worker does. */
export interface LivePrices {
  /** Multiplies the price of each coin named. */
  move(factors: Readonly<Record<string, number>>): Promise<void>
  /** Ids of the coins that have a price. */
  coins(): Promise<readonly string[]>
}

declare global {
  function movePrices(factors: Readonly<Record<string, number>>): Promise<void>
  function pricedCoins(): Promise<readonly string[]>
  function pullCrossing(pair: string): Promise<void>
}

export async function livePrices(page: Page): Promise<LivePrices> {
  const worker = await serviceWorker(page)
  await worker.evaluate(await browserCode('write-prices'))
  return {
    move: (factors) => worker.evaluate((moved) => movePrices(moved), factors),
    coins: () => worker.evaluate(() => pricedCoins()),
  }
}

/** Brings a crossing of the watched pair's high threshold, as a pull of the service worker does. */
export async function crossHigh(page: Page, pair: string): Promise<void> {
  const worker = await serviceWorker(page)
  await worker.evaluate(await browserCode('pull-crossing'))
  await worker.evaluate((name) => pullCrossing(name), pair)
}

async function serviceWorker(page: Page): Promise<Worker> {
  await installed(page)
  const context: BrowserContext = page.context()
  return context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'))
}
