import { expect, type Locator, type Page } from 'playwright/test'

/** Waits until the service worker has everything that the app needs offline. */
export async function installed(page: Page): Promise<void> {
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
}

export const card = (page: Page, pair: string): Locator => page.getByRole('article', { name: pair })

/** The names of the cards on the screen, in order. */
export const cardNames = (page: Page): Promise<(string | null)[]> =>
  page.getByRole('article').evaluateAll((cards) =>
    cards.map((element) => {
      const labelledBy = element.getAttribute('aria-labelledby')
      const label = labelledBy === null ? null : (document.getElementById(labelledBy)?.textContent ?? null)
      return element.getAttribute('aria-label') ?? label
    }),
  )

/** Adds a pair as a person does; coins by name, such as "Bitcoin". */
export async function addPair(page: Page, base: string, quote: string): Promise<void> {
  await page.getByRole('button', { name: 'Add Pair', exact: true }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Create New Pair' })
  for (const [label, coin] of [
    ['Base coin', base],
    ['Quote coin', quote],
  ] as const) {
    await dialog.getByRole('combobox', { name: label }).fill(coin)
    await page
      .getByRole('option', { name: new RegExp(`^${coin}\\b`) })
      .first()
      .click()
  }
  await dialog.getByRole('button', { name: 'Add Pair', exact: true }).click()
  await expect(dialog).toBeHidden()
}

export async function removePair(page: Page, pair: string): Promise<void> {
  await card(page, pair).getByRole('button', { name: 'Remove pair' }).click()
  await page.getByRole('alertdialog', { name: 'Confirm Deletion' }).getByRole('button', { name: 'Remove' }).click()
  await expect(card(page, pair)).toBeHidden()
}
