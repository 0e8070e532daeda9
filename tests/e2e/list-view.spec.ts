import { expect } from 'playwright/test'
import { chart, expectChart } from './support/app'
import { openBoard } from './support/board'
import { test } from './support/test'

test(
  'a user walks the pairs of the list by keys with the chart beside it, sorts, searches, and finds the list again after a reload',
  { tag: '@full' },
  async ({ page }) => {
    await page.setViewportSize({ width: 1440, height: 900 })
    await openBoard(page, ['BTC / ETH', 'SOL / ETH', 'XRP / ETH'])
    await page.getByRole('button', { name: 'List', exact: true }).click()
    const table = page.getByRole('table', { name: 'Pairs' })
    const pairs = () => table.getByRole('rowheader').getByRole('link').allTextContents()
    await expect.poll(pairs).toEqual(['BTC / ETH', 'SOL / ETH', 'XRP / ETH'])
    await expectChart(page, 'BTC / ETH')

    await page.keyboard.press('j')
    await expect(table.getByRole('link', { name: 'SOL / ETH' })).toBeFocused()
    await expectChart(page, 'SOL / ETH')
    await expect(page).toHaveURL(/\/chart\/[^/]+\/7d$/)
    await page.keyboard.press('j')
    await expectChart(page, 'XRP / ETH')
    await page.goBack()
    await expect(page).toHaveURL(/\/$/)
    await expectChart(page, 'BTC / ETH')

    await table.getByRole('columnheader', { name: 'Pair' }).getByRole('button').click()
    await table.getByRole('columnheader', { name: 'Pair' }).getByRole('button').click()
    await expect.poll(pairs).toEqual(['XRP / ETH', 'SOL / ETH', 'BTC / ETH'])
    await page.keyboard.press('/')
    await page.keyboard.type('sol')
    await expect.poll(pairs).toEqual(['SOL / ETH'])
    await page.keyboard.press('Escape')

    await page.reload()
    await expect.poll(pairs).toEqual(['XRP / ETH', 'SOL / ETH', 'BTC / ETH'])
    await page.getByRole('combobox', { name: 'Order' }).selectOption('By hand')
    await expect.poll(pairs).toEqual(['BTC / ETH', 'SOL / ETH', 'XRP / ETH'])

    await table.getByRole('link', { name: 'SOL / ETH' }).click()
    await expectChart(page, 'SOL / ETH')
    await page.keyboard.press('Escape')
    await expect(chart(page, 'SOL / ETH')).toBeHidden()
    await expect(table).toBeVisible()
  },
)
