import { and, eq, gt, isNull } from 'drizzle-orm'
import { DAY } from '../../../src/domain/granularity'
import type { OpId } from '../../../src/domain/ids'
import { ApiError } from '../../http/api-error'
import { feedback } from '../../db/schema/mail'
import type { Queryable } from '../../db/open'
import { countShared } from '../address-limits'
import { attemptAt, countAttempt } from '../attempts'
import { type Caller, withOwnerLock } from '../owners'
import { requestMail } from '../mail/queued-mail'
import type { ServiceDeps } from '../service-deps'

/**
 * Keeps a message of a user or guest, and has it mailed to support. The messages of one owner in a day are limited, and
 * the share of a network in those of all guests and of all users; a repetition with the same Idempotency-Key (`op`) is one message and not counted,
 * nor is what some guest has written within a day, word for word: identities of guests cost nothing.
 * @throws ApiError IDEMPOTENCY_KEY_REUSED when the key came with another message, TOKEN_EXPIRED when the session has ended;
 *   TooManyAttempts, and then nothing is kept or mailed
 */
export async function keepFeedback(
  { database, env, clock }: Pick<ServiceDeps, 'database' | 'env' | 'clock'>,
  { caller, message, op }: { readonly caller: Caller; readonly message: string; readonly op: OpId | null },
): Promise<void> {
  const now = clock()
  if (caller.kind === 'guest' && (await isGuestsRepetition(database.orm, message, now))) return
  const reused = () => new ApiError('IDEMPOTENCY_KEY_REUSED', 'The Idempotency-Key was used for another message.')
  await withOwnerLock(database, caller, now, async (tx, owner) => {
    const whose = owner.kind === 'user' ? { user_id: owner.id } : { guest_id: owner.id }
    const [kept] = op === null ? [] : await tx.select().from(feedback).where(eq(feedback.created_by_op, op))
    if (kept !== undefined) {
      if ((kept.user_id ?? kept.guest_id) === owner.id && kept.message === message) return
      throw reused()
    }
    await countAttempt(tx, attemptAt('feedback', { owner: owner.id }, env), now)
    await countShared(tx, `${owner.kind}-feedback`, now)
    const [made] = await tx
      .insert(feedback)
      .values({ ...whose, message, created_by_op: op, created_at: new Date(now) })
      .onConflictDoNothing()
      .returning({ id: feedback.id })
    if (made === undefined) throw reused()
    await requestMail(tx, { kind: 'feedback', feedbackId: made.id }, now)
  })
}

async function isGuestsRepetition(db: Queryable, message: string, now: number): Promise<boolean> {
  const within = gt(feedback.created_at, new Date(now - DAY))
  const same = and(within, isNull(feedback.user_id), eq(feedback.message, message))
  return (await db.select({ id: feedback.id }).from(feedback).where(same).limit(1)).length > 0
}
