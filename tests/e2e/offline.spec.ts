import type { Page } from 'playwright/test'
import { addPair, card, cardNames, expectChart, movePairFirst, openChart, removePair } from './support/app'
import { openBoard } from './support/board'
import { anonymousId, pairsOnServer, waitingChanges } from './support/truth'
import { expect, test } from './support/test'

const onServer = (page: Page, origin: string) => async () => pairsOnServer(origin, await anonymousId(page))

test('an offline browser shows the dashboard and charts it has seen, and its changes reach the server later', async ({
  page,
  context,
  server,
}) => {
  await openBoard(page, ['BTC / ETH', 'SOL / ETH'])
  await openChart(page, 'BTC / ETH')

  await context.setOffline(true)
  await page.reload()
  await expectChart(page, 'BTC / ETH')
  await page.goto('/')
  await expect(card(page, 'BTC / ETH')).toBeVisible()
  await expect(card(page, 'SOL / ETH')).toBeVisible()
  await expect(page.getByText('Offline')).toBeVisible()
  await openChart(page, 'BTC / ETH')
  await page.goBack()

  await addPair(page, 'XRP', 'Bitcoin')
  await removePair(page, 'SOL / ETH')
  await movePairFirst(page, 'XRP / BTC')
  await expect.poll(() => cardNames(page)).toEqual(['XRP / BTC', 'BTC / ETH'])
  await expect(page.getByText(/changes wait/)).toBeVisible()
  await expect.poll(() => waitingChanges(page), 'all three are stored').toBe(3)
  await page.reload()
  await expect.poll(() => cardNames(page)).toEqual(['XRP / BTC', 'BTC / ETH'])

  await context.setOffline(false)
  await expect.poll(onServer(page, server.origin), { timeout: 30_000 }).toEqual(['ripple/bitcoin', 'bitcoin/ethereum'])
  await expect.poll(() => waitingChanges(page)).toBe(0)
  await expect(page.getByText(/changes? waits?/)).toBeHidden()
  expect(await cardNames(page)).toEqual(['XRP / BTC', 'BTC / ETH'])
})
