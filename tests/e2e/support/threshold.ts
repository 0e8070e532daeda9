import { expect, type Locator, type Page } from 'playwright/test'
import { card, onCard, ratioOf } from './app'

export type Side = 'High' | 'Low'

export const thresholdBox = (page: Page, pair: string, side: Side): Locator => onCard(page, pair, `${side} threshold`)

/** The number that a card shows as the ratio. */
export async function shownRatio(page: Page, pair: string): Promise<number> {
  await expect(ratioOf(page, pair)).toHaveText(/^[\d,.]+$/)
  return Number((await ratioOf(page, pair).textContent())?.replaceAll(',', ''))
}

export async function openThreshold(page: Page, pair: string, side: Side): Promise<Locator> {
  await thresholdBox(page, pair, side).click()
  const dialog = page.getByRole('dialog', { name: `${pair} - ${side} Alert`, exact: true })
  await expect(dialog.getByLabel('Threshold')).toBeFocused()
  return dialog
}

/** Sets a threshold as a person does, whatever the button says. */
export async function setThreshold(page: Page, pair: string, side: Side, value: string): Promise<void> {
  const dialog = await openThreshold(page, pair, side)
  await dialog.getByLabel('Threshold').fill(value)
  await dialog.getByRole('button', { name: /^(Set & Arm Alert|Save Disarmed)$/ }).click()
  await expect(dialog).toBeHidden()
}

export const alertSwitch = (page: Page, pair: string): Locator =>
  card(page, pair).getByRole('switch', { name: 'Alerts' })
