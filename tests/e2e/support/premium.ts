import type { Page } from 'playwright/test'
import type { User } from '../../../src/contract/session'
import { seedUsers } from '../../server/support/seed-users'
import { startAppServer, type AppServer, type AppServerOptions } from './app-server'
import { installed } from './app'
import { writeRecord, readTable } from './truth'

const SECRET = 'a secret that only tests know, long enough'

/** An account on a server, and a token that the server takes. */
export interface Account {
  readonly user: User
  readonly accessToken: string
}

/** A server that has one premium and one free account. */
export async function startServerWithAccounts(
  options: AppServerOptions = {},
): Promise<{ server: AppServer; premium: Account; free: Account }> {
  let accounts: readonly Account[] = []
  const server = await startAppServer({
    ...options,
    env: { JWT_SECRET: SECRET, ...options.env },
    prepare: async (dataDir) => {
      accounts = await seedUsers({ dataDir, secret: SECRET }, [
        { email: 'premium@example.com', premium: true },
        { email: 'free@example.com' },
      ])
    },
  })
  const [premium, free] = accounts
  if (premium === undefined || free === undefined) throw new Error('The accounts were not made.')
  return { server, premium, free }
}

/** Signs a browser in, as a login will: the session's record says who uses it. */
export async function signIn(page: Page, { user, accessToken }: Account): Promise<void> {
  await page.goto('/')
  await installed(page)
  const [session] = (await readTable(page, 'session')) as readonly { anonymous_id: string }[]
  if (session === undefined) throw new Error('This browser has no identity yet.')
  const tokens = { access: accessToken, refresh: 'none' }
  const { anonymous_id } = session
  await writeRecord(page, 'session', { key: 'current', owner: user.id, tokens, user, anonymous_id })
  await page.reload()
}
