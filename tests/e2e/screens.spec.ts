import type { Page } from 'playwright/test'
import { openChart } from './support/app'
import { openBoard } from './support/board'
import { expect, test } from './support/test'
import { checkViews, PHONE } from './support/views'

const screens: readonly { name: string; open: (page: Page) => Promise<void> }[] = [
  {
    name: 'empty dashboard',
    open: async (page) => {
      await page.goto('/')
      await expect(page.getByText("You haven't added any crypto pairs yet.")).toBeVisible()
    },
  },
  {
    name: 'Create New Pair, its list open',
    open: async (page) => {
      await page.goto('/?add-pair')
      await page.getByRole('combobox', { name: 'Base coin', exact: true }).fill('co')
      await expect(page.getByRole('listbox').getByRole('option').first()).toBeVisible()
    },
  },
  {
    name: 'dashboard with pairs',
    open: async (page) => {
      await openBoard(page, ['BTC / ETH', 'ICP / SOL'])
      await expect(page.getByRole('article')).toHaveCount(2)
    },
  },
  {
    name: 'Confirm Deletion',
    open: async (page) => {
      await page.goto('/')
      await page.getByRole('button', { name: 'Remove pair' }).first().click()
      await expect(page.getByRole('alertdialog', { name: 'Confirm Deletion' })).toBeVisible()
    },
  },
  {
    name: 'chart',
    open: async (page) => {
      await page.goto('/')
      await openChart(page, 'BTC / ETH')
      await page.getByRole('button', { name: 'Bands (2σ)' }).click()
    },
  },
  { name: 'alerts', open: async (page) => void (await page.goto('/alerts')) },
  { name: 'status', open: async (page) => void (await page.goto('/status')) },
  { name: 'settings', open: async (page) => void (await page.goto('/settings')) },
  { name: 'an address that does not exist', open: async (page) => void (await page.goto('/nowhere')) },
]

test.use(PHONE)

test('every screen of the app is accessible in both themes, fits its width and has large touch targets', async ({
  page,
}) => {
  for (const { name, open } of screens) {
    await test.step(name, async () => {
      await open(page)
      await expect(page.locator('main')).toBeVisible()
      await checkViews(page, name)
    })
  }
})
