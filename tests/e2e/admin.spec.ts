import type { BrowserContext, Page } from 'playwright/test'
import { API_BASE } from '../../src/contract/routes'
import { installed } from './support/app'
import { logOut } from './support/auth'
import { signIn } from './support/premium'
import { seedBoard } from './support/seed-board'
import { startSeededServer, type SeededServer } from './support/seeded-server'
import { expect, test as base } from './support/test'
import { expectPairs, expectTier, markPage } from './support/tier'
import { anonymousId, headersOf, widgetsOnServer, type Asker } from './support/truth'

const PAIRS = 7
const FREE_PAIRS = 5
/** With the three people below, two pages of twenty and five on the third. */
const CROWD = 42

const test = base.extend<object, { seeded: SeededServer<'operator' | 'member' | 'payer'> }>({
  seeded: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures' names from the pattern
    async ({}, use) => {
      const accounts = { operator: { superuser: true }, member: {}, payer: { premium: true } }
      const seeded = await startSeededServer(accounts, { crowd: CROWD, env: { FREE_MAX_WIDGETS: String(PAIRS) } })
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
const panel = (page: Page) => page.getByRole('region', { name: 'Operations', exact: true })
const searchBox = (page: Page) => page.getByRole('searchbox', { name: 'Search users', exact: true })
const rows = (page: Page) => page.getByRole('list', { name: 'Users', exact: true }).getByRole('listitem')
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

/** The browser's requests to admin routes from now on, as path and query. */
function adminCalls(context: BrowserContext): string[] {
  const asked: string[] = []
  context.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (pathname.startsWith(`${API_BASE}/admin`)) asked.push(pathname.slice(API_BASE.length) + search)
  })
  return asked
}

test(
  'guests and ordinary users are refused the admin area by screen, address and API',
  { tag: '@full' },
  async ({ page, context, seeded }) => {
    const { server, people } = seeded
    const asked = adminCalls(context)
    const refused = async (asker: Asker) => {
      const of = `/admin/users/${people.payer.user.id}`
      for (const [method, path] of [
        ['GET', '/admin/users'],
        ['GET', of],
        ['GET', `${of}/subscriptions`],
        ['POST', `${of}/grant-premium`],
        ['POST', `${of}/revoke-premium`],
        ['GET', '/admin/audit-log'],
        ['GET', '/admin/overview'],
      ] as const) {
        const answer = await fetch(`${server.origin}${API_BASE}${path}`, { method, headers: headersOf(asker) })
        expect(answer.status, `${method} ${path}`).toBe(403)
      }
    }
    const closed = async () => {
      await expect(adminLink(page)).toHaveCount(0)
      await expect(panel(page)).toHaveCount(0)
      for (const path of ['', '/users', `/users/${people.payer.user.id}`, '/audit-log']) {
        await page.goto(`/admin${path}`)
        await expect(page).toHaveURL(/:\d+\/$/)
        await expect(page.getByRole('main').getByRole('heading').first()).toBeVisible()
      }
      await expect(adminLink(page)).toHaveCount(0)
    }

    await page.goto('/')
    await installed(page)
    await closed()
    await refused({ guest: await anonymousId(page) })
    for (const person of [people.member, people.payer]) {
      await signIn(page, person)
      await expect(page.getByRole('banner').getByText(person.email)).toBeVisible()
      await closed()
      await refused({ token: person.accessToken })
      await logOut(page)
      await expect(button(page, 'Login')).toBeVisible()
    }
    expect(asked, 'not even asked for').toEqual([])
  },
)

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
    await expect(rows(page)).toHaveCount(20)
    await expect(page.getByText('1–20 of 45')).toBeVisible()
    await button(page, 'Next page').press('Enter')
    await expect(page.getByText('21–40 of 45')).toBeVisible()
    await button(page, 'Next page').click()
    await expect(rows(page)).toHaveCount(5)
    await expect(button(page, 'Next page')).toBeDisabled()
    await page.goBack()
    await expect(page.getByText('21–40 of 45'), 'a page has an address').toBeVisible()

    // Half a second after the last key, whatever this machine takes for it.
    const asked = adminCalls(page.context())
    const searched = () => asked.flatMap((path) => new URL(path, 'http://x').searchParams.getAll('search'))
    await searchBox(page).focus()
    await page.clock.install()
    await page.clock.pauseAt(Date.now() + 1000)
    await page.keyboard.type('MEMBER@')
    await page.clock.runFor(490)
    expect(searched()).toEqual([])
    await page.clock.runFor(20)
    await page.clock.resume()
    await expect(rows(page)).toHaveCount(1)
    expect(searched()).toEqual(['MEMBER@'])

    await page.getByRole('link', { name: member.email, exact: true }).press('Enter')
    await expect(page.getByRole('heading', { name: member.email, level: 1 })).toBeVisible()
    await expect(button(page, 'Revoke')).toBeDisabled()
    await button(page, 'Grant premium').press('Enter')
    const dialogOf = (tab: Page) => tab.getByRole('dialog', { name: 'Grant premium', exact: true })
    const dialog = dialogOf(page)
    const days = dialog.getByRole('spinbutton', { name: 'Days', exact: true })
    await expect(days).toBeFocused()
    await expect(days).toHaveValue('30')
    await days.fill('0')
    await days.press('Enter')
    await expect(dialog, 'less than a day is nothing').toBeVisible()
    await days.fill('7')
    await page.context().setOffline(true)
    await days.press('Enter')
    await expect(page.getByRole('alert').filter({ hasText: 'Failed to grant premium access.' })).toBeVisible()
    await page.context().setOffline(false)

    // Two operators at once: the second is refused, and then it knows.
    const second = await page.context().newPage()
    await second.goto(page.url())
    await button(second, 'Grant premium').click()
    await days.press('Enter')
    await expect(dialog).toBeHidden()
    await dialogOf(second).getByRole('button', { name: 'Grant premium', exact: true }).click()
    await expect(second.getByRole('alert').filter({ hasText: 'Failed to grant premium access.' })).toBeVisible()
    await second.keyboard.press('Escape')
    await expect(button(second, 'Revoke')).toBeEnabled()
    await second.close()
    await expect(button(page, 'Grant premium')).toBeDisabled()
    await expect(region(page, 'Premium')).toContainText(/active/i)

    // By itself, with the next sync of the member's browser.
    await expectPairs(board, PAIRS, 0, 90_000)
    await expectTier(board, 'Premium')
    expect(await activeOnServer()).toBe(PAIRS)

    await button(page, 'Revoke').click()
    const confirm = page.getByRole('alertdialog', { name: 'Revoke premium?', exact: true })
    await page.keyboard.press('Escape')
    await expect(confirm).toBeHidden()
    await expect(button(page, 'Revoke'), 'Escape revokes nothing').toBeFocused()
    await page.keyboard.press('Enter')
    await confirm.getByRole('button', { name: 'Revoke', exact: true }).click()
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

test(
  'the operator’s dashboard shows the figures on a wide screen only, and requests them only there',
  { tag: '@full' },
  async ({ page, context, seeded }) => {
    await page.setViewportSize({ width: 1440, height: 900 })
    await signIn(page, seeded.people.operator)
    await expect(panel(page)).toContainText(/Users\s*45/)
    await page.setViewportSize({ width: 360, height: 780 })
    await expect(panel(page)).toHaveCount(0)
    const asked = adminCalls(context)
    await page.reload()
    await expect(page.getByRole('main').getByRole('heading').first()).toBeVisible()
    expect(asked, 'what is not shown is not asked for').toEqual([])
    await page.setViewportSize({ width: 1440, height: 900 })
    await expect(panel(page)).toContainText(/Users\s*45/)
  },
)
