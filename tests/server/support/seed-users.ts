import type { User } from '../../../src/contract/session'
import { openDatabase } from '../../../server/db/open'
import { accessTokenKey, signAccessToken } from '../../../server/services/sessions/access-token'
import { newUser, type NewUser } from './new-user'
import { testProgramFiles } from './program-files'
import { NOTHING_ACCEPTED } from '../../support/new-account'

interface Seed {
  /** DATA_DIR of a server that does not run now: only one process may have the folder. Made at need. */
  readonly dataDir: string
  /** DATABASE_URL of that server; then it needs no folder. */
  readonly databaseUrl?: string | undefined
  /** JWT_SECRET of that server, or undefined where it makes its own. */
  readonly secret?: string
  /** Seconds for which the tokens are good; a day unless said otherwise. */
  readonly lifetime?: number
}

export interface SeededUser {
  /** As the API will describe the account. */
  readonly user: User
  readonly accessToken: string
  readonly refreshToken: string
}

/** Makes accounts in the database of a server that is yet to start, each with a token that this server will accept. */
export async function seedUsers(
  { dataDir, databaseUrl, secret, lifetime = 86_400 }: Seed,
  wanted: readonly NewUser[],
): Promise<SeededUser[]> {
  const now = Date.now()
  const key = accessTokenKey({ JWT_SECRET: secret, DATA_DIR: dataDir })
  const database = await openDatabase({ DATABASE_URL: databaseUrl, DATA_DIR: dataDir }, testProgramFiles(), {
    durable: false,
  })
  try {
    const seeded: SeededUser[] = []
    for (const options of wanted) {
      const account = await newUser(database, now, options)
      const accessToken = await signAccessToken(key, { userId: account.id, sessionId: account.id, now, lifetime })
      seeded.push({ user: described(account, now), accessToken, refreshToken: account.refreshToken })
    }
    return seeded
  } finally {
    await database.close()
  }
}

const described = ({ id, email, premium, superuser, password }: Required<NewUser>, now: number): User => ({
  id,
  email,
  has_premium_access: premium,
  is_superuser: superuser,
  is_active: true,
  has_password: password !== null,
  created_at: new Date(now).toISOString(),
  ...NOTHING_ACCEPTED,
})
