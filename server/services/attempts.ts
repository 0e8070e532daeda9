import { eq, lt, sql } from 'drizzle-orm'
import { DAY, HOUR, MINUTE } from '../../src/domain/granularity'
import { TooManyAttempts } from '../http/api-error'
import type { Database, Queryable } from '../db/open'
import { removeInBatches } from '../db/remove-in-batches'
import { attempts } from '../db/schema/sessions'
import type { Env } from '../env'
import { hashOfSecret } from './secrets'

/** At most so many in any stretch of `within` milliseconds. */
export interface Rate {
  readonly most: number
  readonly within: number
}

/** Attempts allowed per account, from all addresses; limits by address are separate. */
const LIMITS = {
  // Wrong passwords of one account, at most 100 in any hour: 60 of strangers, 30 of its known devices, 10 of who is signed in.
  /** At sign-in, from devices that the account does not know. */
  'log-in': { most: 10, within: MINUTE },
  'log-in-hour': { most: 60, within: HOUR },
  /** At sign-in, from one known device, and from all of them. */
  'log-in-device': { most: 10, within: MINUTE },
  'log-in-device-hour': { most: 20, within: HOUR },
  'log-in-known': { most: 30, within: HOUR },
  /** By a signed-in user who changes the password or deletes the account, or by who opened the link of a verification mail. */
  'confirm-password': { most: 10, within: HOUR },
  /** Passkeys and recovery codes that were refused after the right password. */
  'second-factor': { most: 10, within: MINUTE },
  /** Mails that somebody can have sent to an address. */
  'verify-email': { most: 5, within: HOUR },
  'verify-email-day': { most: 10, within: DAY },
  'reset-password': { most: 5, within: HOUR },
  /** Pages of the payment provider that are opened for somebody: it limits what it is asked, too. */
  billing: { most: 30, within: HOUR },
  /** Questions to the payment provider about what somebody pays for: who has paid asks every few seconds, in each tab. */
  'billing-refresh': { most: 120, within: HOUR },
  /** Feedback of one owner, each also a mail to support. */
  feedback: { most: 10, within: DAY },
  /** The same of all owners together: guests cost nothing to make. */
  'all-feedback': { most: 1000, within: DAY },
  /** Files with everything that the server has of one owner. */
  'download-data': { most: 5, within: HOUR },
} as const satisfies Readonly<Record<string, Rate>>

/** How often something may be tried for one account; `RATE_LIMIT_FACTOR` is multiplied in already. */
export interface AttemptLimit extends Rate {
  readonly what: keyof typeof LIMITS | 'locked-out-mail'
}

export function attemptLimit(
  what: keyof typeof LIMITS,
  { RATE_LIMIT_FACTOR }: Pick<Env, 'RATE_LIMIT_FACTOR'>,
): AttemptLimit {
  const { most, within } = LIMITS[what]
  return { what, most: Math.max(1, Math.round(most * RATE_LIMIT_FACTOR)), within }
}

/** The clocks of two server processes may differ by so much, milliseconds. */
const MAX_AHEAD = 5000

/** Attempts on an account that does not exist are counted as well: the limit must not tell which exist. */
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
  const latest = now + MAX_AHEAD
  const recent = sql`ARRAY(SELECT made FROM unnest(${attempts.at}) AS made WHERE made > ${earliest}::bigint AND made <= ${latest}::bigint ORDER BY made)`
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

/** Lets an account begin anew, once its owner has proved their identity in another way. */
export async function forgetAttempts(db: Queryable, what: AttemptLimit['what'], account: string): Promise<void> {
  await db.delete(attempts).where(eq(attempts.key, keyOf({ what }, account)))
}

/** Removes what no longer counts. */
export async function removeOldAttempts({ orm }: Database, now: number, signal?: AbortSignal): Promise<void> {
  await removeInBatches(orm, attempts, lt(attempts.forget_at, now), { signal })
}
