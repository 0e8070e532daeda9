import { eq } from 'drizzle-orm'
import type * as z from 'zod'
import type { registerBody, verifyEmailBody } from '../../../src/contract/session'
import { ApiError } from '../../http/api-error'
import type { Queryable } from '../../db/open'
import { owners, users } from '../../db/schema/users'
import { isSuperuserNow } from '../admin/superusers'
import { countShared } from '../address-limits'
import { attemptAt, countAttempt, uncountAttempt } from '../attempts'
import { requestMail } from '../mail/queued-mail'
import { commitChange } from '../revisions'
import { hashOfSecret, newSecret } from '../secrets'
import { acceptAlone } from '../passkeys/alone'
import { recordSecurityEvent } from '../security-events'
import type { ServiceDeps } from '../service-deps'
import type { UserAccount } from './account'
import { confirmPassword } from './change-password'
import { checkLink, endVerificationLinks, followLink, isVerifiedLink } from './email-links'
import { refuseCommonPassword } from './common-password'
import { hashPassword } from './password'

type VerifyEmailDeps = Pick<ServiceDeps, 'database' | 'env' | 'tokenKey' | 'clock' | 'logger'>
type Verification = z.output<typeof verifyEmailBody>

/** Only the reader of the mail gets this answer: it says whether the account has a password. */
const proofRequired = ({ email, password_hash }: UserAccount) =>
  password_hash === null
    ? new ApiError(
        'PASSKEY_REQUIRED',
        'Use the passkey that you made when you registered, or open the link in the browser in which you registered. If you did not register, or can do neither, set a password by mail.',
        { email },
      )
    : new ApiError(
        'PASSWORD_REQUIRED',
        'Enter the password that you chose when you registered. If you did not register, or do not know it, set another by mail.',
        { email },
      )

/**
 * Verifies an address by the link of a mail, from a user who shows as well that they chose what opens the account: by the
 * secret in the answer to the registration, by the password, or by the passkey of an account that has none. The link alone
 * verifies nothing, since a stranger may have registered the address and wait for its owner to open the mail. The
 * account's other links of this kind are worthless from then on.
 * @returns the verified address; null: it was verified before, by this link or by another
 * @throws TooManyAttempts; ApiError INVALID_LINK; PASSWORD_REQUIRED, INCORRECT_PASSWORD, PASSKEY_REQUIRED,
 *   SECOND_FACTOR_REFUSED, after which the link still works
 */
export async function verifyByLink(deps: VerifyEmailDeps, verification: Verification): Promise<string | null> {
  try {
    return await useLink(deps, verification)
  } catch (error) {
    const isSpent = error instanceof ApiError && error.code === 'INVALID_LINK'
    if (isSpent && (await isVerifiedLink(deps.database.orm, verification.token, deps.clock()))) return null
    throw error
  }
}

async function useLink(
  deps: VerifyEmailDeps,
  { token, registration_secrets = [], password, passkey }: Verification,
): Promise<string> {
  const { database, env, clock } = deps
  const now = clock()
  const account = await checkLink(database.orm, 'verify-email', token, now)
  const isRegistrant = registration_secrets.some((secret) => hashOfSecret(secret) === account.registration_hash)
  if (!isRegistrant && passkey === undefined) {
    if (password === undefined || account.password_hash === null) throw proofRequired(account)
    const attempt = attemptAt('confirm-link', { user: account.id }, env)
    await countAttempt(database.orm, attempt, now)
    await confirmPassword(account, password, () => uncountAttempt(database.orm, attempt, now))
  }
  await commitChange(database, now, async (tx) => {
    const held = await followLink(tx, 'verify-email', token, now)
    // A reset or Google may have come in between: the password that was shown is not the one that now counts.
    if (held.password_hash !== account.password_hash) throw proofRequired(held)
    if (!isRegistrant && passkey !== undefined) await acceptAlone(tx, deps, held.id, passkey, now)
    // A password that was entered may be a stranger's, who told it to the reader; a secret or a passkey is told to nobody.
    const owner_proven = held.owner_proven || isRegistrant || passkey !== undefined
    await tx
      .update(users)
      .set({
        email_verified_at: held.email_verified_at ?? new Date(now),
        password_proven: true,
        owner_proven,
        registration_hash: null,
        is_superuser: await isSuperuserNow(tx, env, { ...held, owner_proven }, now),
      })
      .where(eq(users.id, held.id))
    tx.raise(held.id, 'account')
    await endVerificationLinks(tx, held.id, now)
    await recordSecurityEvent(tx, { userId: held.id, kind: 'email-verified' }, now)
  })
  return account.email
}

/**
 * Makes an account that no user can sign in to before its address is verified, and has the link for that mailed. An
 * address that is registered again keeps its first password: the link verifies it only for a user who knows that password,
 * or who registered with it.
 * @returns the secret with which the browser that registers can verify the address by the link alone
 * @throws ApiError EMAIL_ALREADY_REGISTERED, COMMON_PASSWORD; TooManyAttempts, and then nothing has been made
 */
export async function registerAccount(
  { database, clock }: Pick<ServiceDeps, 'database' | 'clock'>,
  { email, password }: z.output<typeof registerBody>,
): Promise<string> {
  await refuseCommonPassword(password, { email, field: 'password' })
  const password_hash = await hashPassword(password)
  const secret = newSecret()
  const now = clock()
  const made = await database.orm.transaction(async (tx) => {
    return newRegistration(tx, { email, password_hash, secret }, now)
  })
  if (made === null) throw emailTaken()
  return secret
}

/** The refusal of a registration. */
export const emailTaken = () => new ApiError('EMAIL_ALREADY_REGISTERED', 'Email already registered.')

/**
 * Makes an account whose address is not verified, and has the link mailed. Part of a transaction.
 * @param secret with which the browser that registers shows that it did
 * @returns the account's id; null: the address has one already
 * @throws TooManyAttempts where all networks together have registered too often
 */
export async function newRegistration(
  tx: Queryable,
  {
    email,
    password_hash,
    secret,
  }: { readonly email: string; readonly password_hash: string | null; readonly secret: string },
  now: number,
): Promise<string | null> {
  const id = await newAccount(tx, { email, password_hash, registration_hash: hashOfSecret(secret) }, now)
  if (id === null) return null
  await countShared(tx, 'registration', now)
  await requestMail(tx, { kind: 'verify-email', email }, now)
  return id
}

/**
 * Makes an account, as part of a transaction.
 * @returns its id, or null where the address or the subject has an account already; then nothing has been made
 */
export async function newAccount(
  tx: Queryable,
  account: Omit<typeof users.$inferInsert, 'id'>,
  now: number,
): Promise<string | null> {
  const [owner] = await tx
    .insert(owners)
    .values({ kind: 'user', created_at: new Date(now), last_seen: null })
    .returning({ id: owners.id })
  if (owner === undefined) throw new Error('The owner was not inserted')
  const made = await tx
    .insert(users)
    .values({ ...account, id: owner.id })
    .onConflictDoNothing()
    .returning({ id: users.id })
  if (made.length > 0) return owner.id
  await tx.delete(owners).where(eq(owners.id, owner.id))
  return null
}
