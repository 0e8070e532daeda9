import { HOUR } from '../../../src/domain/granularity'
import { mail_requests } from '../../db/schema/mail'
import type { PeriodicJob } from '../../jobs/periodic'
import { startRounds } from '../../jobs/rounds'
import { removeByAge } from '../retention/retention-time'
import { deliverMails, type MailParts, removeExpiredMailTokens } from './deliver'

/** Milliseconds. */
const STEP = 1_000

export interface MailWorker {
  /** Waits for the mails that are under way. */
  stop(): Promise<void>
}

/**
 * Looks for due mails in fixed steps. Nothing wakes it: work that began with the request would tell by the time of the
 * answers around it whether the request had led to a mail.
 */
export async function startMailWorker(parts: MailParts): Promise<MailWorker> {
  const { database, clock } = parts
  // The embedded database has one process only: whoever had claimed a mail is dead. And whatever kept the others from
  // going out may be why somebody has started this process again.
  if (database.engine === 'pglite') await database.orm.update(mail_requests).set({ next_attempt_at: new Date(clock()) })
  const rounds = startRounds(
    STEP,
    (stopped) => deliverMails(parts, stopped),
    (error) => parts.logger?.error({ err: error }, 'mails could not be looked for'),
  )
  return {
    stop: async () => {
      await rounds.stop()
      parts.carrier.close()
    },
  }
}

/** What the worker leaves behind in the course of time. */
export const mailJobs = (parts: Pick<MailParts, 'database' | 'clock' | 'logger'>): readonly PeriodicJob[] => [
  {
    name: 'expire-mail-tokens',
    every: 6 * HOUR,
    run: (signal) => removeByAge(parts, (now) => removeExpiredMailTokens(parts.database, now, signal)),
  },
]
