import { and, eq, gt, isNotNull, isNull } from 'drizzle-orm'
import { ApiError } from '../../http/api-error'
import type { Queryable } from '../../db/open'
import { mail_tokens } from '../../db/schema/mail'
import { owners, users } from '../../db/schema/users'
import { attemptAt, countAttempt } from '../attempts'
import { requestMail } from '../mail/queued-mail'
import { hashOfSecret } from '../secrets'
import type { ServiceDeps } from '../service-deps'
import { accountColumns, normalEmail, readAccount, type UserAccount } from './account'

/**
 * Has a link mailed, if the address has an account that needs one. The account is not looked up here, so that neither the
 * answer nor its time shows if there is one.
 * @throws TooManyAttempts
 */
export async function askForLink(
  { database, env, clock }: Pick<ServiceDeps, 'database' | 'env' | 'clock'>,
  kind: 'verify-email' | 'reset-password',
  email: string,
): Promise<void> {
  const now = clock()
  const subject = { email: normalEmail(email) }
  await countAttempt(database.orm, attemptAt(kind, subject, env), now)
  if (kind === 'verify-email') await countAttempt(database.orm, attemptAt('verify-email-day', subject, env), now)
  await requestMail(database.orm, { kind, email }, now)
}

type Purpose = (typeof mail_tokens.$inferSelect)['purpose']

const WORDS: Readonly<Record<Purpose, string>> = {
  'verify-email': 'This verification link is invalid or has expired.',
  'reset-password': 'This reset link is invalid or has expired.',
  'remove-passkey': 'This link has been used, or has expired.',
}

const refused = (purpose: Purpose) => new ApiError('INVALID_LINK', WORDS[purpose])

/**
 * The account of a link that could be followed by now; nothing is used up by asking. Link and account are read by one
 * statement: between two, a parallel attempt could follow the link, and the account would no longer know its registration.
 * @throws ApiError INVALID_LINK
 */
export async function checkLink(db: Queryable, purpose: Purpose, token: string, now: number): Promise<UserAccount> {
  const [account] = await db
    .select(accountColumns)
    .from(mail_tokens)
    .innerJoin(users, eq(users.id, mail_tokens.user_id))
    .innerJoin(owners, eq(owners.id, users.id))
    .where(isFor(purpose, token, now))
  if (account === undefined) throw refused(purpose)
  return account
}

/** The account of a link that has been followed, and the passkey that the link is about; null: none. */
export type Followed = UserAccount & { readonly passkey_id: string | null }

/**
 * Uses up a link of a mail: of several requests with the same one, one gets its account, which the transaction then holds.
 * @throws ApiError INVALID_LINK
 */
export async function followLink(tx: Queryable, purpose: Purpose, token: string, now: number): Promise<Followed> {
  const open = isFor(purpose, token, now)
  const [link] = await tx.select({ userId: mail_tokens.user_id }).from(mail_tokens).where(open)
  if (link === undefined) throw refused(purpose)
  // Every change locks the account first: two that lock in different orders wait for each other for ever.
  const account = await readAccount(tx, link.userId, 'held')
  const ending =
    purpose === 'verify-email' ? tx.update(mail_tokens).set({ used_at: new Date(now) }) : tx.delete(mail_tokens)
  const [used] = await ending.where(open).returning()
  if (account === undefined || used === undefined) throw refused(purpose)
  return { ...account, passkey_id: used.passkey_id }
}

const hasToken = (purpose: Purpose, token: string, now: number) =>
  and(
    eq(mail_tokens.token_hash, hashOfSecret(token)),
    eq(mail_tokens.purpose, purpose),
    gt(mail_tokens.expires_at, new Date(now)),
  )

const isFor = (purpose: Purpose, token: string, now: number) =>
  and(hasToken(purpose, token, now), isNull(mail_tokens.used_at))

/**
 * Ends an account's verification links, whose address is verified now. They are kept until they expire, so that one of
 * them that is opened again is not called a bad link.
 */
export const endVerificationLinks = (tx: Queryable, userId: string, now: number) =>
  tx
    .update(mail_tokens)
    .set({ used_at: new Date(now) })
    .where(and(eq(mail_tokens.user_id, userId), eq(mail_tokens.purpose, 'verify-email'), isNull(mail_tokens.used_at)))

/** True if the link's address was verified before the link expired. The answer names no address. */
export async function isVerifiedLink(db: Queryable, token: string, now: number): Promise<boolean> {
  const [row] = await db
    .select({ used_at: mail_tokens.used_at })
    .from(mail_tokens)
    .innerJoin(users, eq(users.id, mail_tokens.user_id))
    .where(
      and(hasToken('verify-email', token, now), isNotNull(mail_tokens.used_at), isNotNull(users.email_verified_at)),
    )
  return row !== undefined
}
