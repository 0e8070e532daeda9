import { and, eq, gt, inArray, like, not, or, type SQL } from 'drizzle-orm'
import { ENTITLING_STATUSES, MANUAL_PREFIX } from '../../../src/domain/subscription'
import { subscriptions } from '../../db/schema/billing'

/* Rows of `subscriptions`, judged in the database. `now` is milliseconds since 1970. */

export const isGrant: SQL = like(subscriptions.stripe_subscription_id, `${MANUAL_PREFIX.replaceAll('_', '\\_')}%`)

/** The provider tells when what is paid for is over. */
export const isPaidFor = and(not(isGrant), inArray(subscriptions.status, [...ENTITLING_STATUSES]))

/** A grant that has not been ended, though its time may be over. */
export const isOpenGrant = and(isGrant, eq(subscriptions.status, 'active'))

export const isGranted = (now: number): SQL | undefined =>
  and(isOpenGrant, gt(subscriptions.current_period_end, new Date(now)))

export const givesPremium = (now: number): SQL | undefined => or(isPaidFor, isGranted(now))
