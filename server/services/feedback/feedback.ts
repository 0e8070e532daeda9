import { eq } from 'drizzle-orm'
import type { OpId } from '../../../src/domain/ids'
import { ApiError } from '../../http/api-error'
import { feedback } from '../../db/schema/mail'
import { attemptAt, countAttempt } from '../attempts'
import { type Caller, withOwnerLock } from '../owners'
import { requestMail } from '../mail/queued-mail'
import type { ServiceDeps } from '../service-deps'

/**
 * Keeps a message of a user or guest, and has it mailed to support. The messages of one owner in a day are limited, and
 * those of all owners together; a repetition with the same Idempotency-Key (`op`) is one message and not counted.
 * @throws ApiError IDEMPOTENCY_KEY_REUSED when the key came with another message, TOKEN_EXPIRED when the session has ended;
 *   TooManyAttempts, and then nothing is kept or mailed
 */
export async function keepFeedback(
  { database, env, clock }: Pick<ServiceDeps, 'database' | 'env' | 'clock'>,
  { caller, message, op }: { readonly caller: Caller; readonly message: string; readonly op: OpId | null },
): Promise<void> {
  const now = clock()
  const reused = () => new ApiError('IDEMPOTENCY_KEY_REUSED', 'The Idempotency-Key was used for another message.')
  await withOwnerLock(database, caller, now, async (tx, owner) => {
    const whose = owner.kind === 'user' ? { user_id: owner.id } : { guest_id: owner.id }
    const [kept] = op === null ? [] : await tx.select().from(feedback).where(eq(feedback.created_by_op, op))
    if (kept !== undefined) {
      if ((kept.user_id ?? kept.guest_id) === owner.id && kept.message === message) return
      throw reused()
    }
    await countAttempt(tx, attemptAt('feedback', { owner: owner.id }, env), now)
    await countAttempt(tx, attemptAt('all-feedback', { everybody: 'everybody' }, env), now)
    const [made] = await tx
      .insert(feedback)
      .values({ ...whose, message, created_by_op: op, created_at: new Date(now) })
      .onConflictDoNothing()
      .returning({ id: feedback.id })
    if (made === undefined) throw reused()
    await requestMail(tx, { kind: 'feedback', feedbackId: made.id }, now)
  })
}
