import type { Page } from 'playwright/test'
import { signIn } from './support/premium'
import { seedBoard } from './support/seed-board'
import { startSeededServer, type SeededServer } from './support/seeded-server'
import { expect, test as base } from './support/test'
import { expectPairs, expectTier, markPage } from './support/tier'
import { widgetsOnServer } from './support/truth'

const PAIRS = 7
const FREE_PAIRS = 5

const test = base.extend<object, { seeded: SeededServer<'operator' | 'member'> }>({
  seeded: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures' names from the pattern
    async ({}, use) => {
      const accounts = { operator: { superuser: true }, member: {} }
      const seeded = await startSeededServer(accounts, { env: { FREE_MAX_WIDGETS: String(PAIRS) } })
      await seedBoard(seeded.server.origin, { token: seeded.people.member.accessToken }, PAIRS)
      await seeded.server.restart({ env: { FREE_MAX_WIDGETS: String(FREE_PAIRS) } })
      await use(seeded)
      expect(await seeded.server.stop(), 'the server ends cleanly').toBe(0)
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ seeded }, use) => use(seeded.server.origin),
})

const adminLink = (page: Page) => page.getByRole('link', { name: 'Admin Panel', exact: true })
const searchBox = (page: Page) => page.getByRole('searchbox', { name: 'Search users', exact: true })
const rows = (page: Page) => page.getByRole('list', { name: 'Users', exact: true }).getByRole('listitem')
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

test(
  'an open dashboard shows premium given and revoked without a reload, and the audit log names the operator',
  { tag: '@full' },
  async ({ page, openBrowser, seeded }) => {
    test.setTimeout(240_000)
    const { operator, member } = seeded.people
    const theirs = await openBrowser()
    const board = theirs.pages()[0] ?? (await theirs.newPage())
    await signIn(board, member)
    await expectPairs(board, FREE_PAIRS, PAIRS - FREE_PAIRS)
    const stays = await markPage(board)
    // The screen knows by the tier alone what will be active; whose alerts are watched is the server's to say.
    const activeOnServer = async () =>
      (await widgetsOnServer(seeded.server.origin, { token: member.accessToken })).filter((one) => one.is_active).length

    await signIn(page, operator)
    await adminLink(page).press('Enter')
    await expect(page).toHaveURL(/\/admin\/users$/)
    await searchBox(page).fill('MEMBER@')
    await expect(rows(page)).toHaveCount(1)
    await page.getByRole('link', { name: member.email, exact: true }).press('Enter')
    await expect(page.getByRole('heading', { name: member.email, level: 1 })).toBeVisible()
    await expect(button(page, 'Revoke')).toBeDisabled()
    await button(page, 'Grant premium').press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Grant premium', exact: true })
    const days = dialog.getByRole('spinbutton', { name: 'Days', exact: true })
    await expect(days).toBeFocused()
    await days.fill('7')
    await days.press('Enter')
    await expect(dialog).toBeHidden()
    await expect(button(page, 'Grant premium')).toBeDisabled()
    await expect(region(page, 'Premium')).toContainText(/active/i)

    // By itself, with the next sync of the member's browser.
    await expectPairs(board, PAIRS, 0, 90_000)
    await expectTier(board, 'Premium')
    expect(await activeOnServer()).toBe(PAIRS)

    await button(page, 'Revoke').click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke', exact: true }).click()
    await expect(button(page, 'Revoke')).toBeDisabled()
    await expect(button(page, 'Grant premium')).toBeEnabled()

    // Or at once, when its owner comes back to the tab.
    await expect(async () => {
      await board.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
      await expectPairs(board, FREE_PAIRS, PAIRS - FREE_PAIRS, 2_000)
    }).toPass({ timeout: 30_000 })
    await expectTier(board, 'Free Tier')
    expect(await activeOnServer()).toBe(FREE_PAIRS)
    expect(await stays(), 'without a reload').toBe(true)

    await page.getByRole('navigation', { name: 'Admin' }).getByRole('link', { name: 'Audit log', exact: true }).click()
    await expect(page).toHaveURL(/\/admin\/audit-log$/)
    const entries = page.getByRole('main').getByRole('listitem').filter({ hasText: member.email })
    await expect(entries).toHaveCount(2)
    await expect(entries.first(), 'the newest first').toContainText(/revoke/i)
    await expect(entries.last()).toContainText(/grant/i)
    for (const entry of await entries.all()) await expect(entry).toContainText(operator.email)
  },
)
