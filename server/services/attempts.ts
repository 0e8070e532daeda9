import { eq, sql } from 'drizzle-orm'
import { DAY, HOUR, MINUTE } from '../../src/domain/granularity'
import { TooManyAttempts } from '../http/api-error'
import type { Queryable } from '../db/open'
import { attempts } from '../db/schema/sessions'
import type { Env } from '../env'
import { hashOfSecret } from './secrets'

/** At most so many in any stretch of `within` milliseconds. */
export interface Rate {
  readonly most: number
  readonly within: number
}

/**
 * By what attempts are counted: an address of mail as `normalEmail` writes it, the id of a user, a session or a known device,
 * an owner, who may be a guest, or a mail's kind and reader.
 */
type AttemptKey = 'email' | 'user' | 'session' | 'device' | 'owner' | 'mail'

/** Attempts allowed from all network addresses; limits by those, and of all together, are separate (address-limits.ts). */
const LIMITS = {
  // Wrong passwords of one account, at most 95 in any hour, 60 of strangers, 30 of its known devices, 5 of all its sessions; and
  // 5 of each session.
  /** At sign-in, from devices that the account does not know. */
  'log-in': { by: 'email', most: 10, within: MINUTE },
  'log-in-hour': { by: 'email', most: 60, within: HOUR },
  /** At sign-in, from one known device, and from all of them. */
  'log-in-device': { by: 'device', most: 10, within: MINUTE },
  'log-in-device-hour': { by: 'device', most: 20, within: HOUR },
  'log-in-known': { by: 'email', most: 30, within: HOUR },
  /** Proofs of who is signed in already, in one session: whoever has stolen one uses up no other's. */
  'confirm-session': { by: 'session', most: 5, within: HOUR },
  /** Beyond those, in all sessions together. */
  'confirm-user': { by: 'user', most: 5, within: HOUR },
  /** By who opened the link of a verification mail. */
  'confirm-link': { by: 'user', most: 10, within: HOUR },
  /** Passkeys and recovery codes that were refused after the right password, from devices that the account does not know. */
  'second-factor': { by: 'user', most: 10, within: MINUTE },
  /** The same from one known device. */
  'second-factor-device': { by: 'device', most: 10, within: MINUTE },
  /** Mails that somebody can have sent to an address. */
  'verify-email': { by: 'email', most: 5, within: HOUR },
  'verify-email-day': { by: 'email', most: 10, within: DAY },
  'reset-password': { by: 'email', most: 5, within: HOUR },
  /** Pages of the payment provider that are opened for somebody: it limits what it is asked, too. */
  billing: { by: 'user', most: 30, within: HOUR },
  /** Questions to the payment provider about what somebody pays for: who has paid asks every few seconds, in each tab. */
  'billing-refresh': { by: 'user', most: 120, within: HOUR },
  /** Feedback of one owner, each also a mail to support. */
  feedback: { by: 'owner', most: 10, within: DAY },
  /** Tests of an owner's ways to be told of alerts. */
  'channel-test': { by: 'owner', most: 20, within: HOUR },
  /** Mails of one kind to one account; beyond that they wait. */
  mail: { by: 'mail', most: 10, within: HOUR },
  /** Files with everything that the server has of one owner. */
  'download-data': { by: 'owner', most: 5, within: HOUR },
  /** Mails that tell of the limits of a sign-in. */
  'locked-out-mail': { by: 'email', most: 1, within: DAY },
} as const satisfies Readonly<Record<string, Rate & { readonly by: AttemptKey }>>

type Limited = keyof typeof LIMITS
/** The owner of an attempt, by the name of the key that the limit counts by. */
type Subject<L extends Limited> = Readonly<Record<(typeof LIMITS)[L]['by'], string>>

/** As large as the columns and parameters that count. */
export const LARGEST = 2 ** 31 - 1

/** A limit as RATE_LIMIT_FACTOR has it. */
export const scaled = (most: number, { RATE_LIMIT_FACTOR }: Pick<Env, 'RATE_LIMIT_FACTOR'>): number =>
  Math.min(LARGEST, Math.max(1, Math.round(most * RATE_LIMIT_FACTOR)))

/** Something that is tried once more, and how often it may be; RATE_LIMIT_FACTOR is multiplied in already. */
export interface Attempt extends Rate {
  readonly key: string
}

export const attemptAt = <L extends Limited>(
  what: L,
  subject: Subject<L>,
  env: Pick<Env, 'RATE_LIMIT_FACTOR'>,
): Attempt => {
  const { most, within } = LIMITS[what]
  return { key: keyOf(what, subject), most: scaled(most, env), within }
}

/** The clocks of two server processes may differ by so much, milliseconds. */
const MAX_AHEAD = 5000

/** Attempts on an account that does not exist are counted as well: the limit must not tell which exist. */
function keyOf<L extends Limited>(what: L, subject: Subject<L>): string {
  const by: keyof Subject<L> = LIMITS[what].by
  return `${what} ${hashOfSecret(subject[by])}`
}

/**
 * Counts an attempt before it is made, so that no number of attempts at once passes the limit, over any stretch of
 * `within`, on all processes together.
 * @throws TooManyAttempts
 */
export async function countAttempt(db: Queryable, { key, most, within }: Attempt, now: number): Promise<void> {
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
export async function uncountAttempt(db: Queryable, { key }: Attempt, at: number): Promise<void> {
  await db
    .update(attempts)
    .set({ at: sql`array_remove(${attempts.at}, ${at}::bigint)` })
    .where(eq(attempts.key, key))
}

/** Lets a subject begin anew, once it has proved its identity in another way. */
export async function forgetAttempts<L extends Limited>(db: Queryable, what: L, subject: Subject<L>): Promise<void> {
  await db.delete(attempts).where(eq(attempts.key, keyOf(what, subject)))
}
