import type { Page } from 'playwright/test'
import { installed } from './support/app'
import { overflow, smallTargets, violations } from './support/axe'
import { openBoard } from './support/board'
import { expect, test } from './support/test'

const rows = (page: Page) => page.getByRole('region', { name: 'Pairs' }).getByRole('listitem')

/** Distances from the average of the rows in the document, in their order. */
const distances = async (page: Page): Promise<number[]> => {
  const texts = await rows(page).allTextContents()
  return texts.map((text) => Math.abs(Number(/([+-]?[\d.]+)σ/.exec(text)?.[1])))
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

test('Radar has no serious axe violation and no small target, on a phone as list and as matrix, at a desk in both themes', async ({
  page,
}) => {
  await page.goto('/')
  await installed(page)
  await page.setViewportSize({ width: 360, height: 740 })
  await openRadar(page)
  expect(await violations(page)).toEqual([])
  expect(await overflow(page)).toBe(0)
  await page.getByRole('button', { name: 'Open matrix' }).click()
  await expect(page.getByRole('application')).toBeVisible()
  expect(await violations(page)).toEqual([])
  expect(await overflow(page)).toBe(0)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.getByRole('button', { name: 'List and matrix' }).click()
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.reload()
    await expect(rows(page).first()).toBeVisible()
    expect(await violations(page)).toEqual([])
  }
})

test.describe('by touch', () => {
  test.use({ hasTouch: true, viewport: { width: 360, height: 740 } })
  test('every control of Radar is large enough for a finger', async ({ page }) => {
    await page.goto('/')
    await installed(page)
    await openRadar(page)
    expect(await smallTargets(page)).toEqual([])
  })
})
