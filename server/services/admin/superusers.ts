import { and, eq, inArray, isNotNull, not } from 'drizzle-orm'
import type { Database, Queryable } from '../../db/open'
import { normalEmailOf, users } from '../../db/schema/users'
import type { Env } from '../../env'
import { findAccount, normalEmail, type UserAccount } from '../accounts/account'
import { closeWaysIn } from '../accounts/ways-in'
import { requestMail } from '../mail/queued-mail'
import { commitChange } from '../revisions'
import { recordSecurityEvent } from '../security-events'
import { writeAudit } from './operators'

type Configured = Pick<Env, 'ADMIN_EMAILS'>

/** Reason in the audit log. */
const BY_CONFIGURATION = { actor: null, action: 'appoint-superuser', details: 'named in ADMIN_EMAILS' } as const

/** True if ADMIN_EMAILS makes the owner of an address a superuser, as soon as it is verified. */
const isAdministrator = ({ ADMIN_EMAILS }: Configured, email: string): boolean =>
  ADMIN_EMAILS.some((one) => normalEmail(one) === normalEmail(email))

/**
 * True if an account is a superuser from now on, whose owner has just signed in or opened a mail. A password that perhaps a
 * stranger chose, or a Google account whose owner perhaps does not have the mailbox, gives no rights (see `owner_proven`).
 * The caller's transaction holds the account's row and writes the result.
 */
export async function isSuperuserNow(
  tx: Queryable,
  env: Configured,
  account: UserAccount,
  now: number,
): Promise<boolean> {
  if (account.is_superuser || !isAdministrator(env, account.email)) return account.is_superuser
  if (!account.owner_proven) return false
  await writeAudit(tx, [{ ...BY_CONFIGURATION, target: account }], now)
  await recordSecurityEvent(tx, { userId: account.id, kind: 'superuser-appointed', byOperator: true }, now)
  return true
}

/**
 * Makes superusers of accounts that were verified before their address stood in ADMIN_EMAILS. It takes no rights away.
 * @returns how many verified accounts it names that get no rights before their owner has set a password by mail
 */
export async function appointAdministrators(
  database: Database,
  { ADMIN_EMAILS }: Configured,
  now: number,
): Promise<number> {
  if (ADMIN_EMAILS.length === 0) return 0
  const { value } = await commitChange(database, now, async (tx) => {
    const named = and(
      inArray(normalEmailOf(users.email), ADMIN_EMAILS.map(normalEmail)),
      isNotNull(users.email_verified_at),
      not(users.is_superuser),
    )
    const appointed = await tx
      .update(users)
      .set({ is_superuser: true })
      .where(and(named, users.owner_proven))
      .returning({ id: users.id, email: users.email })
    for (const { id } of appointed) {
      tx.raise(id, 'account')
      await recordSecurityEvent(tx, { userId: id, kind: 'superuser-appointed', byOperator: true }, now)
    }
    await writeAudit(
      tx,
      appointed.map((target) => ({ ...BY_CONFIGURATION, target })),
      now,
    )
    return tx.$count(users, named)
  })
  return value
}

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

/** Makes the account of an address a superuser, or takes that away, which holds from its next request on. */
export async function changeSuperuser(
  database: Database,
  env: Pick<Env, 'ADMIN_EMAILS'>,
  action: SuperuserAction,
  email: string,
  now: number,
): Promise<SuperuserChange> {
  const wanted = action === 'appoint'
  const { value } = await commitChange<SuperuserChange>(database, now, async (tx) => {
    const account = await findAccount(tx, email, 'held')
    if (account === undefined) return 'no-account'
    if (wanted && account.email_verified_at === null) return 'unverified'
    if (!wanted && isAdministrator(env, account.email)) return 'configured'
    if (account.is_superuser === wanted) return 'so-already'
    await tx.update(users).set({ is_superuser: wanted }).where(eq(users.id, account.id))
    tx.raise(account.id, 'account')
    await writeAudit(
      tx,
      [{ actor: null, action: `${action}-superuser`, target: account, details: 'on the command line' }],
      now,
    )
    const kind = wanted ? 'superuser-appointed' : 'superuser-dismissed'
    await recordSecurityEvent(tx, { userId: account.id, kind, byOperator: true }, now)
    return 'done'
  })
  return value
}

/** The result; all but the first have changed nothing. */
export type Removal = 'done' | 'so-already' | 'no-account'

/**
 * Removes all passkeys of an account whose owner has lost them and the recovery codes, and tells the owner by mail. The
 * operator has made sure by other means that it is the owner who asks.
 */
export async function removePasskeys(database: Database, email: string, now: number): Promise<Removal> {
  const { value } = await commitChange<Removal>(database, now, async (tx) => {
    const account = await findAccount(tx, email, 'held')
    if (account === undefined) return 'no-account'
    if (!account.has_passkeys) return 'so-already'
    await closeWaysIn(tx, account.id, { kind: 'lost-passkeys' }, now)
    await recordSecurityEvent(tx, { userId: account.id, kind: 'passkeys-removed-by-operator', byOperator: true }, now)
    await requestMail(tx, { kind: 'passkey-removed', email: account.email }, now)
    return 'done'
  })
  return value
}
