import { expect } from 'playwright/test'
import { card } from './support/app'
import { violations } from './support/axe'
import { openBoard } from './support/board'
import { test } from './support/test'

const FIVE = ['BTC / ETH', 'SOL / ETH', 'XRP / ETH', 'XRP / BTC', 'ICP / SOL'] as const

test(
  'each card shows its place in 90 days, the line names the pairs at an extreme, and an order puts these first and comes back',
  { tag: '@full' },
  async ({ page }) => {
    await page.addInitScript(() => {
      Object.assign(globalThis, { badges: [] })
      Object.assign(navigator, {
        setAppBadge: async (count: number) => void (globalThis as unknown as { badges: number[] }).badges.push(count),
        clearAppBadge: async () => undefined,
      })
    })
    await openBoard(page, FIVE)
    const place = (pair: string) => card(page, pair).locator('a[href="/figures#percentile"]')
    // The server learns the days of a coin outside its list once the coin is watched: ICP may still be without.
    for (const pair of FIVE.slice(0, 4)) await expect(place(pair)).toHaveText(/in 90 days.+ of 90 days/)
    const line = page.getByRole('group', { name: 'Extremes' })
    await expect(line).toContainText(/\d of 5 at an extreme of 90 days|None of your 5 pairs is at an extreme/)
    expect(await violations(page)).toEqual([])

    const cards = () => page.getByRole('article').getByRole('heading').allTextContents()
    expect(await cards()).toEqual([...FIVE])
    const order = page.getByRole('combobox', { name: 'Order' })
    await order.selectOption('Most extreme first')
    const outwardness = async () => {
      const words = await page.locator('article a[href="/figures#percentile"]').allTextContents()
      return words.map((text) => {
        const rank = /(\d+)(?:st|nd|rd|th)/.exec(text)
        if (text === '') return -1
        return rank === null ? 50 : Math.abs(Number(rank[1]) - 50)
      })
    }
    await expect
      .poll(async () => {
        const found = await outwardness()
        return found.length === 5 && found.every((one, index) => index === 0 || found[index - 1]! + 1 >= one)
      })
      .toBe(true)
    await expect(page.getByRole('button', { name: 'Move pair', exact: true })).toHaveCount(0)
    const ordered = await cards()
    await page.getByRole('button', { name: 'List', exact: true }).click()
    const rows = () =>
      page.getByRole('table', { name: 'Pairs' }).getByRole('rowheader').getByRole('link').allTextContents()
    await expect.poll(rows).toEqual(ordered)
    await page.getByRole('button', { name: 'Cards', exact: true }).click()
    await page.getByRole('combobox', { name: 'Order' }).selectOption('By hand')
    await expect.poll(cards).toEqual([...FIVE])
    await expect(page.getByRole('button', { name: 'Move pair', exact: true })).toHaveCount(5)

    const named = /^(\d+) of 5/.exec((await line.textContent()) ?? '')
    await page.evaluate(() => {
      Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => 'hidden' })
      document.dispatchEvent(new Event('visibilitychange'))
    })
    const badge = () => page.evaluate(() => (globalThis as unknown as { badges: number[] }).badges.at(-1) ?? null)
    await expect.poll(badge).toBe(named === null ? null : Number(named[1]))
  },
)
