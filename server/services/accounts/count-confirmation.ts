import { TooManyAttempts } from '../../http/api-error'
import { attemptAt, countAttempt, uncountAttempt } from '../attempts'
import type { Bearer } from '../owners'
import type { ServiceDeps } from '../service-deps'

/**
 * Counts a proof of who is signed in already as a wrong one before it is looked at. Each session has some of its own, so that
 * a thief of one keeps the owner from confirming in no other; beyond them it draws on those of the account.
 * @returns takes the count back: the proof was right
 * @throws TooManyAttempts
 */
export async function countConfirmation(
  { database: { orm }, env }: Pick<ServiceDeps, 'database' | 'env'>,
  { userId: user, sessionId: session }: Bearer,
  now: number,
): Promise<() => Promise<void>> {
  let counted = attemptAt('confirm-session', { session }, env)
  try {
    await countAttempt(orm, counted, now)
  } catch (error) {
    if (!(error instanceof TooManyAttempts)) throw error
    counted = attemptAt('confirm-user', { user }, env)
    await countAttempt(orm, counted, now)
  }
  return () => uncountAttempt(orm, counted, now)
}
