import type { Page } from 'playwright/test'
import { openBoard } from './support/board'
import { expect, test } from './support/test'

const rows = (page: Page) => page.getByRole('region', { name: 'Pairs' }).getByRole('listitem')

/** Distances from the average of the rows in the document, in their order. */
const distances = async (page: Page): Promise<number[]> => {
  const texts = await rows(page).allTextContents()
  return texts.map((text) => Math.abs(Number(/[+−]?([\d.]+)σ/.exec(text)?.[1])))
}

/** Opens Radar by its link, as a person does. */
async function openRadar(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Radar', exact: true }).first().click()
  await expect(rows(page).first()).toBeVisible()
}

test('a user finds the most extreme pair on Radar, filters, opens a pair, and comes back to the same list, offline too', async ({
  page,
  context,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await openBoard(page, ['BTC / ETH'])
  await openRadar(page)
  const found = await distances(page)
  expect(found.length).toBeGreaterThan(10)
  expect(found).toEqual(found.toSorted((a, b) => b - a))
  await expect(page.getByRole('application', { name: /^Matrix of \d+ × \d+ coins$/ })).toBeVisible()

  await page.getByRole('combobox', { name: 'Coins' }).selectOption('My pairs')
  await expect(rows(page)).toHaveCount(1)
  await expect(rows(page).getByRole('link', { name: 'BTC / ETH' })).toBeVisible()
  await page.goBack()
  await page.getByRole('searchbox', { name: 'Search coins' }).fill('solana')
  await expect(page).toHaveURL(/\/radar\?q=solana$/)
  await expect.poll(async () => (await rows(page).allTextContents()).every((text) => text.includes('SOL'))).toBe(true)

  await context.setOffline(true)
  const first = rows(page).getByRole('link').first()
  const pair = await first.textContent()
  await first.click()
  await expect(page).toHaveURL(/\/radar\/[\w-]+\/[\w-]+$/)
  await page.goBack()
  await expect(page).toHaveURL(/\/radar\?q=solana$/)
  await expect(rows(page).getByRole('link').first()).toHaveText(pair ?? '')

  await page.reload()
  await expect(rows(page).getByRole('link').first()).toHaveText(pair ?? '')
  await page.getByRole('button', { name: '30 d' }).click()
  await expect(page).toHaveURL(/window=30/)
  await expect(rows(page).first()).toBeVisible()
})
