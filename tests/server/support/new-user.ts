import { randomUUID } from 'node:crypto'
import type { Database } from '../../../server/db/open'
import { owners } from '../../../server/db/schema/owners'
import { users } from '../../../server/db/schema/users'

export interface NewUser {
  readonly id?: string
  readonly email?: string
  readonly premium?: boolean
}

/** Makes an account, as registering would. */
export async function newUser({ orm }: Database, now: number, wish: NewUser = {}): Promise<Required<NewUser>> {
  const { id = randomUUID(), email = `${id}@example.com`, premium = false } = wish
  await orm.transaction(async (tx) => {
    await tx.insert(owners).values({ id, kind: 'user', created_at: new Date(now) })
    await tx.insert(users).values({ id, email, has_premium_access: premium })
  })
  return { id, email, premium }
}
