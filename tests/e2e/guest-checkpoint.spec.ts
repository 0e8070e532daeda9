import type { Page } from 'playwright/test'
import { card, figureOf, onCard, ratioOf } from './support/app'
import { onServer, openPair, PAIR } from './support/board'
import { waitingChanges } from './support/truth'
import { expect, test } from './support/test'

const checkpointsOnServer = async (page: Page, origin: string) =>
  (await onServer(page, origin))?.checkpoints.map(({ ratio }) => ratio) ?? []
const field = (page: Page) => onCard(page, PAIR, 'Checkpoint')
const since = (page: Page) => figureOf(page, PAIR, 'Since checkpoint')

async function save(page: Page): Promise<void> {
  await field(page).click()
  await expect(field(page)).toHaveAttribute('aria-pressed', 'true')
  await ratioOf(page, PAIR).click()
  await expect(field(page)).toHaveAttribute('aria-pressed', 'false')
}

test(
  'a checkpoint saved or deleted offline survives a reload, shows in a second tab and reaches the server',
  { tag: '@full' },
  async ({ page, context, server }) => {
    await openPair(page)
    await expect.poll(() => waitingChanges(page)).toBe(0)
    const other = await context.newPage()
    await other.goto('/')
    await expect(card(other, PAIR)).toBeVisible()
    await context.setOffline(true)
    await save(page)
    for (const tab of [page, other]) await expect(since(tab)).toContainText('0.00%')
    await expect.poll(() => waitingChanges(page), 'it is stored').toBe(1)
    await page.reload()
    await expect(since(page)).toContainText('0.00%')
    expect(await checkpointsOnServer(page, server.origin)).toEqual([])

    await context.setOffline(false)
    await expect.poll(() => checkpointsOnServer(page, server.origin), { timeout: 30_000 }).toHaveLength(1)
    await expect(since(page)).toContainText('0.00%')

    await context.setOffline(true)
    await onCard(page, PAIR, 'Delete checkpoint').click()
    for (const tab of [page, other]) await expect(since(tab)).toHaveText('n.a.')
    await expect.poll(() => waitingChanges(page), 'it is stored').toBe(1)
    await page.reload()
    await expect(since(page)).toHaveText('n.a.')
    await context.setOffline(false)
    await expect.poll(() => checkpointsOnServer(page, server.origin), { timeout: 30_000 }).toEqual([])
  },
)
