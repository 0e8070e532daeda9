import { eq } from 'drizzle-orm'
import type * as z from 'zod'
import type { googleCallbackBody, User } from '../../../src/contract/session'
import { ApiError } from '../../api-error'
import type { AppParts } from '../../app-parts'
import { users } from '../../db/schema/users'
import type { Caller } from '../../plugins/identity'
import { accountAnswer, findLinkedAccount } from '../accounts/account'
import { accountOf } from '../accounts/own-account'
import { requestMail } from '../mail/request-mail'
import { inOwnersTurn } from '../owners'
import { requireFreshSignIn } from '../sessions/fresh-sign-in'
import { identify } from './identify'

/**
 * Links the caller's account with a Google account, whatever that one's address is: the caller has shown whose account it
 * is.
 * @throws ApiError FRESH_SIGN_IN_REQUIRED; GOOGLE_SIGN_IN_REFUSED, also where that Google account, or this account, is
 *   linked with another one; IDENTITY_PROVIDER_UNAVAILABLE; TOKEN_EXPIRED
 */
export async function linkGoogle(
  parts: AppParts,
  caller: Caller,
  answer: z.output<typeof googleCallbackBody>,
): Promise<User> {
  const { database, clock } = parts
  // Before the code is used up: with a fresh sign-in the same code is still good.
  await requireFreshSignIn(database.orm, caller, clock())
  const { subject } = await identify(parts, answer)
  const now = clock()
  return inOwnersTurn(database, caller, now, async (tx, { id }) => {
    const account = await accountOf(tx, id)
    if (account.google_subject === subject) return accountAnswer(account)
    if (account.google_subject !== null || (await findLinkedAccount(tx, subject)) !== undefined) {
      throw new ApiError('GOOGLE_SIGN_IN_REFUSED', account.google_subject === null ? 'This Google account belongs to another account here.' : 'Another Google account is linked already. Remove it first.') // prettier-ignore
    }
    await tx.update(users).set({ google_subject: subject }).where(eq(users.id, id))
    await requestMail(tx, { kind: 'google-linked', email: account.email }, now)
    return accountAnswer({ ...account, google_subject: subject })
  })
}

/**
 * Ends the link with Google. Sessions that were begun with it go on, as after any other change of how to sign in.
 * @throws ApiError FRESH_SIGN_IN_REQUIRED; FORBIDDEN where no password is left to sign in with; TOKEN_EXPIRED
 */
export function unlinkGoogle({ database, clock }: Pick<AppParts, 'database' | 'clock'>, caller: Caller): Promise<User> {
  const now = clock()
  return inOwnersTurn(database, caller, now, async (tx, { id }) => {
    const account = await accountOf(tx, id)
    if (account.password_hash === null) {
      throw new ApiError('FORBIDDEN', 'Set a password first: without Google nobody could log in to this account.')
    }
    await requireFreshSignIn(tx, caller, now)
    if (account.google_subject === null) return accountAnswer(account)
    await tx.update(users).set({ google_subject: null }).where(eq(users.id, id))
    await requestMail(tx, { kind: 'google-unlinked', email: account.email }, now)
    return accountAnswer({ ...account, google_subject: null })
  })
}
