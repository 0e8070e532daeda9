import { eq } from 'drizzle-orm'
import type { Queryable } from '../../db/open'
import { owners } from '../../db/schema/owners'
import { users } from '../../db/schema/users'

interface NewAccount {
  readonly email: string
  readonly passwordHash: string | null
  /** Who makes it has shown that they can read the mailbox; absent: not yet. See `password_proven`. */
  readonly proven?: boolean
  /** Of the secret that the browser keeps which registers; absent: none does. */
  readonly registrationHash?: string
  readonly googleSubject: string | null
  /** Null: whose address it is must still be shown. */
  readonly verifiedAt: Date | null
}

/**
 * Makes an account, as part of a transaction.
 * @returns its id, or null where the address or the subject has an account already; then nothing has been made
 */
export async function newAccount(tx: Queryable, account: NewAccount, now: number): Promise<string | null> {
  const [owner] = await tx.insert(owners).values({ kind: 'user', created_at: new Date(now), last_seen: null }).returning({ id: owners.id }) // prettier-ignore
  if (owner === undefined) throw new Error('The owner was not inserted')
  const made = await tx
    .insert(users)
    .values({
      id: owner.id,
      email: account.email,
      password_hash: account.passwordHash,
      password_proven: account.proven ?? false,
      registration_hash: account.registrationHash ?? null,
      google_subject: account.googleSubject,
      email_verified_at: account.verifiedAt,
    })
    .onConflictDoNothing()
    .returning({ id: users.id })
  if (made.length > 0) return owner.id
  await tx.delete(owners).where(eq(owners.id, owner.id))
  return null
}
