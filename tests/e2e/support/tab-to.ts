import { expect, type Locator, type Page } from 'playwright/test'

/** Walks there by the tab key. @param within presses */
export async function tabTo(page: Page, target: Locator, within = 80): Promise<void> {
  await expect(target).toBeVisible()
  for (let presses = 0; presses <= within; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`The tab key does not lead to ${target.toString()}.`)
}

/**
 * Walks on by the tab key until the focus leaves a region. The names of those that stand wholly above
 * the one before them: they are out of the order of the screen. Both are measured at once, since content comes meanwhile.
 */
export async function outOfOrder(page: Page, region: Locator): Promise<readonly string[]> {
  const wrong: string[] = []
  let before = await page.evaluateHandle(() => document.activeElement)
  for (let presses = 0; presses < 80; presses += 1) {
    await page.keyboard.press('Tab')
    const focused = await page.evaluateHandle(() => document.activeElement)
    if (!(await region.evaluate((element, stop) => element.contains(stop), focused))) return wrong
    const name = await page.evaluate(
      ({ one, other }) => {
        if (one === null || other === null || !one.isConnected) return null
        const nameOf = (element: Element) => element.getAttribute('aria-label') ?? element.textContent
        const isAbove = other.getBoundingClientRect().bottom <= one.getBoundingClientRect().top
        return isAbove ? `${nameOf(other)} after ${nameOf(one)}` : null
      },
      { one: before, other: focused },
    )
    if (name !== null) wrong.push(name)
    before = focused
  }
  throw new Error('The tab key does not lead out of the region.')
}
