import { mail_requests } from '../../db/schema/mail'
import { messageForLog } from '../../logger'
import { startRounds } from '../../waits'
import { deliverMails, type MailDeps } from './deliver'
import { mailWatch } from './mail-watch'

/** Milliseconds. */
const MAIL_INTERVAL_MS = 1_000

/**
 * Looks for due mails in fixed steps. No request wakes it: work that began with the request would show, by the time of the
 * answers around it, if the request had led to a mail.
 */
export async function startMailWorker(deps: MailDeps) {
  const { database, clock } = deps
  // The embedded database has one process only: the process that had claimed a mail is dead. A fault that kept the others
  // from going out may be why an operator has started this process again.
  if (database.engine === 'pglite') await database.orm.update(mail_requests).set({ next_attempt_at: new Date(clock()) })
  let lastError: string | null = null
  const failed = (error: unknown) => void (lastError = messageForLog(error))
  const rounds = startRounds(
    MAIL_INTERVAL_MS,
    (stopped) => deliverMails({ ...deps, failed }, stopped),
    (error) => deps.logger?.error({ err: error }, 'mails could not be looked for'),
  )
  return {
    /** The periodic job that fails while mails cannot be sent. */
    watch: mailWatch(deps, () => lastError),
    /** Waits for the mails that are under way. */
    stop: async (): Promise<void> => {
      await rounds.stop()
      deps.transport.close()
    },
  }
}
