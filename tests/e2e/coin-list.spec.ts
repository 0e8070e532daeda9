import { expect, test } from './support/test'

test(
  'the coin list is at most 240 px high and opens to the side of the field that has room',
  { tag: '@full' },
  async ({ page }) => {
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto('/?add-pair')
    const dialog = page.getByRole('dialog', { name: 'Create New Pair' })
    const list = page.getByRole('listbox')
    /** Opens the list of the base coin and measures both. */
    const open = async () => {
      const field = dialog.getByRole('combobox', { name: 'Base coin' })
      await field.click()
      await expect(list).toBeVisible()
      const boxes = { field: (await field.boundingBox())!, list: (await list.boundingBox())! }
      await page.keyboard.press('Escape')
      await expect(list).toBeHidden()
      return boxes
    }
    const high = await open()
    expect(Math.round(high.list.height), 'there are more coins than fit').toBe(240)
    expect(high.list.y).toBeGreaterThan(high.field.y)

    // So low that less than 300 px are left below the field, and more above it.
    await page.setViewportSize({ width: 1440, height: 600 })
    await dialog.evaluate((element) => element.style.setProperty('margin-top', '250px'))
    const low = await open()
    expect(600 - low.field.y - low.field.height).toBeLessThan(300)
    expect(low.list.y).toBeLessThan(low.field.y)
    expect(Math.round(low.list.height)).toBeLessThanOrEqual(240)
  },
)
