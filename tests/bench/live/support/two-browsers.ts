import { chromium, expect, type Browser, type Page } from 'playwright/test'
import { BROWSER_FLAGS, requireChromium } from '../../../browser.mjs'
import { card } from '../../../e2e/support/app'
import { openSignedIn } from '../../../e2e/support/auth'
import { acceptPolicies } from '../../../e2e/support/person'
import { seedPairs, type PairName } from '../../../e2e/support/seed-board'
import { readTable } from '../../../e2e/support/truth'
import { seedUsers } from '../../../server/support/seed-users'
import type { Storage } from './measured-server'

const SECRET = 'a secret that only a measurement knows'
const PERSON = { email: 'someone@example.com', password: 'correct horse battery' }

let browser: Browser | null = null

export async function closeBrowsers(): Promise<void> {
  await browser?.close()
  browser = null
}

/** Makes a user before the servers start. @returns variables with which servers take the user's token, and the token */
export async function seedPerson({ url, variables }: Storage) {
  const dataDir = variables['DATA_DIR'] ?? ''
  const databaseUrl = url === '' ? undefined : url
  const [user] = await seedUsers({ dataDir, databaseUrl, secret: SECRET }, [PERSON])
  return { variables: { JWT_SECRET: SECRET }, token: user?.accessToken ?? '' }
}

/** Gives the user these pairs, and opens the app of each origin as the user, in a browser context of its own. */
export async function openDevices(
  origins: readonly string[],
  token: string,
  pairs: readonly PairName[],
): Promise<Page[]> {
  await acceptPolicies(origins[0] ?? '', token)
  await seedPairs(origins[0] ?? '', { token }, pairs)
  browser ??= await chromium.launch({ executablePath: requireChromium(), args: [...BROWSER_FLAGS] })
  const pages: Page[] = []
  for (const baseURL of origins) {
    const context = await browser.newContext({ baseURL, viewport: { width: 1440, height: 900 } })
    const page = await context.newPage()
    await openSignedIn(page, PERSON)
    for (const pair of pairs) await expect(card(page, pair)).toBeVisible()
    pages.push(page)
  }
  return pages
}

/** How a browser learns of news now, as its local database says. */
export async function newsBy(page: Page): Promise<string> {
  const records = (await readTable(page, 'meta')) as readonly { key: string; value: { kind?: string } }[]
  return records.find(({ key }) => key === 'stream')?.value.kind ?? 'unknown'
}
