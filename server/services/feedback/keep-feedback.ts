import { eq } from 'drizzle-orm'
import type { OpId } from '../../../src/domain/ids'
import { ApiError } from '../../api-error'
import type { AppParts } from '../../app-parts'
import { feedback } from '../../db/schema/feedback'
import type { Caller } from '../../plugins/identity'
import { requestMail } from '../mail/request-mail'
import { findOwner } from '../owners'

interface Feedback {
  readonly caller: Caller
  readonly message: string
  /** The Idempotency-Key: the same message with the same key is one message. */
  readonly op: OpId | null
}

/**
 * Keeps what somebody writes to us, and has it mailed to support. Of a guest nothing is kept but the message.
 * @throws ApiError IDEMPOTENCY_KEY_REUSED when the key came with another message, TOKEN_EXPIRED when the session has ended
 */
export async function keepFeedback(
  { database, clock }: Pick<AppParts, 'database' | 'clock'>,
  { caller, message, op }: Feedback,
): Promise<void> {
  const now = clock()
  await database.orm.transaction(async (tx) => {
    const user_id = caller.kind === 'user' ? ((await findOwner(tx, caller))?.id ?? null) : null
    const [made] = await tx
      .insert(feedback)
      .values({ user_id, message, created_by_op: op, created_at: new Date(now) })
      .onConflictDoNothing()
      .returning({ id: feedback.id })
    if (made !== undefined) return requestMail(tx, { kind: 'feedback', feedbackId: made.id }, now)
    const [kept] = await tx
      .select()
      .from(feedback)
      .where(eq(feedback.created_by_op, op ?? ''))
    if (kept?.user_id === user_id && kept.message === message) return undefined
    throw new ApiError('IDEMPOTENCY_KEY_REUSED', 'The Idempotency-Key was used for another message.')
  })
}
