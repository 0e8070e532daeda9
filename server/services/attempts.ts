import { eq, lt, sql } from 'drizzle-orm'
import type { Database, Queryable } from '../db/open'
import { removeInBatches } from '../db/remove-in-batches'
import { attempts } from '../db/schema/attempts'
import { TooManyAttempts } from '../too-many-attempts'
import { hashOfSecret } from './secrets'

/** How often something may be tried for one account; `RATE_LIMIT_FACTOR` is reckoned in already. */
export interface AttemptLimit {
  readonly what:
    | 'log-in'
    | 'log-in-hour'
    | 'log-in-device'
    | 'log-in-device-hour'
    | 'log-in-known'
    | 'locked-out-mail'
    | 'verify-email'
    | 'verify-email-day'
    | 'reset-password'
    | 'confirm-password'
    | 'second-factor'
    | 'billing'
    | 'billing-refresh'
    | 'feedback'
    | 'all-feedback'
    | 'download-data'
  readonly most: number
  /** Milliseconds. */
  readonly within: number
}

/** The clocks of two server processes may differ by so much, milliseconds. */
const MOST_AHEAD = 5000

/** Whoever asks for an account that does not exist is counted as well: the limit must not tell which exist. */
const keyOf = ({ what }: Pick<AttemptLimit, 'what'>, account: string): string => `${what} ${hashOfSecret(account)}`

/**
 * Counts an attempt before it is made, so that no number of attempts at once passes the limit, over any stretch of
 * `within`, on all processes together.
 * @param now milliseconds since 1970
 * @throws TooManyAttempts
 */
export async function countAttempt(db: Queryable, limit: AttemptLimit, account: string, now: number): Promise<void> {
  const key = keyOf(limit, account)
  const { most, within } = limit
  const earliest = now - within
  // An attempt further ahead of now was counted while a clock was wrong, and would count for longer than `within`.
  const latest = now + MOST_AHEAD
  const recent = sql`ARRAY(SELECT made FROM unnest(${attempts.at}) AS made WHERE made > ${earliest}::bigint AND made <= ${latest}::bigint ORDER BY made)` // prettier-ignore
  const counted = await db
    .insert(attempts)
    .values({ key, at: [now], forget_at: now + within })
    .onConflictDoUpdate({
      target: attempts.key,
      set: { at: sql`${recent} || ${now}::bigint`, forget_at: now + within },
      setWhere: sql`cardinality(${recent}) < ${most}`,
    })
    .returning({ key: attempts.key })
  if (counted.length > 0) return
  const [row] = await db
    .select({ at: sql<string[]>`${recent}` })
    .from(attempts)
    .where(eq(attempts.key, key))
  const first = Number(row?.at[0] ?? now)
  throw new TooManyAttempts(Math.max(1, Math.ceil((first + within - now) / 1000)))
}

/** Takes back an attempt that turned out to be none of those that are limited. */
export async function uncountAttempt(db: Queryable, limit: AttemptLimit, account: string, at: number): Promise<void> {
  await db
    .update(attempts)
    .set({ at: sql`array_remove(${attempts.at}, ${at}::bigint)` })
    .where(eq(attempts.key, keyOf(limit, account)))
}

/** Lets an account begin anew, once its owner has shown who they are in another way. */
export async function forgetAttempts(db: Queryable, what: AttemptLimit['what'], account: string): Promise<void> {
  await db.delete(attempts).where(eq(attempts.key, keyOf({ what }, account)))
}

/** Removes what no longer counts. */
export async function removeOldAttempts({ orm }: Database, now: number, signal?: AbortSignal): Promise<void> {
  await removeInBatches(orm, attempts, lt(attempts.forget_at, now), { signal })
}
