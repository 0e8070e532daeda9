import type { MailCarrier } from '../../adapters/mail/carrier'
import { folderCarrier } from '../../adapters/mail/folder'
import { smtpCarrier } from '../../adapters/mail/smtp'
import type { Env } from '../../env'
import { smtpTls, withSmtpTls } from '../../smtp-tls'
import type { Sandbox } from '../sandbox/sandbox'
import { PRODUCT } from './letter'

interface Parts {
  readonly env: Env
  readonly sandbox: Sandbox | null
  /** Milliseconds since 1970. */
  readonly clock: () => number
}

/** Who takes mails out of the house: the server of SMTP_URL, or where that is not set the sandbox's folder. */
export function chooseCarrier({ env, sandbox, clock }: Parts): MailCarrier {
  const { NODE_ENV, SMTP_URL, PUBLIC_URL, MAIL_FROM } = env
  const url = SMTP_URL && withSmtpTls(SMTP_URL, NODE_ENV === 'production' ? smtpTls(SMTP_URL) : 'opportunistic')
  if (url !== undefined) return smtpCarrier(url, MAIL_FROM ?? `${PRODUCT} <no-reply@${new URL(PUBLIC_URL).hostname}>`) // prettier-ignore
  if (sandbox?.mails != null) return folderCarrier(sandbox.mails, clock)
  throw new Error('SMTP_URL: must be set where there is no sandbox.')
}
