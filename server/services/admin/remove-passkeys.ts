import { eq } from 'drizzle-orm'
import type { Database } from '../../db/open'
import { passkey_challenges, passkeys } from '../../db/schema/passkeys'
import { findAccount } from '../accounts/account'
import { requestMail } from '../mail/request-mail'
import { removeRecoveryCodes } from '../passkeys/recovery-codes'

/** The result; all but the first have changed nothing. */
export type Removal = 'done' | 'so-already' | 'no-account'

/**
 * Removes all passkeys of an account whose owner has lost them and the recovery codes, and tells the owner by mail. The
 * operator has made sure by other means that it is the owner who asks.
 * @param now milliseconds since 1970
 */
export function removePasskeys({ orm }: Database, email: string, now: number): Promise<Removal> {
  return orm.transaction(async (tx) => {
    const account = await findAccount(tx, email, 'held')
    if (account === undefined) return 'no-account'
    const gone = await tx.delete(passkeys).where(eq(passkeys.user_id, account.id)).returning({ id: passkeys.id })
    if (gone.length === 0) return 'so-already'
    await removeRecoveryCodes(tx, account.id)
    await tx.delete(passkey_challenges).where(eq(passkey_challenges.user_id, account.id))
    await requestMail(tx, { kind: 'passkey-removed', email: account.email }, now)
    return 'done'
  })
}
