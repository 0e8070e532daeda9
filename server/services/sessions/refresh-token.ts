import { createHmac } from 'node:crypto'
import {
  and,
  count,
  eq,
  exists,
  gt,
  gte,
  inArray,
  isNotNull,
  isNull,
  lt,
  notExists,
  or,
  type SQL,
  sql,
} from 'drizzle-orm'
import type { TokenAnswer } from '../../../src/contract/session'
import { DAY, MINUTE } from '../../../src/domain/granularity'
import type { Database, Orm, Queryable } from '../../db/open'
import { removeInBatches } from '../../db/remove-in-batches'
import { push_subscriptions } from '../../db/schema/alerts'
import { refresh_tokens, sessions } from '../../db/schema/sessions'
import { users } from '../../db/schema/users'
import { accountAnswer, type UserAccount } from '../accounts/account'
import { requestMail } from '../mail/queued-mail'
import { KEPT_FOR, MAX_OF_ONE_OWNER } from '../kept-for'
import type { Outdated } from '../removal-job'
import { hashOfSecret } from '../secrets'
import type { ServiceDeps } from '../service-deps'
import { signAccessToken } from './access-token'

/** How long a refresh token may be used for the first time, milliseconds. */
export const REFRESH_LIFETIME = 30 * DAY
/** How long a session lasts at most, however often it is refreshed; milliseconds. */
export const SESSION_LIFETIME = 180 * DAY
/** How long a token whose successor has been used is still taken for a belated request of the same client. Milliseconds. */
const REFRESH_GRACE = MINUTE
/** The same where the successor's access token has been seen: a browser that crashed may have lost what it had stored. */
const RETURN_GRACE = 10 * MINUTE
/** How long a token is answered again while nobody shows that the answer ever arrived: a phone may be off for days. */
const REPEAT_LIFETIME = 7 * DAY
/** A browser goes back to a token that it had replaced at most once in this time; a second return is a thief's. */
const RETURN_SPACING = DAY

/**
 * Successor of a refresh token: always the same, so that the server can repeat a lost answer
 * without having been stored. The key is that of access tokens, whose signed text never begins like this.
 */
export const successorOf = (key: Uint8Array, token: string): string =>
  createHmac('sha256', key).update(`refresh token after ${token}`).digest('base64url')

export interface Presented {
  /** Milliseconds since 1970, as all times here. */
  readonly expiresAt: number
  /** When the session is over in any case. */
  readonly endsAt: number
  /** When it was first presented; null: it is now. */
  readonly usedAt: number | null
  /** Whether this attempt is the one that presented it first; null: one of the two has no name. */
  readonly isSameAttempt: boolean | null
  /** The attempt has no name, though the session's client names its attempts. */
  readonly isNameless: boolean
  /** When another token of the session last came back although its successor had been seen; null: none has. */
  readonly otherReturnedAt: number | null
  /** Null: there is none yet. */
  readonly successor: {
    readonly expiresAt: number
    readonly usedAt: number | null
    /** When an access token that was given with it was first presented. */
    readonly seenAt: number | null
  } | null
}

/**
 * Verdict on a presented refresh token: `rotate` it for the first time; `repeat` the answer that was given for it
 * before, since no client has shown that the answer arrived; take its `return` once although a client has, as after a
 * crash; refuse it as `expired`, or as `nameless` without harm to the session, which a tab of an earlier version must not end; or
 * end the session, since a token has been `stolen`: one client goes on with the successor, and another comes with the old
 * token.
 */
export type RefreshVerdict = 'rotate' | 'repeat' | 'return' | 'expired' | 'nameless' | 'stolen'

export function judgeRefresh(presented: Presented, now: number): RefreshVerdict {
  if (now >= presented.endsAt) return 'expired'
  // A browser stores an attempt's name before it sends it: no lost answer, crash or second tab makes another.
  if (presented.isSameAttempt === false) return 'stolen'
  const verdict = judgeByTime(presented, now)
  return presented.isNameless && verdict !== 'expired' && verdict !== 'stolen' ? 'nameless' : verdict
}

function judgeByTime({ expiresAt, usedAt, otherReturnedAt, successor }: Presented, now: number): RefreshVerdict {
  if (usedAt === null || successor === null) return now < expiresAt ? 'rotate' : 'expired'
  if (successor.usedAt !== null && now > successor.usedAt + REFRESH_GRACE) return 'stolen'
  if (successor.seenAt !== null && now > successor.seenAt + RETURN_GRACE) return 'stolen'
  if (now >= successor.expiresAt) return 'expired'
  if (successor.usedAt === null && successor.seenAt === null) {
    return now < usedAt + REPEAT_LIFETIME ? 'repeat' : 'expired'
  }
  return otherReturnedAt !== null && now < otherReturnedAt + RETURN_SPACING ? 'stolen' : 'return'
}

/**
 * A new access token beside the session's refresh token (RFC 6749, 5.1), and the account. It ends with the session at the
 * latest.
 */
export async function tokensFor(
  { env, tokenKey, now }: Pick<ServiceDeps, 'env' | 'tokenKey'> & { readonly now: number },
  account: UserAccount,
  session: Pick<typeof sessions.$inferSelect, 'id' | 'created_at'>,
  refreshToken: string,
): Promise<TokenAnswer> {
  const left = Math.floor((session.created_at.getTime() + SESSION_LIFETIME - now) / 1000)
  const lifetime = Math.max(0, Math.min(env.ACCESS_TOKEN_TTL_SECONDS, left))
  const bearer = { userId: account.id, sessionId: session.id, refreshHash: hashOfSecret(refreshToken) }
  return {
    access_token: await signAccessToken(tokenKey, { ...bearer, now, lifetime }),
    refresh_token: refreshToken,
    token_type: 'bearer',
    expires_in: lifetime,
    user: accountAnswer(account),
  }
}

/** A session of a token has ended. */
const isOrphan = (orm: Queryable): SQL =>
  notExists(
    orm
      .select({ one: sql`1` })
      .from(sessions)
      .where(eq(sessions.id, refresh_tokens.session_id)),
  )

/**
 * Refresh tokens that are worth nothing any more, and sessions that have reached their greatest age or have none that is.
 * A token outlives its time by that of its successor: until then a client that lost the answer, or a thief, may present it.
 * A used one outlives its session, since a thief may have ended that.
 */
function oldTokens(orm: Queryable, now: number) {
  const before = new Date(now - REFRESH_LIFETIME)
  const { expires_at, used_at, attempt } = refresh_tokens
  const tellsNothing = or(isNull(attempt), lt(used_at, new Date(now - KEPT_FOR.endedToken)))
  const alive = orm
    .select({ one: sql`1` })
    .from(refresh_tokens)
    .where(and(eq(refresh_tokens.session_id, sessions.id), gte(refresh_tokens.expires_at, before)))
  return {
    over: or(lt(expires_at, before), and(isOrphan(orm), tellsNothing)),
    ended: or(notExists(alive), lt(sessions.created_at, new Date(now - SESSION_LIFETIME))),
  }
}

export function outdatedSessions(orm: Queryable, now: number): readonly Outdated[] {
  const { over, ended } = oldTokens(orm, now)
  return [
    [refresh_tokens, over],
    [sessions, ended],
  ]
}

/** Removes those tokens and sessions. */
export async function removeOldTokens({ orm }: Database, now: number, signal?: AbortSignal): Promise<void> {
  const { over, ended } = oldTokens(orm, now)
  await removeInBatches(orm, refresh_tokens, over, { signal })
  await endSubscribed(orm, ended, now, signal)
  await removeInBatches(orm, sessions, ended, { signal })
}

/** Removes the used tokens of ended sessions beyond the first `most` of each account. */
export async function removeSurplusTokens(
  { orm }: Database,
  most: number = MAX_OF_ONE_OWNER.endedTokens,
  signal?: AbortSignal,
): Promise<void> {
  const { user_id, used_at } = refresh_tokens
  const ended = and(isNotNull(used_at), isOrphan(orm))
  const surplus = await orm
    .select({ user: user_id })
    .from(refresh_tokens)
    .where(and(isNotNull(user_id), ended))
    .groupBy(user_id)
    .having(gt(count(), most))
  for (const { user } of surplus) {
    if (signal?.aborted === true) return
    const theirs = and(eq(user_id, user!), ended)
    const [last] = await orm
      .select({ at: used_at })
      .from(refresh_tokens)
      .where(theirs)
      .orderBy(used_at)
      .offset(most - 1)
      .limit(1)
    if (last?.at != null) await removeInBatches(orm, refresh_tokens, and(theirs, gt(used_at, last.at)), { signal })
  }
}

/** Sessions that one transaction ends. */
const SESSION_BATCH = 100

/** Ends sessions whose browsers have been getting notifications, and mails their owners that these end as well. */
async function endSubscribed(orm: Orm, ended: SQL | undefined, now: number, signal?: AbortSignal): Promise<void> {
  const subscribed = orm
    .select({ one: sql`1` })
    .from(push_subscriptions)
    .where(eq(push_subscriptions.session_id, sessions.id))
  let batch: number
  do {
    if (signal?.aborted === true) return
    batch = await orm.transaction(async (tx) => {
      const some = await tx
        .select({ id: sessions.id, email: users.email, device: sessions.device_label })
        .from(sessions)
        .innerJoin(users, eq(users.id, sessions.user_id))
        .where(and(ended, exists(subscribed)))
        .limit(SESSION_BATCH)
        .for('update', { of: sessions, skipLocked: true })
      for (const { email, device } of some) await requestMail(tx, { kind: 'session-expired', email, device }, now)
      const ids = some.map(({ id }) => id)
      await tx.delete(sessions).where(inArray(sessions.id, ids))
      return some.length
    })
  } while (batch === SESSION_BATCH)
}
