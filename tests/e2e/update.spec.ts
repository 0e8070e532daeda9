import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright/test'
import { startAppServer, type AppServer } from './support/app-server'
import { card, openChart } from './support/app'
import { openBoard } from './support/board'
import { expect, test as base } from './support/test'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The build that there is, and one of a later version beside it. Below the project, so that packages are found. */
function buildTwoVersions(): { folder: string; first: string; second: string } {
  const cache = join(root, 'node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'e2e-builds-'))
  const first = join(folder, 'first')
  const second = join(folder, 'second')
  cpSync(join(root, 'dist'), first, { recursive: true })
  cpSync(join(root, 'dist/server'), join(second, 'server'), { recursive: true })
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  execFileSync(process.execPath, [vite, 'build', '--logLevel', 'error', '--outDir', join(second, 'client')], {
    cwd: root,
    env: { ...process.env, APP_VERSION: '1.0.1', NODE_ENV: 'production' },
  })
  return { folder, first, second }
}

interface Deployment {
  readonly server: AppServer
  /** Puts the later version in place of the first. */
  deploySecond(): Promise<void>
}

const test = base.extend<{ deployment: Deployment }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures' names from the pattern
  deployment: async ({}, use) => {
    const { folder, first, second } = buildTwoVersions()
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
