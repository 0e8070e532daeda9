import { card } from './support/app'
import { described, onServer, openPair, PAIR } from './support/board'
import { openThreshold, setThreshold, thresholdBox } from './support/threshold'
import { readTable, waitingChanges } from './support/truth'
import { expect, test } from './support/test'

const SET = 'Set & Arm Alert'
const DISARMED = 'Save Disarmed'

test(
  'the threshold dialog proposes a value, validates typing, sets the threshold and clears it',
  { tag: '@full' },
  async ({ page, server }) => {
    const ratio = await openPair(page)
    await described(page, 'High', /not set/)

    const dialog = await openThreshold(page, PAIR, 'High')
    const field = dialog.getByLabel('Threshold')
    const button = (name: string) => dialog.getByRole('button', { name, exact: true })
    expect(Number(await field.inputValue()) / ratio).toBeCloseTo(1.05, 3)
    await expect(button(SET)).toBeVisible()

    await field.fill('much')
    await expect(dialog.getByText('Enter a numeric value.')).toBeVisible()
    await expect(field).toHaveAttribute('aria-invalid', 'true')
    await button(SET).click()
    await expect(dialog, 'what is no number cannot be saved').toBeVisible()
    await field.fill('0')
    await expect(dialog.getByText('High alert value must be greater than 0.')).toBeVisible()
    await field.fill(String(ratio / 2))
    await expect(
      dialog.getByText(/^Value is not above current ratio \([\d.]+\)\. Alert will be saved but not armed\.$/),
    ).toBeVisible()
    await expect(button(DISARMED)).toBeVisible()
    // A decimal comma is what many write.
    await field.fill((ratio * 2).toFixed(4).replace('.', ','))
    await expect(dialog.getByText(/^= [\d.]+, \d[\d.]*\s% above now$/)).toBeVisible()
    await button(SET).click()
    await expect(dialog).toBeHidden()
    await expect(thresholdBox(page, PAIR, 'High')).toBeFocused()
    await described(page, 'High', /(?<!dis)armed/)
    await expect.poll(async () => (await onServer(page, server.origin))?.high_threshold).toBeCloseTo(ratio * 2, 6)
    expect((await onServer(page, server.origin))?.high_threshold_active).toBe(true)

    const again = await openThreshold(page, PAIR, 'High')
    expect(Number(await again.getByLabel('Threshold').inputValue())).toBeCloseTo(ratio * 2, 6)
    await again.getByRole('button', { name: 'Clear threshold' }).click()
    await described(page, 'High', /not set/)
    await expect.poll(async () => (await onServer(page, server.origin))?.high_threshold).toBeNull()
  },
)

test(
  'a low threshold above the ratio is saved disarmed, and a value not above zero is refused',
  { tag: '@full' },
  async ({ page, server }) => {
    const ratio = await openPair(page)
    const dialog = await openThreshold(page, PAIR, 'Low')
    const field = dialog.getByLabel('Threshold')
    expect(Number(await field.inputValue()) / ratio).toBeCloseTo(0.95, 3)
    await field.fill('-1')
    await expect(dialog.getByText('Low alert value must be greater than 0.')).toBeVisible()
    await field.fill(String(ratio * 3))
    await expect(dialog.getByText(/^Value is not below current ratio/)).toBeVisible()
    await dialog.getByRole('button', { name: DISARMED }).click()
    await described(page, 'Low', /disarmed/)
    await described(page, 'Low', /crossed/)
    await expect.poll(async () => (await onServer(page, server.origin))?.low_threshold_active).toBe(false)
  },
)

test(
  'Escape closes the threshold dialog without a change and returns the focus',
  { tag: '@full' },
  async ({ page }) => {
    const ratio = await openPair(page)
    await setThreshold(page, PAIR, 'High', String(ratio * 2))
    const box = thresholdBox(page, PAIR, 'High')
    await expect(box).toContainText(/\d/)
    const shown = (await box.textContent()) ?? ''
    const dialog = await openThreshold(page, PAIR, 'High')
    await dialog.getByLabel('Threshold').fill(String(ratio * 4))
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(box).toBeFocused()
    await expect(box).toHaveText(shown)
  },
)

test(
  'thresholds set offline survive a reload, show in a second tab and reach the server',
  { tag: '@full' },
  async ({ page, context, server }) => {
    const ratio = await openPair(page)
    await expect.poll(() => waitingChanges(page)).toBe(0)
    const other = await context.newPage()
    await other.goto('/')
    await expect(card(other, PAIR)).toBeVisible()

    await context.setOffline(true)
    await setThreshold(page, PAIR, 'High', String(ratio * 2))
    await setThreshold(page, PAIR, 'Low', String(ratio / 2))
    for (const tab of [page, other]) {
      await described(tab, 'High', /(?<!dis)armed/)
      await described(tab, 'Low', /(?<!dis)armed/)
    }
    const stored = async () => JSON.stringify(await readTable(page, 'outbox'))
    await expect.poll(stored, 'both are stored').toContain('low_threshold')
    await page.reload()
    await described(page, 'High', /(?<!dis)armed/)
    await expect(page.getByRole('button', { name: /changes? waits?/ })).toBeVisible()

    await context.setOffline(false)
    await expect.poll(() => waitingChanges(page), { timeout: 30_000 }).toBe(0)
    const widget = await onServer(page, server.origin)
    expect(widget?.high_threshold).toBeCloseTo(ratio * 2, 6)
    expect(widget?.low_threshold).toBeCloseTo(ratio / 2, 6)
    await described(page, 'High', /(?<!dis)armed/)
  },
)
