import { randomUUID } from 'node:crypto'
import { and, eq, lte, type SQL } from 'drizzle-orm'
import type { Subscription } from '../../../src/contract/billing'
import { DAY, MINUTE } from '../../../src/domain/granularity'
import { MANUAL_PREFIX } from '../../../src/domain/subscription'
import { ApiError } from '../../http/api-error'
import type { Queryable } from '../../db/open'
import { subscriptions } from '../../db/schema/billing'
import type { PeriodicJob } from '../../jobs/periodic'
import { isCurrentGrant, isOpenGrant, syncTier } from '../billing/tier'
import { type Caller, withUserLock } from '../owners'
import { type RemovalDeps, removalJob } from '../removal-job'
import type { ServiceDeps } from '../service-deps'
import { asOperator } from './as-operator'
import { subscriptionAnswer } from './users'

/*
 * A grant is a subscription that nobody pays for. It ends when its time is over, or when an operator ends it; what the
 * account pays for beside it goes its own way.
 */

type GrantsDeps = Pick<ServiceDeps, 'database' | 'env' | 'clock'>

/**
 * Gives an account Premium for so many days from now on.
 * @throws ApiError NOT_FOUND; GRANT_EXISTS while a grant holds; FRESH_SIGN_IN_REQUIRED; FORBIDDEN, TOKEN_EXPIRED where
 *   `by` is no operator (any more)
 */
export function grantPremium(deps: GrantsDeps, by: Caller, user: string, days: number): Promise<Subscription> {
  return changeGrant(deps, by, user, 'grant-premium', async (tx, now) => {
    const present = await findGrant(tx, user, now)
    if (present !== undefined) {
      const date = dateOf(present.current_period_end)
      throw new ApiError('GRANT_EXISTS', `Premium is granted to this account already, until ${date}.`)
    }
    const until = new Date(now + days * DAY)
    const rows = await tx
      .insert(subscriptions)
      .values({
        user_id: user,
        stripe_subscription_id: `${MANUAL_PREFIX}${randomUUID()}`,
        status: 'active',
        current_period_start: new Date(now),
        current_period_end: until,
        created_at: new Date(now),
      })
      .returning()
    return { rows, details: `${days} ${days === 1 ? 'day' : 'days'}, until ${dateOf(until)}` }
  })
}

/**
 * Ends the grant that an account has.
 * @throws ApiError NOT_FOUND; NO_GRANT; FRESH_SIGN_IN_REQUIRED; FORBIDDEN, TOKEN_EXPIRED where
 *   `by` is no operator (any more)
 */
export function revokePremium(deps: GrantsDeps, by: Caller, user: string): Promise<Subscription> {
  return changeGrant(deps, by, user, 'revoke-premium', async (tx, now) => {
    const present = await findGrant(tx, user, now)
    if (present === undefined) throw new ApiError('NO_GRANT', 'Premium is not granted to this account.')
    const rows = await tx
      .update(subscriptions)
      .set({ status: 'canceled', current_period_end: new Date(now) })
      .where(eq(subscriptions.id, present.id))
      .returning()
    return { rows, details: `granted until ${dateOf(present.current_period_end)}` }
  })
}

type Row = typeof subscriptions.$inferSelect

/** Changes a grant, and brings the account's tier into line. */
async function changeGrant(
  deps: GrantsDeps,
  by: Caller,
  user: string,
  action: 'grant-premium' | 'revoke-premium',
  change: (tx: Queryable, now: number) => Promise<{ readonly rows: Row[]; readonly details: string }>,
): Promise<Subscription> {
  const row = await asOperator(deps, by, user, action, async (tx, _target, now) => {
    const { rows, details } = await change(tx, now)
    await syncTier(tx, user, deps.env, now)
    return { value: rows[0], details }
  })
  if (row === undefined) throw new Error('The grant was not written')
  return subscriptionAnswer(row)
}

/** The grant that holds, if any. */
async function findGrant(tx: Queryable, user: string, now: number): Promise<Row | undefined> {
  const [row] = await tx
    .select()
    .from(subscriptions)
    .where(and(eq(subscriptions.user_id, user), isCurrentGrant(now)))
  return row
}

const dateOf = (date: Date): string => date.toISOString().slice(0, 10)

const overGrant = (now: number): SQL | undefined =>
  and(isOpenGrant, lte(subscriptions.current_period_end, new Date(now)))

/** Accounts that one query finds. */
const GRANT_BATCH = 100

/**
 * Ends the grants whose time is over, each under its account's lock.
 * @returns of how many accounts
 */
export async function endGrants(
  { database, env }: Pick<ServiceDeps, 'database' | 'env'>,
  now: number,
  signal?: AbortSignal,
): Promise<number> {
  const over = overGrant(now)
  let ended = 0
  for (;;) {
    const due = await database.orm
      .selectDistinct({ user: subscriptions.user_id })
      .from(subscriptions)
      .where(over)
      .limit(GRANT_BATCH)
    for (const { user } of due) {
      if (signal?.aborted === true) return ended
      const done = await withUserLock(database, user, now, async (tx) => {
        await tx
          .update(subscriptions)
          .set({ status: 'canceled' })
          .where(and(eq(subscriptions.user_id, user), over))
        await syncTier(tx, user, env, now)
        return true
      })
      // An account that has gone meanwhile has taken its grants along.
      if (done) ended++
    }
    if (due.length < GRANT_BATCH) return ended
  }
}

/** Periodic jobs of the admin area. */
export const adminJobs = (deps: RemovalDeps & Pick<ServiceDeps, 'env'>): readonly PeriodicJob[] => [
  removalJob(deps, 'end-grants', {
    every: MINUTE,
    outdated: (now) => [[subscriptions, overGrant(now)]],
    remove: async (now, signal) => {
      const ended = await endGrants(deps, now, signal)
      if (ended > 0) deps.logger?.info({ ended }, 'grants of Premium are over')
    },
  }),
]
