import { card, cardNames, figureOf, onCard, ratioOf } from './support/app'
import { openBoard } from './support/board'
import { tabTo } from './support/tab-to'
import { alertSwitch, shownRatio, thresholdBox } from './support/threshold'
import { expect, test } from './support/test'

test.use({ firstVisit: true })

test('a user sets, saves, sorts and removes everything on a card with the keyboard alone', async ({ page, push }) => {
  const pair = 'BTC / ETH'
  await openBoard(page, [pair, 'SOL / ETH'])
  const ratio = await shownRatio(page, pair)

  await tabTo(page, thresholdBox(page, pair, 'High'))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('textbox', { name: 'Threshold', exact: true })).toBeFocused()
  await page.keyboard.type(String(ratio * 2))
  await page.keyboard.press('Enter')
  // Enter is the press that sets the threshold and switches alerts on.
  await expect(alertSwitch(page, pair)).toBeChecked()
  await expect.poll(() => push.subscription()).not.toBeNull()
  await expect(thresholdBox(page, pair, 'High')).toHaveAccessibleDescription(/, armed$/)
  await expect(thresholdBox(page, pair, 'High')).toBeFocused()

  await tabTo(page, onCard(page, pair, 'Checkpoint'))
  await page.keyboard.press('Enter')
  await page.keyboard.press('Shift+Tab')
  await tabTo(page, ratioOf(page, pair))
  await page.keyboard.press('Enter')
  await expect(figureOf(page, pair, 'Since checkpoint')).toContainText('0.00%')
  await tabTo(page, onCard(page, pair, 'Delete checkpoint'))
  await page.keyboard.press('Enter')
  await expect(figureOf(page, pair, 'Since checkpoint')).toHaveText('n.a.')

  await tabTo(page, alertSwitch(page, pair))
  await page.keyboard.press('Space')
  await expect(alertSwitch(page, pair)).not.toBeChecked()
  await page.keyboard.press('Space')
  await expect(alertSwitch(page, pair)).toBeChecked()

  // Picked up, moved by steps of 25 px, put down, each when the one before has been heard.
  const heard = page.locator('[id^="DndLiveRegion"]')
  await expect(heard, 'sorting has loaded').toBeAttached()
  await tabTo(page, onCard(page, pair, 'Move pair'))
  const box = await card(page, pair).boundingBox()
  await page.keyboard.press('Space')
  await expect(heard).toContainText('picked up at position 1 of 2')
  const steps = Math.ceil((box?.width ?? 400) / 25)
  for (let step = 0; step < steps; step += 1) await page.keyboard.press('ArrowRight')
  await expect(heard).toContainText('is over position 2 of 2')
  await page.keyboard.press('Space')
  await expect.poll(() => cardNames(page)).toEqual(['SOL / ETH', pair])
  await expect(onCard(page, pair, 'Move pair')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem', { name: 'Move first' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect.poll(() => cardNames(page)).toEqual([pair, 'SOL / ETH'])

  await tabTo(page, onCard(page, pair, 'Remove pair'))
  await page.keyboard.press('Enter')
  const confirm = page.getByRole('alertdialog', { name: 'Confirm Deletion' })
  await tabTo(page, confirm.getByRole('button', { name: 'Remove', exact: true }))
  await page.keyboard.press('Enter')
  await expect(card(page, pair)).toHaveCount(0)
  await expect(card(page, 'SOL / ETH')).toBeFocused()
})
