import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright/test'
import { startAppServer, type AppServer } from './support/app-server'
import { card, openChart } from './support/app'
import { openBoard } from './support/board'
import { expect, test as base } from './support/test'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The build that there is, and a later version of it beside it. Below the project, so that packages are found. */
function twoVersions(): { folder: string; first: string; second: string } {
  const cache = join(root, 'node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'e2e-builds-'))
  const first = join(folder, 'first')
  const second = join(folder, 'second')
  cpSync(join(root, 'dist'), first, { recursive: true })
  cpSync(first, second, { recursive: true, filter: (path) => !/\.(br|gz)$/.test(path) })
  makeLater(join(second, 'client'))
  return { folder, first, second }
}

/** Changes the number of the version, all names that have a hash of their content, and the revisions of the other files. */
function makeLater(client: string): void {
  const renamed = (text: string) => text.replaceAll(/-[\w-]{8}(?=\.(?:js|css|woff2)\b)/g, '$&later')
  for (const path of readdirSync(client, { recursive: true, encoding: 'utf8' })) {
    const file = join(client, path)
    if (/\.(js|css|html)$/.test(path)) {
      const later = renamed(readFileSync(file, 'utf8'))
        .replaceAll(/(?<=["'`]v?)1\.0\.0(?=["'`])/g, '1.0.1')
        .replaceAll(/(?<="revision":")[0-9a-f]{32}/g, (revision) => Array.from(revision).toReversed().join(''))
      writeFileSync(file, later)
    }
    if (renamed(path) !== path) renameSync(file, join(client, renamed(path)))
  }
}

interface Deployment {
  readonly server: AppServer
  /** Puts the later version in place of the first. */
  deploySecond(): Promise<void>
}

const test = base.extend<{ deployment: Deployment }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures' names from the pattern
  deployment: async ({}, use) => {
    const { folder, first, second } = twoVersions()
    try {
      const server = await startAppServer({ dist: first })
      await use({ server, deploySecond: () => server.restart({ dist: second }) })
      await server.stop()
    } finally {
      rmSync(folder, { recursive: true })
    }
  },
  baseURL: async ({ deployment }, use) => use(deployment.server.origin),
})

const version = (page: Page) => page.getByText(/^v\d+\.\d+\.\d+$/)
const offer = (page: Page) => page.getByText('A new version is ready')
const lookForUpdate = (page: Page) =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready
    await registration.update()
  })

test('a new app version waits until the user agrees, then every tab runs it', async ({ page, context, deployment }) => {
  await openBoard(page, ['BTC / ETH'])
  await page.goto('/status')
  await expect(version(page)).toHaveText('v1.0.0')
  const other = await context.newPage()
  await other.goto('/')
  await expect(card(other, 'BTC / ETH')).toBeVisible()

  await deployment.deploySecond()
  await lookForUpdate(page)
  await expect(offer(page)).toBeVisible()
  await expect(offer(other)).toBeVisible()
  await page.reload()
  await expect(version(page), 'without consent the first version goes on').toHaveText('v1.0.0')
  await expect(offer(page)).toBeVisible()
  await openChart(other, 'BTC / ETH')

  await page.getByRole('button', { name: 'Reload' }).click()
  await expect(version(page)).toHaveText('v1.0.1')
  await expect(offer(page)).toBeHidden()
  await expect(offer(other)).toBeHidden()
  await other.goto('/status')
  await expect(version(other)).toHaveText('v1.0.1')
  await other.goto('/')
  await expect(card(other, 'BTC / ETH')).toBeVisible()
})
