import { expect, type Locator } from 'playwright/test'
import { chart, openChart } from './support/app'
import { violations } from './support/axe'
import { openBoard, PAIR } from './support/board'
import { choose } from './support/pair-chart'
import { test } from './support/test'

/** Presses in the middle of an element's right half and moves so many pixels down. */
async function drag(handle: Locator, down: number): Promise<void> {
  const box = (await handle.boundingBox())!
  const mouse = handle.page().mouse
  const [x, y] = [box.x + box.width - 10, box.y + box.height / 2]
  await mouse.move(x, y)
  await mouse.down()
  await mouse.move(x, y + down / 2)
  await mouse.move(x, y + down)
  await mouse.up()
}

test('an alert line is dragged with the mouse and moved by keys, undone, and dragged again without a network', async ({
  page,
  context,
}) => {
  await openBoard(page, [PAIR])
  await openChart(page, PAIR)
  await choose(page, '7d')
  const main = chart(page, PAIR)
  const alerts = main.getByText(/^Widget Alerts:/)
  await expect(alerts).toHaveText('Widget Alerts: high N/A / low N/A')
  await drag(main.getByRole('slider', { name: 'Set high alert here' }), 40)
  const high = main.getByRole('slider', { name: 'High alert' })
  await expect(alerts).toHaveText(/^Widget Alerts: high \d.* \/ low N\/A$/)
  const first = await alerts.textContent()
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: /^High alert of BTC\/ETH set to .*Dismiss$/ }).click()

  await high.focus()
  await page.keyboard.press('Shift+ArrowUp')
  await expect(high).toHaveAttribute('aria-valuetext', /not stored/)
  await page.keyboard.press('Enter')
  await expect(high).not.toHaveAttribute('aria-valuetext', /not stored/)
  await expect(alerts).not.toHaveText(first!)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(alerts).toHaveText(first!)

  await context.setOffline(true)
  await drag(high, -30)
  await expect(alerts).not.toHaveText(first!)
  const second = await alerts.textContent()
  await page.reload()
  await expect(alerts).toHaveText(second!)
})

test(
  'the backtest opens below the chart, and its fee and its choice stay for the next chart',
  { tag: '@full' },
  async ({ page }) => {
    await openBoard(page, [PAIR])
    await openChart(page, PAIR)
    const main = chart(page, PAIR)
    await main.getByRole('button', { name: /^Backtest/ }).click()
    const card = page.getByRole('region', { name: 'Backtest' })
    await expect(card).toContainText('Past swings promise nothing.')
    await expect(card).toContainText('At the bands of the chart')
    await expect(card).toContainText(/swap|reached neither side/)
    await card.getByRole('textbox', { name: 'Cost of a swap (fee and spread), %' }).fill('0,5')
    expect(await violations(page)).toEqual([])
    await page.reload()
    await expect(card.getByRole('textbox', { name: 'Cost of a swap (fee and spread), %' })).toHaveValue('0.5')
  },
)
