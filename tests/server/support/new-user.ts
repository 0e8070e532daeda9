import { randomUUID } from 'node:crypto'
import type { Database } from '../../../server/db/open'
import { owners, users } from '../../../server/db/schema/users'
import { refresh_tokens, sessions } from '../../../server/db/schema/sessions'
import { hashPassword } from '../../../server/services/accounts/password'
import { hashOfSecret, newSecret } from '../../../server/services/secrets'
import { REFRESH_LIFETIME } from '../../../server/services/sessions/refresh-token'

export interface NewUser {
  readonly id?: string
  readonly email?: string
  readonly premium?: boolean
  readonly superuser?: boolean
  /** Null: it signs in with Google alone. */
  readonly password?: string | null
}

export interface MadeUser extends Required<NewUser> {
  /** Continues the session. */
  readonly refreshToken: string
}

/**
 * Makes an account whose address is verified by its owner, and a session of it under the same id. Without a password unless `options`
 * has one.
 */
export async function newUser({ orm }: Database, now: number, options: NewUser = {}): Promise<MadeUser> {
  const { id = randomUUID(), email = `${id}@example.com` } = options
  const { premium = false, superuser = false, password = null } = options
  const password_hash = password === null ? null : await hashPassword(password)
  const refreshToken = newSecret()
  await orm.transaction(async (tx) => {
    await tx.insert(owners).values({ id, kind: 'user', created_at: new Date(now) })
    await tx.insert(users).values({
      id,
      email,
      has_premium_access: premium,
      is_superuser: superuser,
      email_verified_at: new Date(now),
      password_hash,
      password_proven: true,
      owner_proven: true,
    })
    await tx.insert(sessions).values({ id, user_id: id, created_at: new Date(now), authenticated_at: new Date(now) })
    await tx.insert(refresh_tokens).values({
      token_hash: hashOfSecret(refreshToken),
      session_id: id,
      user_id: id,
      expires_at: new Date(now + REFRESH_LIFETIME),
    })
  })
  return { id, email, premium, superuser, password, refreshToken }
}
