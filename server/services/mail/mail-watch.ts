import { and, lt, min, sql } from 'drizzle-orm'
import { MAIL_WATCH } from '../../../src/domain/concerns'
import { MINUTE } from '../../../src/domain/granularity'
import { mail_requests, STUCK_ATTEMPTS } from '../../db/schema/mail'
import type { PeriodicJob } from '../../jobs/periodic'
import type { MailDeps } from './deliver'

/** A mail that has waited so long, milliseconds, and was tried `STUCK_ATTEMPTS` times is not held up by one slow answer. */
const STUCK_AFTER = 5 * MINUTE

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
    // The number stands in the statement, as in the index of the mails that were tried so often.
    const stuck = and(
      lt(requested_at, new Date(clock() - STUCK_AFTER)),
      sql`${attempts} >= ${sql.raw(`${STUCK_ATTEMPTS}`)}`,
    )
    const [oldest] = await database.orm
      .select({ at: min(requested_at) })
      .from(mail_requests)
      .where(stuck)
    if (oldest?.at == null) return
    const cause = lastError() ?? 'another process tries'
    throw new Error(`Mails cannot be sent, the oldest since ${oldest.at.toISOString()}: ${cause}`)
  },
})
