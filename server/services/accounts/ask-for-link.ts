import type { AppParts } from '../../app-parts'
import { countAttempt } from '../attempts'
import { requestMail } from '../mail/request-mail'
import { normalEmail } from './account'
import { attemptLimit } from './attempt-limits'

/**
 * Has a link mailed, if the address turns out to have an account which it is for. That is not looked up here, so that
 * neither the answer nor its time can tell.
 * @throws TooManyAttempts
 */
export async function askForLink(
  { database, env, clock }: Pick<AppParts, 'database' | 'env' | 'clock'>,
  kind: 'verify-email' | 'reset-password',
  email: string,
): Promise<void> {
  const now = clock()
  await countAttempt(database.orm, attemptLimit(kind, env), normalEmail(email), now)
  if (kind === 'verify-email') {
    await countAttempt(database.orm, attemptLimit('verify-email-day', env), normalEmail(email), now)
  }
  await requestMail(database.orm, { kind, email }, now)
}
