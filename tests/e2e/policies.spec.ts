import { cpSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installed } from './support/app'
import { expect, test as base } from './support/account-test'
import { startAccountWorld } from './support/account-world'
import { startFaultyProxy, type FaultyProxy } from './support/faulty-proxy'
import { expectGuest, expectSignedIn, openAuth, send } from './support/auth'
import { followLink, register } from './support/person'
import { ageSettings } from './support/truth'

const root = fileURLToPath(new URL('../..', import.meta.url))
const NEXT_VERSION = '2030-01-01'

/** The build that there is, with a later version of the terms. */
function buildWithNewTerms(): { folder: string; dist: string } {
  const cache = join(root, 'node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'e2e-terms-'))
  const dist = join(folder, 'dist')
  cpSync(join(root, 'dist'), dist, { recursive: true })
  const policies = join(dist, 'server/policies')
  const terms = readdirSync(policies).find((name) => name.startsWith('terms'))
  if (terms === undefined) throw new Error(`There are no terms in ${policies}.`)
  renameSync(join(policies, terms), join(policies, terms.replace(/\d{4}-\d{2}-\d{2}/, NEXT_VERSION)))
  return { folder, dist }
}

const test = base.extend<{ network: FaultyProxy }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures' names from the pattern
  world: async ({}, use) => {
    const world = await startAccountWorld()
    await use(world)
    expect(await world.stop(), 'the server ends cleanly').toBe(0)
  },
  network: async ({ world }, use) => {
    const proxy = await startFaultyProxy(world.server.origin)
    await use(proxy)
    await proxy.stop()
  },
})

test(
  'a user gets past the policies only by accepting both, and a new version asks again',
  { tag: '@full' },
  async ({ page, world, stranger }) => {
    await register(world, stranger)
    await followLink(world, stranger)
    await page.goto('/')
    await installed(page)
    await send(await openAuth(page, 'Login'), { Email: stranger.email, Password: stranger.password })

    const accept = page.getByRole('button', { name: 'Accept and Continue', exact: true })
    const terms = page.getByRole('checkbox', { name: /Terms of Use/ })
    const privacy = page.getByRole('checkbox', { name: /Privacy Policy/ })
    await expect(accept).toBeDisabled()
    for (const path of ['/settings', '/status', '/']) {
      await page.goto(path)
      await expect(accept, path).toBeVisible()
      await expect(page.getByRole('link', { name: 'Dashboard', exact: true }), path).toHaveCount(0)
    }
    await terms.check()
    await expect(accept).toBeDisabled()
    await privacy.check()
    await terms.uncheck()
    await expect(accept).toBeDisabled()
    await page.getByRole('button', { name: 'Read the Terms of Use' }).click()
    await expect(page.getByRole('dialog', { name: 'Terms of Use' })).toContainText(/.{400}/s)
    await page.keyboard.press('Escape')
    await terms.check()

    await page.context().setOffline(true)
    await accept.click()
    await expect(page.getByText('Failed to save your acceptance. Please try again.')).toBeVisible()
    await page.context().setOffline(false)
    await accept.click()
    await expectSignedIn(page, stranger.email)

    const { folder, dist } = buildWithNewTerms()
    try {
      await world.server.restart({ dist })
      await ageSettings(page)
      await page.reload()
      await expect(accept).toBeVisible({ timeout: 30_000 })
      await expect(page.getByText(NEXT_VERSION)).toBeVisible()
      await page.getByRole('button', { name: 'Log out', exact: true }).click()
      await expectGuest(page)
    } finally {
      await world.server.restart({ dist: join(root, 'dist') })
      rmSync(folder, { recursive: true })
    }
  },
)
