import { expect } from 'playwright/test'
import { card, chart } from './support/app'
import { violations } from './support/axe'
import { openBoard, PAIR } from './support/board'
import { plot } from './support/pair-chart'
import { outOfOrder, tabTo } from './support/tab-to'
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

test('by keys alone a user opens a pair, its alert, checkpoint and swap math, chooses a period and is back at the card, on a phone and at a desk', async ({
  page,
}) => {
  await openBoard(page, [PAIR])
  for (const viewport of [
    { width: 360, height: 740 },
    { width: 1440, height: 900 },
  ]) {
    await page.setViewportSize(viewport)
    await tabTo(page, card(page, PAIR).getByRole('link', { name: PAIR }))
    await page.keyboard.press('Enter')
    await expect(plot(page)).toHaveAttribute('data-dimmed', 'false')
    const onPage = (name: string) => chart(page, PAIR).getByRole('button', { name, exact: true })
    await tabTo(page, onPage('Close chart'))
    for (const [opener, dialog] of [
      ['Alert', /Alert$/],
      ['Checkpoint', null],
      ['Swap math', /Swap Math$/],
    ] as const) {
      await tabTo(page, onPage(opener), 4)
      await page.keyboard.press('Enter')
      if (dialog === null) await expect(page.getByText(/^Since checkpoint/)).toBeVisible()
      else {
        await expect(page.getByRole('dialog', { name: dialog }).getByRole('textbox')).toBeFocused()
        await page.keyboard.press('Escape')
      }
      await expect(onPage(opener)).toBeFocused()
    }
    await tabTo(page, onPage('1y'), 12)
    await page.keyboard.press('Enter')
    await expect(onPage('1y')).toHaveAttribute('aria-pressed', 'true')
    // On a phone the order is reading-flow's, which Chromium loses (chart-frame.module.css).
    if (viewport.width === 1440) {
      await expect(onPage('show the bands first')).toBeVisible()
      expect(await outOfOrder(page, chart(page, PAIR)), 'above the one before').toEqual([])
    }
    await page.keyboard.press('Escape')
    await expect(card(page, PAIR)).toBeFocused()
  }
})
