import { expect, type Page } from 'playwright/test'
import type { Widget } from '../../../src/contract/widget'
import { card, installed } from './app'
import { seedPairs, type PairName } from './seed-board'
import { shownRatio, thresholdBox, type Side } from './threshold'
import { anonymousId, widgetsOnServer } from './truth'

/** The pair of tests that need no more than one. */
export const PAIR = 'BTC / ETH'

/**
 * Opens the dashboard of a guest who has these pairs: the server is given them, and the app fetches them as those of
 * another device. The service worker is there then, and nothing waits to be sent.
 */
export async function openBoard(page: Page, pairs: readonly PairName[]): Promise<void> {
  await page.goto('/')
  await installed(page)
  await expect(page.getByRole('button', { name: '+ Add Your First Pair' })).toBeVisible()
  await seedPairs(new URL(page.url()).origin, { guest: await anonymousId(page) }, pairs)
  await fetchBoard(page)
  for (const pair of pairs) await expect(card(page, pair)).toBeVisible()
}

/** Lets the app ask the server for the board at once, as it does when the network is back. */
export const fetchBoard = (page: Page): Promise<void> =>
  page.evaluate(() => {
    dispatchEvent(new Event('online'))
  })

/** Opens the dashboard of a guest who has `PAIR`; the ratio that its card shows. */
export async function openPair(page: Page): Promise<number> {
  await openBoard(page, [PAIR])
  return shownRatio(page, PAIR)
}

/** The first widget of the guest that uses this browser, as the server has it. */
export async function onServer(page: Page, origin: string): Promise<Widget | undefined> {
  const [widget] = await widgetsOnServer(origin, { guest: await anonymousId(page) })
  return widget
}

/** Waits until a threshold box of `PAIR` has such a description. */
export const described = (page: Page, side: Side, words: RegExp): Promise<void> =>
  expect(thresholdBox(page, PAIR, side)).toHaveAccessibleDescription(words)
