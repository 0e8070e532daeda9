import { and, eq } from 'drizzle-orm'
import type { Identified } from '../../adapters/identity-provider/provider'
import { ApiError } from '../../api-error'
import type { Queryable } from '../../db/open'
import { mail_tokens } from '../../db/schema/mail'
import { users } from '../../db/schema/users'
import { type Account, findAccount, findLinkedAccount, normalEmail } from '../accounts/account'
import { endVerificationLinks } from '../accounts/follow-link'
import { newAccount } from '../accounts/new-account'
import { requestMail } from '../mail/request-mail'
import { revokeSessions } from '../sessions/revoke-sessions'
import { runsMailbox } from './runs-mailbox'

/**
 * The account of somebody whom Google has identified, and whose address Google has verified: the one that is linked, else
 * the one with that address, else a new one.
 * @param tx holds the account's row afterwards
 * @param now milliseconds since 1970
 * @throws ApiError GOOGLE_SIGN_IN_REFUSED when the address belongs to an account of another Google account,
 *   GOOGLE_NOT_LINKED when it belongs to an account and to a mailbox that Google does not run
 */
export async function accountOf(tx: Queryable, who: Identified, now: number): Promise<string> {
  const linked = await findLinkedAccount(tx, who.subject, 'held')
  if (linked !== undefined) return noteMailbox(tx, linked, who)
  const sameAddress = await findAccount(tx, who.email, 'held')
  if (sameAddress !== undefined) return link(tx, sameAddress, who, now)
  const verifiedAt = new Date(now)
  const made = await newAccount(tx, { email: who.email, passwordHash: null, proven: runsMailbox(who), googleSubject: who.subject, verifiedAt }, now) // prettier-ignore
  if (made !== null) return made
  // Somebody was faster, perhaps they themselves in another tab; what they made is there now.
  return accountOf(tx, who, now)
}

/** Notes that the owner of an account without a password has the mailbox, which earlier versions did not note. */
async function noteMailbox(tx: Queryable, account: Account, who: Identified): Promise<string> {
  const { id, email, password_hash, password_proven } = account
  const isTheirs = runsMailbox(who) && normalEmail(who.email) === normalEmail(email)
  if (isTheirs && password_hash === null && !password_proven) {
    await tx.update(users).set({ password_proven: true }).where(eq(users.id, id))
  }
  return id
}

async function link(tx: Queryable, account: Account, who: Identified, now: number): Promise<string> {
  const { subject } = who
  const { id } = account
  // They themselves in another tab, since nobody was found who is linked.
  if (account.google_subject === subject) return id
  // The address has passed on to somebody else, as addresses of companies do; what was kept under it has not.
  if (account.google_subject !== null) {
    throw new ApiError('GOOGLE_SIGN_IN_REFUSED', 'This email address belongs to the account of another Google account.') // prettier-ignore
  }
  if (!runsMailbox(who)) {
    throw new ApiError('GOOGLE_NOT_LINKED', 'There is an account with this email address already. Log in with its password, then link Google in Settings.') // prettier-ignore
  }
  if (account.email_verified_at !== null) {
    await tx.update(users).set({ google_subject: subject }).where(eq(users.id, id))
    await requestMail(tx, { kind: 'google-linked', email: account.email }, now)
    return id
  }
  // Whoever registered it has never shown that the address is theirs: nothing of what they set may open it any more.
  await revokeSessions(tx, id)
  await tx.delete(mail_tokens).where(and(eq(mail_tokens.user_id, id), eq(mail_tokens.purpose, 'reset-password')))
  await tx
    .update(users)
    .set({
      google_subject: subject,
      email_verified_at: new Date(now),
      password_hash: null,
      password_proven: true,
      registration_hash: null,
    })
    .where(eq(users.id, id))
  await endVerificationLinks(tx, id, now)
  return id
}
