import { type Locator, type Page, expect } from 'playwright/test'
import { chart, type Drawn, drawnIn, openChart } from './app'
import { openBoard, PAIR } from './board'

export const PERIODS = ['24h', '7d', '1m', '3m', '1y'] as const

/** Texts and figures on the chart of `PAIR`. */
export const onChart = (page: Page, button: string): Locator =>
  chart(page, PAIR).getByRole('button', { name: button, exact: true })

export const plot = (page: Page): Locator => chart(page, PAIR).getByRole('slider', { name: /ratio by time/ })
export const valueText = (page: Page) => plot(page).getAttribute('aria-valuetext')

/** Waits until the chosen period's own chart stands, not the dimmed one before it. */
export async function choose(page: Page, name: string): Promise<void> {
  await onChart(page, name).click()
  await expect(plot(page)).toHaveAttribute('data-dimmed', 'false')
}

/** Places on the canvas of `PAIR` that have a token's colour. */
export const drawn = (page: Page, token: string): Promise<Drawn> => drawnIn(chart(page, PAIR), token)

/** Opens the chart of `PAIR` and waits until it is drawn. */
export async function openPairChart(page: Page): Promise<void> {
  await openBoard(page, [PAIR])
  await openChart(page, PAIR)
}
