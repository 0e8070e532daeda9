import { and, eq, getTableColumns, not, sql, type SQL } from 'drizzle-orm'
import * as z from 'zod'
import type { User } from '../../../src/contract/session'
import { ApiError } from '../../http/api-error'
import type { Queryable } from '../../db/open'
import { subscriptions } from '../../db/schema/billing'
import { normalEmailOf, owners, users } from '../../db/schema/users'
import { passkeys } from '../../db/schema/sessions'
import { isGrant } from '../billing/tier'
import { type Caller, findOwner, withOwnerLock } from '../owners'
import type { PolicyStore } from '../policies/policies'
import type { ServiceDeps } from '../service-deps'

export type UserAccount = typeof users.$inferSelect & {
  readonly created_at: Date
  readonly has_passkeys: boolean
  /** A passkey opens the account alone. */
  readonly opens_by_passkey: boolean
  readonly has_billing_account: boolean
}

const address = z.email().max(254)

/** The row of an account, locked against others until the transaction ends if it is `held`. */
export function readAccount(db: Queryable, id: string, held?: 'held'): Promise<UserAccount | undefined> {
  return read(db, eq(users.id, id), held)
}

/** The account of an e-mail address, whatever its capitals. A text that is no address has none. */
export async function findAccount(db: Queryable, email: string, held?: 'held'): Promise<UserAccount | undefined> {
  return address.safeParse(email).success ? read(db, hasEmail(email), held) : undefined
}

/** The columns that a sign-in needs: reading a whole row takes measurably longer than finding none. */
export async function findCredentials(
  db: Queryable,
  email: string,
): Promise<Pick<UserAccount, 'id' | 'password_hash' | 'email_verified_at' | 'registration_hash'> | undefined> {
  if (!address.safeParse(email).success) return undefined
  const { id, password_hash, email_verified_at, registration_hash } = users
  const [row] = await db
    .select({ id, password_hash, email_verified_at, registration_hash })
    .from(users)
    .where(hasEmail(email))
  return row
}

/** The account that is linked with a Google account, by Google's name for that one. */
export function findLinkedAccount(db: Queryable, subject: string, held?: 'held'): Promise<UserAccount | undefined> {
  return read(db, eq(users.google_subject, subject), held)
}

/**
 * Refuses what outlives a stranger's registration, or leaves this server in the name of an address: its reader may not know
 * of the account.
 * @throws ApiError EMAIL_NOT_VERIFIED
 */
export function requireVerified({ email_verified_at }: Pick<UserAccount, 'email_verified_at'>): void {
  if (email_verified_at !== null) return
  throw new ApiError('EMAIL_NOT_VERIFIED', 'Please verify your email address first, by the link in the mail.')
}

/** The spelling by which an address is found and counted. */
export const normalEmail = (email: string): string => email.toLowerCase()

const hasEmail = (email: string): SQL => eq(normalEmailOf(users.email), normalEmail(email))

/** Of users joined with their owners. */
export const accountColumns = {
  ...getTableColumns(users),
  created_at: owners.created_at,
  has_passkeys: sql<boolean>`EXISTS (SELECT 1 FROM ${passkeys} WHERE ${passkeys.user_id} = ${users.id})`,
  opens_by_passkey: sql<boolean>`EXISTS (SELECT 1 FROM ${passkeys} WHERE ${and(eq(passkeys.user_id, users.id), passkeys.opens_alone)})`,
  has_billing_account: sql<boolean>`EXISTS (SELECT 1 FROM ${subscriptions} WHERE ${and(eq(subscriptions.user_id, users.id), not(isGrant))})`,
}

async function read(db: Queryable, which: SQL, held?: 'held'): Promise<UserAccount | undefined> {
  const query = db.select(accountColumns).from(users).innerJoin(owners, eq(owners.id, users.id)).where(which)
  // Not FOR UPDATE: a session that ends records an event of the user, and whoever holds the user may wait for that session.
  const [row] = await (held ? query.for('no key update', { of: users }) : query)
  return row
}

/** An account as its owner reads it. */
export const accountAnswer = (account: UserAccount): User => ({
  id: account.id,
  email: account.email,
  has_premium_access: account.has_premium_access,
  is_superuser: account.is_superuser,
  is_active: account.is_active,
  has_password: account.password_hash !== null,
  has_google: account.google_subject !== null,
  has_passkeys: account.has_passkeys,
  ...(account.opens_by_passkey && { opens_by_passkey: true as const }),
  has_billing_account: account.has_billing_account,
  ...(account.email_verified_at === null && { email_verified: false }),
  created_at: account.created_at.toISOString(),
  accepted_terms_version: account.accepted_terms_version,
  accepted_terms_at: account.accepted_terms_at?.toISOString() ?? null,
  accepted_privacy_version: account.accepted_privacy_version,
  accepted_privacy_at: account.accepted_privacy_at?.toISOString() ?? null,
  deletion_scheduled_at: account.deletion_scheduled_at?.toISOString() ?? null,
})

/**
 * The row of the caller's account.
 * @throws ApiError TOKEN_EXPIRED when the session has ended
 */
export async function ownAccount(db: Queryable, caller: Caller): Promise<UserAccount> {
  const owner = await findOwner(db, caller)
  return accountOfUser(db, owner?.id)
}

/**
 * The caller's account, as its owner reads it.
 * @throws ApiError TOKEN_EXPIRED when the session has ended
 */
export async function readOwnAccount({ database }: Pick<ServiceDeps, 'database'>, caller: Caller): Promise<User> {
  return accountAnswer(await ownAccount(database.orm, caller))
}

/**
 * Notes that the caller accepts the policies now in force; when a version was first accepted stays.
 * @throws ApiError TOKEN_EXPIRED when the session has ended
 */
export async function acceptCurrentPolicies(
  { database, policies, clock }: Pick<ServiceDeps, 'database' | 'clock'> & { readonly policies: PolicyStore },
  caller: Caller,
): Promise<User> {
  const now = clock()
  const at = new Date(now)
  const { terms, privacy } = policies.current
  return withOwnerLock(database, caller, now, async (tx, { id }) => {
    const account = await accountOfUser(tx, id)
    const accepted = {
      ...(account.accepted_terms_version !== terms.version && {
        accepted_terms_version: terms.version,
        accepted_terms_at: at,
      }),
      ...(account.accepted_privacy_version !== privacy.version && {
        accepted_privacy_version: privacy.version,
        accepted_privacy_at: at,
      }),
    }
    if (Object.keys(accepted).length > 0) {
      await tx.update(users).set(accepted).where(eq(users.id, id))
      tx.raise(id, 'account')
    }
    return accountAnswer({ ...account, ...accepted })
  })
}

/** Of an owner whose session lived a moment ago: it is as ended if the account has gone meanwhile. */
export async function accountOfUser(db: Queryable, id: string | undefined): Promise<UserAccount> {
  const account = id === undefined ? undefined : await readAccount(db, id)
  if (account === undefined) throw new ApiError('TOKEN_EXPIRED', 'The session of this access token has ended.')
  return account
}
