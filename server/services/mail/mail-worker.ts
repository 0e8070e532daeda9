import { folderTransport, type MailTransport, smtpTransport } from '../../adapters/mail-transport'
import { mail_requests } from '../../db/schema/mail'
import type { Env } from '../../env'
import { smtpTls, withSmtpTls } from '../../env-values'
import { startRounds } from '../../waits'
import { deliverMails, type MailDeps } from './deliver'
import { PRODUCT } from './mail-templates'

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
  const rounds = startRounds(
    MAIL_INTERVAL_MS,
    (stopped) => deliverMails(deps, stopped),
    (error) => deps.logger?.error({ err: error }, 'mails could not be looked for'),
  )
  return {
    /** Waits for the mails that are under way. */
    stop: async (): Promise<void> => {
      await rounds.stop()
      deps.transport.close()
    },
  }
}

/** Transport of mails: the server of SMTP_URL, or without it the sandbox's folder. */
export function chooseTransport(env: Env, clock: () => number, sandbox: string | null = null): MailTransport {
  const { NODE_ENV, SMTP_URL, PUBLIC_URL, MAIL_FROM } = env
  const url = SMTP_URL && withSmtpTls(SMTP_URL, NODE_ENV === 'production' ? smtpTls(SMTP_URL) : 'opportunistic')
  if (url !== undefined) return smtpTransport(url, MAIL_FROM ?? `${PRODUCT} <no-reply@${new URL(PUBLIC_URL).hostname}>`)
  if (sandbox !== null) return folderTransport(sandbox, clock)
  throw new Error('SMTP_URL: must be set where there is no sandbox.')
}
