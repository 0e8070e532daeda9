import { and, inArray, isNotNull, not } from 'drizzle-orm'
import type { Database, Queryable } from '../../db/open'
import { normalEmailOf, users } from '../../db/schema/users'
import type { Env } from '../../env'
import { writeAudit } from '../admin/audit'
import { type UserAccount, normalEmail } from './account'

type Configured = Pick<Env, 'ADMIN_EMAILS'>

/** Reason in the audit log. */
const BY_CONFIGURATION = { actor: null, action: 'appoint-superuser', details: 'named in ADMIN_EMAILS' } as const

/** Whether ADMIN_EMAILS makes the owner of an address a superuser, as soon as it is verified. */
export const isAdministrator = ({ ADMIN_EMAILS }: Configured, email: string): boolean =>
  ADMIN_EMAILS.some((one) => normalEmail(one) === normalEmail(email))

/**
 * Whether an account is a superuser from now on, whose owner has just signed in or opened a mail. A password that perhaps
 * a stranger chose, or a Google account whose owner perhaps does not have the mailbox, gives no rights (see
 * `password_proven`). Part of the transaction that holds the account's row and writes what is said here.
 */
export async function isSuperuserNow(
  tx: Queryable,
  env: Configured,
  account: UserAccount,
  now: number,
): Promise<boolean> {
  if (account.is_superuser || !isAdministrator(env, account.email)) return account.is_superuser
  if (!account.password_proven) return false
  await writeAudit(tx, [{ ...BY_CONFIGURATION, target: account }], now)
  return true
}

/** Brings accounts that were verified before their address stood in ADMIN_EMAILS into line. It takes rights from nobody. */
export async function appointAdministrators(
  { orm }: Database,
  { ADMIN_EMAILS }: Configured,
  now: number,
): Promise<void> {
  if (ADMIN_EMAILS.length === 0) return
  await orm.transaction(async (tx) => {
    const appointed = await tx
      .update(users)
      .set({ is_superuser: true })
      .where(
        and(
          inArray(normalEmailOf(users.email), ADMIN_EMAILS.map(normalEmail)),
          isNotNull(users.email_verified_at),
          users.password_proven,
          not(users.is_superuser),
        ),
      )
      .returning({ id: users.id, email: users.email })
    await writeAudit(
      tx,
      appointed.map((target) => ({ ...BY_CONFIGURATION, target })),
      now,
    )
  })
}
