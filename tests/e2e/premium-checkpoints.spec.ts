import type { Locator, Page } from 'playwright/test'
import { onCard } from './support/app'
import { PAIR } from './support/board'
import { freshBoard } from './support/seed-board'
import { livePrices, type LivePrices } from './support/live-prices'
import { signIn, type Account } from './support/premium'
import { shownRatio } from './support/threshold'
import { waitingChanges, widgetsOnServer } from './support/truth'
import { expect, test } from './support/accounts-test'

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Manage Checkpoints' })
const rows = (page: Page) => dialog(page).getByRole('listitem')
const addButton = (page: Page) => dialog(page).getByRole('button', { name: 'Add checkpoint', exact: true })
const inRow = (row: Locator, name: string) => row.getByRole('button', { name, exact: true })

/** A pair without checkpoints, whatever was before. */
async function freshPair(page: Page, origin: string, account: Account): Promise<LivePrices> {
  await freshBoard(origin, { token: account.accessToken }, [PAIR])
  await signIn(page, account)
  await shownRatio(page, PAIR)
  return livePrices(page)
}

/** Ratios of the checkpoints on the server, in order, the default one marked. */
async function onServer(origin: string, { accessToken }: Account): Promise<string[]> {
  const [widget] = await widgetsOnServer(origin, { token: accessToken })
  return widget?.checkpoints.map(({ ratio, is_default }) => `${ratio.toFixed(2)}${is_default ? ' default' : ''}`) ?? []
}

test(
  'a user manages checkpoints with the keyboard alone, and sorts them by dragging',
  { tag: '@full' },
  async ({ page, accounts }) => {
    const { server, premium } = accounts
    const prices = await freshPair(page, server.origin, premium)
    await onCard(page, PAIR, 'Manage checkpoints').focus()
    await page.keyboard.press('Enter')
    await expect(addButton(page)).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(rows(page)).toHaveCount(1)
    for (const count of [2, 3]) {
      // One is added at a time: what is pressed while the last is being stored means nothing.
      await expect.poll(() => waitingChanges(page)).toBe(0)
      await prices.move({ bitcoin: 1.2 })
      await page.keyboard.press('Enter')
      await expect(rows(page)).toHaveCount(count)
    }
    await expect.poll(() => waitingChanges(page)).toBe(0)
    await inRow(rows(page).nth(0), 'Delete').focus()
    await page.keyboard.press('Enter')
    await expect(rows(page)).toHaveCount(2)
    await expect(inRow(rows(page).first(), 'Delete'), 'the focus stays in the list').toBeFocused()
    const [first, second] = await rows(page).allTextContents()
    expect(first).not.toBe(second)
    const firstNow = async () => (await rows(page).first().textContent())?.slice(0, 5)

    // Picked up by space, moved by steps of 25 px, put down by space, each when the one before has been heard.
    const heard = page.getByRole('dialog').locator('[id^="DndLiveRegion"]')
    await expect(heard, 'sorting has loaded').toBeAttached()
    await inRow(rows(page).nth(1), 'Move').focus()
    await page.keyboard.press('Space')
    await expect(heard).toContainText('picked up at position 2 of 2')
    for (let step = 0; step < 4; step += 1) await page.keyboard.press('ArrowUp')
    await expect(heard).toContainText('is over position 1 of 2')
    await page.keyboard.press('Space')
    await expect.poll(firstNow).toBe(second?.slice(0, 5))

    const handle = await inRow(rows(page).nth(1), 'Move').boundingBox()
    const target = await inRow(rows(page).nth(0), 'Move').boundingBox()
    if (handle === null || target === null) throw new Error('There are no handles.')
    await page.mouse.move(handle.x + handle.width / 2, handle.y + handle.height / 2)
    await page.mouse.down()
    await page.mouse.move(target.x + target.width / 2, target.y, { steps: 8 })
    await page.mouse.up()
    await expect.poll(firstNow).toBe(first?.slice(0, 5))
    await page.keyboard.press('Escape')
    await expect.poll(() => onServer(server.origin, premium)).toHaveLength(2)
  },
)
