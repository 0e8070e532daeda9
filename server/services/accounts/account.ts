import { and, eq, getTableColumns, not, sql, type SQL } from 'drizzle-orm'
import * as z from 'zod'
import type { User } from '../../../src/contract/session'
import type { Queryable } from '../../db/open'
import { subscriptions } from '../../db/schema/billing'
import { owners } from '../../db/schema/owners'
import { passkeys } from '../../db/schema/passkeys'
import { normalEmailOf, users } from '../../db/schema/users'
import { isGrant } from '../billing/gives-premium'

export type Account = typeof users.$inferSelect & {
  readonly created_at: Date
  readonly has_passkeys: boolean
  readonly has_billing_account: boolean
}

const address = z.email().max(254)

/** The row of an account, locked against others until the transaction ends if it is `held`. */
export function readAccount(db: Queryable, id: string, held?: 'held'): Promise<Account | undefined> {
  return read(db, eq(users.id, id), held)
}

/** The account of an e-mail address, whatever its capitals; what is no address belongs to nobody. */
export async function findAccount(db: Queryable, email: string, held?: 'held'): Promise<Account | undefined> {
  return address.safeParse(email).success ? read(db, hasEmail(email), held) : undefined
}

/** As much of it as a sign-in asks: a whole row takes longer than none by what can be measured. */
export async function findCredentials(
  db: Queryable,
  email: string,
): Promise<Pick<Account, 'id' | 'password_hash' | 'email_verified_at'> | undefined> {
  if (!address.safeParse(email).success) return undefined
  const { id, password_hash, email_verified_at } = users
  const [row] = await db.select({ id, password_hash, email_verified_at }).from(users).where(hasEmail(email))
  return row
}

/** The account that is linked with a Google account, by Google's name for that one. */
export function findLinkedAccount(db: Queryable, subject: string, held?: 'held'): Promise<Account | undefined> {
  return read(db, eq(users.google_subject, subject), held)
}

/** The spelling by which an address is found and counted. */
export const normalEmail = (email: string): string => email.toLowerCase()

const hasEmail = (email: string): SQL => eq(normalEmailOf(users.email), normalEmail(email))

/** Of users joined with their owners. */
export const accountColumns = {
  ...getTableColumns(users),
  created_at: owners.created_at,
  has_passkeys: sql<boolean>`EXISTS (SELECT 1 FROM ${passkeys} WHERE ${passkeys.user_id} = ${users.id})`,
  has_billing_account: sql<boolean>`EXISTS (SELECT 1 FROM ${subscriptions} WHERE ${and(eq(subscriptions.user_id, users.id), not(isGrant))})`, // prettier-ignore
}

async function read(db: Queryable, which: SQL, held?: 'held'): Promise<Account | undefined> {
  const query = db.select(accountColumns).from(users).innerJoin(owners, eq(owners.id, users.id)).where(which)
  const [row] = await (held ? query.for('update', { of: users }) : query)
  return row
}

/** An account as its owner is told of it. */
export const accountAnswer = (account: Account): User => ({
  id: account.id,
  email: account.email,
  has_premium_access: account.has_premium_access,
  is_superuser: account.is_superuser,
  is_active: account.is_active,
  has_password: account.password_hash !== null,
  has_google: account.google_subject !== null,
  has_passkeys: account.has_passkeys,
  has_billing_account: account.has_billing_account,
  created_at: account.created_at.toISOString(),
  accepted_terms_version: account.accepted_terms_version,
  accepted_terms_at: account.accepted_terms_at?.toISOString() ?? null,
  accepted_privacy_version: account.accepted_privacy_version,
  accepted_privacy_at: account.accepted_privacy_at?.toISOString() ?? null,
  deletion_scheduled_at: account.deletion_scheduled_at?.toISOString() ?? null,
})
