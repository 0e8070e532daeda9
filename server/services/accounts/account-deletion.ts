import { and, eq, inArray, isNull, lte, or, type SQL } from 'drizzle-orm'
import { DELETION_GRACE_DAYS, UNVERIFIED_DAYS } from '../../../src/domain/account'
import { DAY } from '../../../src/domain/granularity'
import { ApiError } from '../../http/api-error'
import type { Database, Queryable } from '../../db/open'
import { billing_customers, billing_removals } from '../../db/schema/billing'
import { mail_requests } from '../../db/schema/mail'
import { normalEmailOf, owners, users } from '../../db/schema/users'
import { type Caller, requireUser, withOwnerLock } from '../owners'
import { requestMail } from '../mail/queued-mail'
import type { Outdated } from '../removal-job'
import { removeOwnersInBatches } from '../retention'
import { recordSecurityEvent } from '../security-events'
import type { ServiceDeps } from '../service-deps'
import { requireFreshSignIn, requireSecondFactor } from '../sessions/sessions'
import { accountOfUser, normalEmail, ownAccount, type UserAccount } from './account'
import { confirmPassword, incorrectPassword } from './change-password'
import { countConfirmation } from './count-confirmation'
import { closeWaysIn } from './ways-in'

type ScheduleDeletionDeps = Pick<ServiceDeps, 'database' | 'env' | 'clock'>

/**
 * Schedules the deletion of the caller's account, which has a password, and ends all its sessions. The account goes
 * DELETION_GRACE_DAYS later, unless somebody signs in to it before.
 * @returns when it was asked for
 * @throws TooManyAttempts; ApiError INCORRECT_PASSWORD, also where the account has none; FRESH_SIGN_IN_REQUIRED where it
 *   has passkeys; TOKEN_EXPIRED when the session has ended
 */
export async function scheduleDeletion(deps: ScheduleDeletionDeps, caller: Caller, password: string): Promise<Date> {
  const own = await ownAccount(deps.database.orm, caller)
  await requireSecondFactor(deps.database.orm, caller, own, deps.clock())
  await confirmPassword(own, password, await countConfirmation(deps, requireUser(caller), deps.clock()))
  return schedule(deps, caller, async (account, tx, now) => {
    if (account.password_hash !== own.password_hash) throw incorrectPassword()
    await requireSecondFactor(tx, caller, account, now)
  })
}

/**
 * The same for an account that signs in with Google alone.
 * @throws ApiError FORBIDDEN where the account has a password, FRESH_SIGN_IN_REQUIRED, TOKEN_EXPIRED when the session has
 *   ended
 */
export function schedulePasswordlessDeletion(deps: ScheduleDeletionDeps, caller: Caller): Promise<Date> {
  return schedule(deps, caller, async (account, tx, now) => {
    if (account.password_hash !== null) {
      throw new ApiError('FORBIDDEN', 'This account has a password, which confirms its deletion.')
    }
    await requireFreshSignIn(tx, caller, now)
  })
}

type Check = (account: UserAccount, tx: Queryable, now: number) => Promise<void>

function schedule(deps: ScheduleDeletionDeps, caller: Caller, check: Check): Promise<Date> {
  const now = deps.clock()
  return withOwnerLock(deps.database, caller, now, async (tx, { id }) => {
    const account = await accountOfUser(tx, id)
    await check(account, tx, now)
    // A sign-in since has cancelled it, so a live session finds none; if it did, the first would hold.
    const at = account.deletion_scheduled_at ?? new Date(now)
    await tx.update(users).set({ deletion_scheduled_at: at }).where(eq(users.id, id))
    await closeWaysIn(tx, id, { kind: 'deletion' }, now)
    await recordSecurityEvent(tx, { userId: id, kind: 'deletion-scheduled' }, now)
    await requestMail(tx, { kind: 'deletion-scheduled', email: account.email }, now)
    return at
  })
}

const askedToGo = (now: number): SQL => lte(users.deletion_scheduled_at, new Date(now - DELETION_GRACE_DAYS * DAY))

/** Google verifies the addresses that it names. */
const unverifiedFor = (db: Queryable, now: number): SQL | undefined => {
  const registered = db
    .select({ id: owners.id })
    .from(owners)
    .where(lte(owners.created_at, new Date(now - UNVERIFIED_DAYS * DAY)))
  return and(isNull(users.email_verified_at), isNull(users.google_subject), inArray(users.id, registered))
}

/** The accounts that go now: on request, or since nobody has verified the address. */
export const outdatedAccounts = ({ orm }: Database, now: number): readonly Outdated[] => [
  [users, or(askedToGo(now), unverifiedFor(orm, now))],
]

/**
 * Removes the accounts whose deletion was asked for long enough ago, and all that is theirs. Their subscriptions are ended
 * at the payment provider afterwards, who may be out of reach now.
 * @returns how many there were
 */
export function removeAccounts(database: Database, now: number, signal?: AbortSignal): Promise<number> {
  return removeAll(database, askedToGo(now), now, signal)
}

/**
 * Removes the accounts whose address nobody has verified in time, with the mails that still wait for it.
 * @returns how many there were
 */
export function removeUnverifiedAccounts(database: Database, now: number, signal?: AbortSignal): Promise<number> {
  return removeAll(database, unverifiedFor(database.orm, now), now, signal)
}

async function removeAll(database: Database, due: SQL | undefined, now: number, signal?: AbortSignal): Promise<number> {
  return removeOwnersInBatches(database, signal, async (tx, most) => {
    // Locked first, and judged again once locked: a sign-in at the last moment keeps the account. Owner before user, as in
    // every change.
    const rows = await tx
      .select({ id: owners.id, email: users.email })
      .from(owners)
      .innerJoin(users, eq(users.id, owners.id))
      .where(and(eq(owners.kind, 'user'), due))
      .limit(most)
      .for('no key update', { skipLocked: true })
    const ids = rows.map(({ id }) => id)
    await endBilling(tx, ids, now)
    const emails = rows.map(({ email }) => normalEmail(email))
    await tx.delete(mail_requests).where(inArray(normalEmailOf(mail_requests.email), emails))
    return ids
  })
}

/** The removal of the customer outlives the account: no user may go on paying for a deleted one. */
async function endBilling(tx: Queryable, users: readonly string[], now: number): Promise<void> {
  const { customer_id, user_id } = billing_customers
  const customers = await tx.select({ customer_id }).from(billing_customers).where(inArray(user_id, users))
  const next_attempt_at = new Date(now)
  const removals = customers.map(({ customer_id }) => ({ customer_id, next_attempt_at }))
  if (removals.length > 0) await tx.insert(billing_removals).values(removals).onConflictDoNothing()
}
