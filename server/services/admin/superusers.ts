import { eq } from 'drizzle-orm'
import type { Database } from '../../db/open'
import { passkey_challenges, passkeys } from '../../db/schema/sessions'
import { users } from '../../db/schema/users'
import type { Env } from '../../env'
import { findAccount } from '../accounts/account'
import { isAdministrator } from '../accounts/administrators'
import { requestMail } from '../mail/request-mail'
import { removeRecoveryCodes } from '../passkeys/recovery-codes'
import { writeAudit } from './audit'

/** Result; all but the first have changed nothing. */
export type SuperuserChange =
  | 'done'
  | 'so-already'
  | 'no-account'
  /** The account's address is not verified. */
  | 'unverified'
  /** ADMIN_EMAILS would appoint it again. */
  | 'configured'

export const SUPERUSER_ACTIONS = ['appoint', 'dismiss'] as const
export type SuperuserAction = (typeof SUPERUSER_ACTIONS)[number]

/**
 * Makes the account of an address a superuser, or takes that away, which holds from its next request on.
 * @param now milliseconds since 1970
 */
export function changeSuperuser(
  { orm }: Database,
  env: Pick<Env, 'ADMIN_EMAILS'>,
  action: SuperuserAction,
  email: string,
  now: number,
): Promise<SuperuserChange> {
  const wanted = action === 'appoint'
  return orm.transaction(async (tx) => {
    const account = await findAccount(tx, email, 'held')
    if (account === undefined) return 'no-account'
    if (wanted && account.email_verified_at === null) return 'unverified'
    if (!wanted && isAdministrator(env, account.email)) return 'configured'
    if (account.is_superuser === wanted) return 'so-already'
    await tx.update(users).set({ is_superuser: wanted }).where(eq(users.id, account.id))
    await writeAudit(
      tx,
      [{ actor: null, action: `${action}-superuser`, target: account, details: 'on the command line' }],
      now,
    )
    return 'done'
  })
}

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
