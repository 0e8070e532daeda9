import type { Page } from 'playwright/test'
import { card, figureOf, onCard, ratioOf } from './support/app'
import { onServer, openPair, PAIR } from './support/board'
import { livePrices } from './support/live-prices'
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
  'a guest arms the checkpoint field, saves the ratio, replaces the checkpoint and deletes it',
  { tag: '@full' },
  async ({ page, server }) => {
    const ratio = await openPair(page)
    await expect(since(page)).toHaveText('n.a.')
    await expect(onCard(page, PAIR, 'Delete checkpoint')).toBeDisabled()
    await ratioOf(page, PAIR).click()
    await expect(since(page), 'without arming, a click on the ratio does nothing').toHaveText('n.a.')

    await save(page)
    await expect(field(page)).toHaveAccessibleDescription(/^[\d.]+ \w{3} \d{1,2}, (\d{4}, )?\d{2}:\d{2}$/)
    await expect(since(page)).toContainText('0.00%')
    await expect.poll(() => checkpointsOnServer(page, server.origin)).toHaveLength(1)
    expect((await checkpointsOnServer(page, server.origin))[0]! / ratio).toBeCloseTo(1, 2)

    const prices = await livePrices(page)
    await prices.move({ bitcoin: 1.1 })
    await expect(since(page)).toContainText('+10.00%')
    await save(page)
    await expect(since(page)).toContainText('0.00%')
    await expect.poll(() => waitingChanges(page)).toBe(0)
    const [replaced, ...more] = await checkpointsOnServer(page, server.origin)
    expect(more, 'a guest has one checkpoint').toEqual([])
    expect(replaced! / ratio).toBeCloseTo(1.1, 1)

    await onCard(page, PAIR, 'Delete checkpoint').click()
    await expect(since(page)).toHaveText('n.a.')
    await expect.poll(() => checkpointsOnServer(page, server.origin)).toEqual([])
  },
)

test(
  'Escape and a second click disarm the checkpoint field, and the ratio saves nothing then',
  { tag: '@full' },
  async ({ page }) => {
    await openPair(page)
    await field(page).click()
    await page.keyboard.press('Escape')
    await expect(field(page)).toHaveAttribute('aria-pressed', 'false')
    await field(page).click()
    await field(page).click()
    await expect(field(page)).toHaveAttribute('aria-pressed', 'false')
    await ratioOf(page, PAIR).click()
    await expect(since(page)).toHaveText('n.a.')
  },
)

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

test(
  'the card tells a guest that managing several checkpoints needs an upgrade',
  { tag: '@full' },
  async ({ page }) => {
    await openPair(page)
    const manage = onCard(page, PAIR, 'Manage checkpoints')
    await expect(manage).toHaveAttribute('aria-disabled', 'true')
    await expect(manage).toHaveAccessibleDescription('Upgrade to manage multiple checkpoints')
    await manage.hover()
    await expect(page.getByRole('tooltip').filter({ hasText: 'Upgrade to manage multiple checkpoints' })).toBeVisible()
    // It looks and reads disabled, and Playwright would wait for that to end.
    await manage.click({ force: true })
    await expect(page.getByRole('dialog', { name: 'Manage Checkpoints' })).toHaveCount(0)
  },
)
