import { expect, type Locator, type Page } from 'playwright/test'

/** Waits until the service worker has everything that the app needs offline. */
export async function installed(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const { active } = await navigator.serviceWorker.ready
    const { port1, port2 } = new MessageChannel()
    const kept = new Promise((resolve) => {
      port1.addEventListener('message', resolve)
    })
    port1.start()
    active!.postMessage({ type: 'KEEP_ALL' }, [port2])
    await kept
    port1.close()
  })
}

export const card = (page: Page, pair: string): Locator => page.getByRole('article', { name: pair })

/** The card's current ratio; a button, since a click can save it as a checkpoint. */
export const ratioOf = (page: Page, pair: string): Locator => onCard(page, pair, 'Current ratio')

/** A button of a card by its exact name. */
export const onCard = (page: Page, pair: string, button: string): Locator =>
  card(page, pair).getByRole('button', { name: button, exact: true })

/** A figure of a card by its label, such as "Since checkpoint". */
export const figureOf = (page: Page, pair: string, label: string): Locator =>
  card(page, pair).locator('dt', { hasText: label }).locator('xpath=following-sibling::dd')

/** The names of the cards on the screen, in order. */
export const cardNames = (page: Page): Promise<(string | null)[]> =>
  page.getByRole('article').evaluateAll((cards) =>
    cards.map((element) => {
      const labelledBy = element.getAttribute('aria-labelledby')
      const label = labelledBy === null ? null : (document.getElementById(labelledBy)?.textContent ?? null)
      return element.getAttribute('aria-label') ?? label
    }),
  )

/** Reads toasts one after the other, each dismissed by a click, until one says `text`, which then stands. */
export async function untilToast(page: Page, text: string | RegExp): Promise<Locator> {
  const toast = page.locator('[popover]').filter({ has: page.getByText('Dismiss') })
  const wanted = toast.filter({ hasText: text })
  // By their words: a toast that goes by itself before the click leaves its place to the one that is waited for.
  const others = toast.filter({ hasNotText: text })
  await expect(async () => {
    await expect(toast).toBeVisible({ timeout: 10_000 })
    if (!(await wanted.isVisible())) await others.getByRole('button').first().click({ timeout: 1_000 })
    await expect(wanted).toBeVisible({ timeout: 500 })
  }).toPass({ timeout: 40_000 })
  return wanted
}

/** Adds a pair as a person does; coins by name, such as "Bitcoin". */
export async function addPair(page: Page, base: string, quote: string): Promise<void> {
  await page.getByRole('button', { name: 'Add Pair', exact: true }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Create New Pair' })
  for (const [label, coin] of [
    ['Base coin', base],
    ['Quote coin', quote],
  ] as const) {
    await dialog.getByRole('combobox', { name: label, exact: true }).fill(coin)
    await page
      .getByRole('option', { name: new RegExp(`^${coin}\\b`) })
      .first()
      .click()
  }
  await dialog.getByRole('button', { name: 'Add Pair', exact: true }).click()
  await expect(dialog).toBeHidden()
}

export async function removePair(page: Page, pair: string): Promise<void> {
  await onCard(page, pair, 'Remove pair').click()
  const question = page.getByRole('alertdialog', { name: 'Confirm Deletion' })
  await question.getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(card(page, pair)).toBeHidden()
}

/** Moves a card to the front of its section by its menu, as the keyboard would. */
export async function movePairFirst(page: Page, pair: string): Promise<void> {
  await card(page, pair).getByRole('button', { name: 'Move pair', exact: true }).click()
  await card(page, pair).getByRole('menuitem', { name: 'Move first' }).click()
}

/** The chart of a pair, such as "BTC / ETH". */
export const chart = (page: Page, pair: string): Locator =>
  page.getByRole('region', { name: `${pair.replace(' / ', '/')} Historical Ratio` })

export async function openChart(page: Page, pair: string): Promise<void> {
  await card(page, pair).getByRole('button', { name: 'Open chart' }).click()
  await expectChart(page, pair)
}

/** Waits until a chart shows its line: not a frame, not a message, but drawn points. */
export async function expectChart(page: Page, pair: string): Promise<void> {
  await expect(chart(page, pair).locator('canvas')).toBeVisible()
  const pixels = async () => (await drawnIn(chart(page, pair), '--chart-ratio')).count
  await expect.poll(pixels, 'pixels in the colour of the ratio').toBeGreaterThan(200)
}

export interface Drawn {
  /** Pixels in the colour of a token. */
  readonly count: number
  /** Leftmost and rightmost of them, as a share of the canvas. */
  readonly left: number
  readonly right: number
}

/** Places on the canvas that have a token's colour: a chart that drew nothing must not pass for one. */
export function drawnIn(region: Locator, token: string): Promise<Drawn> {
  return region.locator('canvas').evaluate((element, name) => {
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
