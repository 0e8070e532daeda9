import { eq } from 'drizzle-orm'
import type { Database } from '../../db/open'
import { users } from '../../db/schema/users'
import type { Env } from '../../env'
import { findAccount } from '../accounts/account'
import { isAdministrator } from '../accounts/administrators'
import { noteDeeds } from './audit-entry'

/** What came of it; all but the first have changed nothing. */
export type Outcome =
  | 'done'
  | 'so-already'
  | 'no-account'
  /** Whoever registered it has not shown that the address is theirs. */
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
): Promise<Outcome> {
  const wanted = action === 'appoint'
  return orm.transaction(async (tx) => {
    const account = await findAccount(tx, email, 'held')
    if (account === undefined) return 'no-account'
    if (wanted && account.email_verified_at === null) return 'unverified'
    if (!wanted && isAdministrator(env, account.email)) return 'configured'
    if (account.is_superuser === wanted) return 'so-already'
    await tx.update(users).set({ is_superuser: wanted }).where(eq(users.id, account.id))
    await noteDeeds(tx, [{ actor: null, action: `${action}-superuser`, target: account, details: 'on the command line' }], now) // prettier-ignore
    return 'done'
  })
}
