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
 * the one before them: they are out of the order of the screen.
 */
export async function outOfOrder(page: Page, region: Locator): Promise<readonly string[]> {
  const wrong: string[] = []
  let top = -Infinity
  for (let presses = 0; presses < 80; presses += 1) {
    const stop = await region.evaluate((element) => {
      const focused = document.activeElement
      if (focused === null || !element.contains(focused)) return null
      const box = focused.getBoundingClientRect()
      const name = focused.getAttribute('aria-label') ?? focused.textContent.trim()
      return { name, top: box.top + scrollY, bottom: box.bottom + scrollY }
    })
    if (stop === null) return wrong
    if (stop.bottom <= top) wrong.push(stop.name)
    top = stop.top
    await page.keyboard.press('Tab')
  }
  throw new Error('The tab key does not lead out of the region.')
}
