import { and, gte, lt, min } from 'drizzle-orm'
import { MAIL_WATCH } from '../../../src/domain/concerns'
import { MINUTE } from '../../../src/domain/granularity'
import { mail_requests } from '../../db/schema/mail'
import type { PeriodicJob } from '../../jobs/periodic'
import type { MailDeps } from './deliver'

/** A mail that has waited so long, milliseconds, and was tried so often is not held up by one slow answer. */
const STUCK_AFTER = 5 * MINUTE
const STUCK_ATTEMPTS = 3

/**
 * A job that fails, and so is seen wherever failing jobs are, while mails are tried in vain: the mail server is away, or takes
 * nothing from us. Mails that wait because their reader has had many are no reason.
 * @param lastError why this process could not send a mail last; null: it could
 */
export const mailWatch = (
  { database, clock }: Pick<MailDeps, 'database' | 'clock'>,
  lastError: () => string | null,
): PeriodicJob => ({
  name: MAIL_WATCH,
  every: MINUTE,
  run: async () => {
    const { requested_at, attempts } = mail_requests
    const stuck = and(lt(requested_at, new Date(clock() - STUCK_AFTER)), gte(attempts, STUCK_ATTEMPTS))
    const [oldest] = await database.orm
      .select({ at: min(requested_at) })
      .from(mail_requests)
      .where(stuck)
    if (oldest?.at == null) return
    const cause = lastError() ?? 'another process tries'
    throw new Error(`Mails cannot be sent, the oldest since ${oldest.at.toISOString()}: ${cause}`)
  },
})
