import { expect } from 'playwright/test'
import { card } from './support/app'
import { violations } from './support/axe'
import { openBoard, PAIR } from './support/board'
import { test } from './support/test'
import { readTable } from './support/truth'

test('a pair that is on no dashboard is looked at with its chart and words, and added with thresholds', async ({
  page,
}) => {
  await openBoard(page, [PAIR])
  await page.goto('/radar/solana/ripple')
  await expect(page.getByRole('heading', { name: 'SOL/XRP Historical Ratio' })).toBeVisible()
  await expect(page.getByRole('slider', { name: 'SOL/XRP ratio by time' })).toHaveAttribute('data-dimmed', 'false')
  const words = page.getByRole('region', { name: 'SOL / XRP in the days before' })
  const place = page.getByRole('link', { name: /The close of .+, was (higher|lower) than on .+ of the last 90/ })
  await expect(place).toBeInViewport()
  await words.getByRole('button', { name: '1 y' }).click()
  await expect(page.getByRole('link', { name: /, was (higher|lower) than on .+ of the last 365/ })).toBeVisible()
  expect(await violations(page)).toEqual([])
  // With larger letters its rows wrap.
  await page.setViewportSize({ width: 360, height: 740 })
  const beyond = await page.evaluate(() => {
    const root = document.documentElement
    root.style.fontSize = '20px'
    const width = root.scrollWidth - root.clientWidth
    root.style.fontSize = ''
    return width
  })
  expect(beyond).toBeLessThanOrEqual(0)
  await page.getByRole('button', { name: 'Add SOL / XRP' }).press('Enter')
  await expect(page.getByText('SOL / XRP is on your dashboard.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Open its chart' })).toBeFocused()
  await page.getByRole('link', { name: 'Dashboard' }).first().click()
  await expect(card(page, 'SOL / XRP')).toBeVisible()
  await expect(card(page, 'SOL / XRP').getByRole('button', { name: /High/ }).first()).not.toContainText('N/A')
})

test('offline after one visit, the sheet of a pair that was never opened is drawn from daily closes', async ({
  page,
  context,
}) => {
  await openBoard(page, [PAIR])
  await expect.poll(() => readTable(page, 'daily_closes')).toHaveLength(1)
  await context.setOffline(true)
  await page.goto('/radar/cardano/ripple/1y')
  await expect(page.getByRole('slider', { name: 'ADA/XRP ratio by time' })).toHaveAttribute('data-dimmed', 'false')
  await expect(page.getByText('Drawn from daily closes where no finer history has been loaded')).toBeVisible()
  await expect(
    page.getByRole('link', { name: /The close of .+, was (higher|lower) than on .+ of the last 90/ }),
  ).toBeVisible()
})
