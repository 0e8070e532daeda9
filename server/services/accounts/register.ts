import { eq } from 'drizzle-orm'
import type * as z from 'zod'
import type { registerBody } from '../../../src/contract/session'
import { ApiError } from '../../api-error'
import type { AppParts } from '../../app-parts'
import { users } from '../../db/schema/users'
import { requestMail } from '../mail/request-mail'
import { findAccount, readAccount } from './account'
import { newAccount } from './new-account'
import { hashPassword, verifyPassword } from './password'

type Parts = Pick<AppParts, 'database' | 'clock'>
type Registration = z.output<typeof registerBody>

/**
 * Makes an account that nobody can sign in to before its address has been verified, and has the link for that mailed.
 * @throws ApiError EMAIL_ALREADY_REGISTERED
 */
export async function register(parts: Parts, registration: Registration): Promise<void> {
  const { database, clock } = parts
  const { email, password } = registration
  const passwordHash = await hashPassword(password)
  const now = clock()
  const made = await database.orm.transaction(async (tx) => {
    const id = await newAccount(tx, { email, passwordHash, googleSubject: null, verifiedAt: null }, now)
    if (id !== null) await requestMail(tx, { kind: 'verify-email', email }, now)
    return id !== null
  })
  if (made) return
  await dropDisputedPassword(parts, registration)
  throw new ApiError('EMAIL_ALREADY_REGISTERED', 'Email already registered.')
}

/**
 * Two have registered the same address with different passwords, and nobody has shown whose it is. Verifying it would
 * let in whoever came first, perhaps a stranger: so neither password counts, and the mailbox gets a link to set one.
 */
async function dropDisputedPassword({ database, clock }: Parts, { email, password }: Registration): Promise<void> {
  const { orm } = database
  const account = await findAccount(orm, email)
  // In every case, so that the time does not tell whether the address has been verified.
  const same = await verifyPassword(account?.password_hash ?? null, password)
  if (same || account === undefined || account.password_hash === null || account.email_verified_at !== null) return
  await orm.transaction(async (tx) => {
    const held = await readAccount(tx, account.id, 'held')
    if (held?.password_hash !== account.password_hash || held.email_verified_at !== null) return
    await tx.update(users).set({ password_hash: null }).where(eq(users.id, account.id))
    await requestMail(tx, { kind: 'reset-password', email: held.email }, clock())
  })
}
