import { and, desc, eq, inArray, sql } from 'drizzle-orm'
import { MAX_SECURITY_EVENTS } from '../../src/domain/account'
import { SECURITY_EVENTS, type SecurityEvent, type SecurityEventKind } from '../../src/contract/security-events'
import { coarseNetwork, requestOrigin } from '../http/addresses'
import { atOneMoment, type Queryable } from '../db/open'
import { security_events } from '../db/schema/security-events'
import { ownAccount } from './accounts/account'
import { MAX_OF_ONE_OWNER } from './kept-for'
import type { Counted, PageQuery } from './list-page'
import type { Caller } from './owners'
import type { ServiceDeps } from './service-deps'
import { deviceLabel } from './sessions/devices'

interface NewSecurityEvent {
  readonly userId: string
  readonly kind: SecurityEventKind
  /** A passkey's name, or the browser whose session was ended. */
  readonly about?: string | null
  /** The request is not the user's own: its browser and network are nothing for the user. */
  readonly byOperator?: true
}

/**
 * Writes an event in the transaction of what it tells of, so that neither is there without the other, with the browser and
 * the coarse network of the request that is being handled. Beyond two hundred of one account and kind the oldest go of the
 * network that has most: what one thief can repeat hides nothing else, and least of all where they came in from.
 */
export async function recordSecurityEvent(
  tx: Queryable,
  { userId, kind, about = null, byOperator }: NewSecurityEvent,
  now: number,
): Promise<void> {
  const origin = byOperator ? null : requestOrigin()
  await tx.insert(security_events).values({
    user_id: userId,
    at: new Date(now),
    kind,
    about,
    browser: origin && deviceLabel(origin.userAgent),
    network: origin && coarseNetwork(origin.address),
  })
  const surplus = tx
    .select({ id: security_events.id })
    .from(security_events)
    .where(and(eq(security_events.user_id, userId), eq(security_events.kind, kind)))
    .orderBy(
      sql`row_number() OVER (PARTITION BY ${security_events.network} ORDER BY ${sql.join([...NEWEST_FIRST], sql`, `)})`,
      ...NEWEST_FIRST,
    )
    .offset(MAX_OF_ONE_OWNER.securityEventsOfKind)
  await tx.delete(security_events).where(inArray(security_events.id, surplus))
}

/** The id decides between events of one millisecond, so that pages do not overlap. */
const NEWEST_FIRST = [desc(security_events.at), desc(security_events.id)] as const

/** All events of an account, or a page of them, newest first. */
export async function securityEventsOf(db: Queryable, userId: string, page?: PageQuery): Promise<SecurityEvent[]> {
  const rows = await db
    .select()
    .from(security_events)
    .where(eq(security_events.user_id, userId))
    .orderBy(...NEWEST_FIRST)
    .offset(page?.skip ?? 0)
    .limit(page?.limit ?? MAX_SECURITY_EVENTS)
  return rows.map(({ user_id: _user, at, kind, ...event }) => ({
    ...event,
    at: at.toISOString(),
    // A newer server process beside this one may have written another.
    kind: SECURITY_EVENTS.includes(kind) ? kind : 'other',
  }))
}

/**
 * A page of the events of the caller's account, newest first, and how many there are.
 * @throws ApiError TOKEN_EXPIRED when the session has ended
 */
export function listSecurityEvents(
  { database }: Pick<ServiceDeps, 'database'>,
  caller: Caller,
  page: PageQuery,
): Promise<Counted<SecurityEvent[]>> {
  return atOneMoment(database, async (tx) => {
    const { id } = await ownAccount(tx, caller)
    const total = await tx.$count(security_events, eq(security_events.user_id, id))
    return { part: await securityEventsOf(tx, id, page), total }
  })
}
