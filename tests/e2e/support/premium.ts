import { expect, type Page } from 'playwright/test'
import type { User } from '../../../src/contract/session'
import { seedUsers, type SeededUser } from '../../server/support/seed-users'
import { installed } from './app'
import { startAppServer, type AppServer, type AppServerOptions } from './app-server'
import { send } from './auth'
import { acceptPolicies, type Person } from './person'

const SECRET = 'a secret that only tests know, long enough'
const PASSWORD = 'correct horse battery'

/** An account on a server, and a token that the server takes. */
export interface Account extends Person {
  readonly user: User
  readonly accessToken: string
}

/** A server that has one premium and one free account, both with accepted policies. */
export async function startServerWithAccounts(
  options: AppServerOptions = {},
): Promise<{ server: AppServer; premium: Account; free: Account }> {
  let seeded: readonly SeededUser[] = []
  const server = await startAppServer({
    ...options,
    env: { JWT_SECRET: SECRET, ...options.env },
    prepare: async (dataDir) => {
      seeded = await seedUsers({ dataDir, secret: SECRET }, [
        { email: 'premium@example.com', premium: true, password: PASSWORD },
        { email: 'free@example.com', password: PASSWORD },
      ])
    },
  })
  const accept = async ({ user, accessToken }: SeededUser): Promise<Account> => ({
    email: user.email,
    password: PASSWORD,
    user: await acceptPolicies(server.origin, accessToken),
    accessToken,
  })
  const [premium, free] = await Promise.all(seeded.map(accept))
  if (premium === undefined || free === undefined) throw new Error('The accounts were not made.')
  return { server, premium, free }
}

/** Signs a browser in by the page that is there for it, and waits for the dashboard. */
export async function signIn(page: Page, { email, password }: Person): Promise<void> {
  await page.goto('/login')
  await installed(page)
  await send(page.getByRole('main'), { Email: email, Password: password })
  await expect(page).toHaveURL(/:\d+\/$/)
}
