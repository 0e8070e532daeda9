import { type Locator, type Page, expect } from 'playwright/test'
import { chart, openChart } from './app'
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

interface Drawn {
  /** Pixels in the colour of a token. */
  readonly count: number
  /** Leftmost and rightmost of them, as a share of the canvas. */
  readonly left: number
  readonly right: number
}

/** Places on the canvas that have a token's colour: a chart that drew nothing must not pass for one. */
export function drawn(page: Page, token: string): Promise<Drawn> {
  return chart(page, PAIR)
    .locator('canvas')
    .evaluate((element, name) => {
      const canvas = element as HTMLCanvasElement
      const brush = document.createElement('canvas').getContext('2d')
      const pen = canvas.getContext('2d')
      if (brush === null || pen === null) throw new Error('no canvas')
      brush.fillStyle = getComputedStyle(document.documentElement).getPropertyValue(name).trim()
      brush.fillRect(0, 0, 1, 1)
      const [red = 0, green = 0, blue = 0] = brush.getImageData(0, 0, 1, 1).data
      const { data } = pen.getImageData(0, 0, canvas.width, canvas.height)
      let count = 0
      let left = 1
      let right = 0
      for (let i = 0; i < data.length; i += 4) {
        const near = (value: number | undefined, wanted: number) => Math.abs((value ?? 0) - wanted) <= 12
        if (!near(data[i], red) || !near(data[i + 1], green) || !near(data[i + 2], blue) || (data[i + 3] ?? 0) < 200)
          continue
        const x = ((i / 4) % canvas.width) / canvas.width
        count += 1
        left = Math.min(left, x)
        right = Math.max(right, x)
      }
      return { count, left, right }
    }, token)
}

/** Opens the chart of `PAIR` and waits until it is drawn. */
export async function openPairChart(page: Page): Promise<void> {
  await openBoard(page, [PAIR])
  await openChart(page, PAIR)
}
