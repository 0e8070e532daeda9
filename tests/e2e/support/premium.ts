import { expect, type Page } from 'playwright/test'
import { installed } from './app'
import type { AppServer, AppServerOptions } from './app-server'
import { send } from './auth'
import type { Person } from './person'
import { startSeededServer, type Account } from './seeded-server'

export type { Account } from './seeded-server'

/** A server that has one premium and one free account, both with accepted policies. */
export async function startServerWithAccounts(
  options: AppServerOptions = {},
): Promise<{ server: AppServer; premium: Account; free: Account }> {
  const { server, people } = await startSeededServer({ premium: { premium: true }, free: {} }, options)
  return { server, ...people }
}

/** Signs a browser in by the page that is there for it, and waits for the dashboard. */
export async function signIn(page: Page, { email, password }: Person): Promise<void> {
  await page.goto('/login')
  await installed(page)
  await send(page.getByRole('main'), { Email: email, Password: password })
  await expect(page).toHaveURL(/:\d+\/$/)
}
