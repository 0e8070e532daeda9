import { randomUUID } from 'node:crypto'
import type { Database } from '../../../server/db/open'
import { owners } from '../../../server/db/schema/owners'
import { sessions } from '../../../server/db/schema/sessions'
import { users } from '../../../server/db/schema/users'
import { hashPassword } from '../../../server/services/accounts/password'

export interface NewUser {
  readonly id?: string
  readonly email?: string
  readonly premium?: boolean
  /** Null: it signs in with Google alone. */
  readonly password?: string | null
}

/**
 * Makes an account whose address is verified, and a session of it under the same id. Without a password unless one is
 * wished for.
 */
export async function newUser({ orm }: Database, now: number, wish: NewUser = {}): Promise<Required<NewUser>> {
  const { id = randomUUID(), email = `${id}@example.com`, premium = false, password = null } = wish
  const password_hash = password === null ? null : await hashPassword(password)
  await orm.transaction(async (tx) => {
    await tx.insert(owners).values({ id, kind: 'user', created_at: new Date(now) })
    await tx
      .insert(users)
      .values({ id, email, has_premium_access: premium, email_verified_at: new Date(now), password_hash })
    await tx.insert(sessions).values({ id, user_id: id, created_at: new Date(now) })
  })
  return { id, email, premium, password }
}
