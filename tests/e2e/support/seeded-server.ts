import { setFlagsFromString } from 'node:v8'
import type { User } from '../../../src/contract/session'
import type { NewUser } from '../../server/support/new-user'
import { seedUsers, type SeededUser } from '../../server/support/seed-users'
import { COMPILE_ONCE } from '../../server/support/server-process'
import { startAppServer, type AppServer, type AppServerOptions } from './app-server'
import { acceptPolicies, type Person } from './person'

// The database that is opened here for its seeds lives for a moment: its WebAssembly is compiled once, not again for speed.
setFlagsFromString(COMPILE_ONCE)

const SECRET = 'a secret that only tests know, long enough'
const PASSWORD = 'correct horse battery'

/** An account on a server, and a token that the server takes. */
export interface Account extends Person {
  readonly user: User
  readonly accessToken: string
}

export interface SeededServer<Name extends string> {
  readonly server: AppServer
  readonly people: Readonly<Record<Name, Account>>
}

/**
 * A server that knows some people from the start: each has the address `name@example.com`, a password, and has accepted
 * the policies. `crowd` accounts more are there to be listed, and nobody's.
 */
export async function startSeededServer<Name extends string>(
  accounts: Readonly<Record<Name, Pick<NewUser, 'premium' | 'superuser'>>>,
  { crowd = 0, ...options }: AppServerOptions & { readonly crowd?: number } = {},
): Promise<SeededServer<Name>> {
  const names = Object.keys(accounts) as Name[]
  const known = names.map((name) => ({ ...accounts[name], email: `${name}@example.com`, password: PASSWORD }))
  const others = Array.from({ length: crowd }, (_, i) => ({ email: `crowd-${String(i).padStart(3, '0')}@example.com` }))
  let seeded: readonly SeededUser[] = []
  const server = await startAppServer({
    ...options,
    env: { JWT_SECRET: SECRET, ...options.env },
    prepare: async (dataDir) => {
      seeded = await seedUsers({ dataDir, secret: SECRET }, [...others, ...known])
    },
  })
  const signedIn = seeded.slice(crowd).map(async ({ user, accessToken }): Promise<Account> => {
    const accepted = await acceptPolicies(server.origin, accessToken)
    return { email: user.email, password: PASSWORD, user: accepted, accessToken }
  })
  const people = Object.fromEntries((await Promise.all(signedIn)).map((account, i) => [names[i], account]))
  return { server, people: people as Record<Name, Account> }
}
