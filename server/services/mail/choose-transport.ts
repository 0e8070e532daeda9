import { folderTransport, type MailTransport, smtpTransport } from '../../adapters/mail-transport'
import type { Env } from '../../env'
import { smtpTls, withSmtpTls } from '../../env-values'
import { PRODUCT } from './mail-templates'

/** Transport of mails: the server of SMTP_URL, or without it the sandbox's folder. */
export function chooseTransport(env: Env, clock: () => number, sandbox: string | null = null): MailTransport {
  const { NODE_ENV, SMTP_URL, PUBLIC_URL, MAIL_FROM } = env
  const url = SMTP_URL && withSmtpTls(SMTP_URL, NODE_ENV === 'production' ? smtpTls(SMTP_URL) : 'opportunistic')
  if (url !== undefined) return smtpTransport(url, MAIL_FROM ?? `${PRODUCT} <no-reply@${new URL(PUBLIC_URL).hostname}>`)
  if (sandbox !== null) return folderTransport(sandbox, clock)
  throw new Error('SMTP_URL: must be set where there is no sandbox.')
}
