import { card, chart, expectChart, openChart, ratioOf } from './support/app'
import { openBoard, PAIR } from './support/board'
import { choose, drawn, onChart, openPairChart, PERIODS, plot, valueText } from './support/pair-chart'
import { expect, test } from './support/test'

const LEFT_EDGE = 0.05

test('the chart draws the ratio of every period over its whole width, and EMA and bands on demand', async ({
  page,
}) => {
  await openPairChart(page)
  for (const name of PERIODS) {
    await choose(page, name)
    await expect(onChart(page, name)).toHaveAttribute('aria-pressed', 'true')
    await expect
      .poll(async () => (await drawn(page, '--chart-ratio')).left, `${name} starts at the left`)
      .toBeLessThan(LEFT_EDGE)
    const ratio = await drawn(page, '--chart-ratio')
    expect(ratio.count, `${name}: pixels of the ratio`).toBeGreaterThan(500)
    expect(ratio.right, `${name} ends at the right`).toBeGreaterThan(0.8)
  }

  expect((await drawn(page, '--chart-ema')).count).toBe(0)
  await chart(page, PAIR).getByRole('button', { name: 'EMA (30d Target)' }).click()
  await expect.poll(async () => (await drawn(page, '--chart-ema')).count).toBeGreaterThan(200)
  expect((await drawn(page, '--chart-ema')).left).toBeLessThan(LEFT_EDGE)

  const before = (await drawn(page, '--chart-band')).count
  await chart(page, PAIR).getByRole('button', { name: 'Bands (2σ)' }).click()
  await expect.poll(async () => (await drawn(page, '--chart-band')).count).toBeGreaterThan(before + 200)
  await expect(chart(page, PAIR).getByText(/^Current Bands: high \d/)).toBeVisible()
})

test('the chart’s last ratio equals the card’s ratio in every period', { tag: '@full' }, async ({ page }) => {
  await openBoard(page, [PAIR])
  const current = ratioOf(page, PAIR)
  await expect(current).toHaveText(/^\d+\.\d{4}$/)
  const shown = (await current.textContent()) ?? ''
  await openChart(page, PAIR)
  for (const name of PERIODS) {
    await choose(page, name)
    await expect(chart(page, PAIR).getByText(shown, { exact: true })).toBeVisible()
  }
})

test('arrow keys walk the chart’s points; wheel, drag and plus key zoom; double click and zero key reset', async ({
  page,
}) => {
  await openPairChart(page)
  await plot(page).focus()
  const newest = await valueText(page)
  expect(newest).toMatch(/^[A-Z][a-z]{2} \d{1,2}, \d{4} \d{2}:\d{2}, Ratio [\d.]+$/)
  await page.keyboard.press('Home')
  await expect.poll(() => plot(page).getAttribute('aria-valuenow')).toBe('0')
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => plot(page).getAttribute('aria-valuenow')).toBe('1')
  await page.keyboard.press('End')
  await page.keyboard.press('ArrowLeft')
  const last = Number(await plot(page).getAttribute('aria-valuemax'))
  await expect.poll(() => plot(page).getAttribute('aria-valuenow')).toBe(String(last - 1))

  const reset = chart(page, PAIR).getByRole('button', { name: 'Reset zoom' })
  const over = chart(page, PAIR).locator('.u-over')
  const box = await over.boundingBox()
  if (box === null) throw new Error('no plot')
  const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  await expect(reset).toBeHidden()

  await page.mouse.move(middle.x, middle.y)
  await page.mouse.wheel(0, -300)
  await expect(reset).toBeVisible()
  expect((await drawn(page, '--chart-ratio')).count).toBeGreaterThan(500)
  await page.mouse.dblclick(middle.x, middle.y)
  await expect(reset).toBeHidden()

  await page.mouse.move(box.x + box.width * 0.3, middle.y)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * 0.5, middle.y, { steps: 5 })
  await page.mouse.up()
  await expect(reset).toBeVisible()
  await reset.click()
  await expect(reset).toBeHidden()

  await plot(page).focus()
  await page.keyboard.press('+')
  await expect(reset).toBeVisible()
  await page.keyboard.press('0')
  await expect(reset).toBeHidden()
})

test('the browser’s Back leaves a chart in one step after period changes, and Escape closes the chart', async ({
  page,
}) => {
  await openPairChart(page)
  await choose(page, '1y')
  await choose(page, '24h')
  expect(page.url()).toMatch(/\/1d$/)
  await page.goBack()
  await expect(card(page, PAIR)).toBeVisible()
  await page.goForward()
  await expectChart(page, PAIR)
  await page.keyboard.press('Escape')
  await expect(card(page, PAIR)).toBeVisible()
})

test.describe('chart on a touch screen', () => {
  test.use({ hasTouch: true, viewport: { width: 360, height: 780 } })

  test('two fingers zoom the chart, one finger pans, a double tap resets', { tag: '@full' }, async ({ page }) => {
    await openPairChart(page)
    const over = chart(page, PAIR).locator('.u-over')
    await over.scrollIntoViewIfNeeded()
    const box = await over.boundingBox()
    if (box === null) throw new Error('no plot')
    expect(await over.evaluate((element) => getComputedStyle(element).touchAction)).toBe('pan-y')
    const y = box.y + box.height / 2
    const at = (share: number) => ({ x: box.x + box.width * share, y })
    const fingers = await page.context().newCDPSession(page)
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', shares: readonly number[]) =>
      fingers.send('Input.dispatchTouchEvent', { type, touchPoints: shares.map((share, id) => ({ ...at(share), id })) })
    const reset = chart(page, PAIR).getByRole('button', { name: 'Reset zoom' })

    await touch('touchStart', [0.4, 0.6])
    await touch('touchMove', [0.3, 0.7])
    await touch('touchMove', [0.2, 0.8])
    await touch('touchEnd', [])
    await expect(reset).toBeVisible()
    const zoomed = await drawn(page, '--chart-ratio')
    expect(zoomed.count).toBeGreaterThan(300)

    const picture = () => chart(page, PAIR).locator('canvas').screenshot()
    const before = await picture()
    await touch('touchStart', [0.3])
    await touch('touchMove', [0.5])
    await touch('touchMove', [0.8])
    await touch('touchEnd', [])
    expect((await picture()).equals(before), 'pushing moves the picture').toBe(false)

    await touch('touchStart', [0.5])
    await touch('touchEnd', [])
    await touch('touchStart', [0.5])
    await touch('touchEnd', [])
    await expect(reset).toBeHidden()
  })
})
