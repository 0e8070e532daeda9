import { and, eq } from 'drizzle-orm'
import type { AppParts } from '../../app-parts'
import { mail_tokens } from '../../db/schema/mail'
import { users } from '../../db/schema/users'
import { isSuperuserNow } from './administrators'
import { followLink } from './follow-link'

/**
 * Takes the link of a verification mail; the account's other ones are worthless from then on.
 * @returns whether its owner can sign in with a password now; one that was disputed is none (see register.ts)
 * @throws ApiError INVALID_LINK
 */
export async function verifyEmail(
  { database, env, clock }: Pick<AppParts, 'database' | 'env' | 'clock'>,
  token: string,
): Promise<boolean> {
  const now = clock()
  return database.orm.transaction(async (tx) => {
    const account = await followLink(tx, 'verify-email', token, now)
    await tx
      .update(users)
      .set({
        email_verified_at: account.email_verified_at ?? new Date(now),
        is_superuser: await isSuperuserNow(tx, env, account, now),
      })
      .where(eq(users.id, account.id))
    await tx.delete(mail_tokens).where(and(eq(mail_tokens.user_id, account.id), eq(mail_tokens.purpose, 'verify-email'))) // prettier-ignore
    return account.password_hash !== null
  })
}
