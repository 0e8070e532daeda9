import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright/test'
import { addPair, openChart } from '../e2e/support/app'
import { expect, test } from '../e2e/support/test'

const root = fileURLToPath(new URL('../..', import.meta.url))
const PAIRS = [
  ['Ethereum', 'Bitcoin'],
  ['Solana', 'Ethereum'],
  ['XRP', 'Cardano'],
  ['Chainlink', 'Ethereum'],
  ['Litecoin', 'Bitcoin'],
] as const

const shapes = [
  { name: 'narrow', viewport: { width: 360, height: 780 }, deviceScaleFactor: 2 },
  { name: 'wide', viewport: { width: 1440, height: 900 }, deviceScaleFactor: 1 },
] as const

/** Into the folder that the manifest names. */
const shoot = async (page: Page, name: string) => {
  await page.evaluate(async () => {
    await document.fonts.ready
    window.scrollTo(0, 0)
  })
  await page.mouse.move(0, 0)
  await page.screenshot({ path: join(root, `public/screenshots/${name}.png`), animations: 'disabled' })
}

for (const { name, ...shape } of shapes) {
  test.describe(name, () => {
    test.use({ ...shape, colorScheme: 'dark' })

    test('screenshots of the dashboard and the chart are taken for the web manifest', async ({ page }) => {
      await page.goto('/')
      for (const [base, quote] of PAIRS) await addPair(page, base, quote)
      await expect(page.getByText('Saving...')).toHaveCount(0)
      await page.reload()
      await expect(page.getByRole('article').getByText(/^[+−]\d+\.\d+%$/)).toHaveCount(PAIRS.length)
      await shoot(page, `dashboard-${name}`)
      if (name === 'wide')
        copyFileSync(join(root, 'public/screenshots/dashboard-wide.png'), join(root, 'docs/pictures/app.png'))

      await openChart(page, 'ETH / BTC')
      await page.getByRole('button', { name: 'Bands (2σ)' }).click()
      await shoot(page, `chart-${name}`)
    })
  })
}
