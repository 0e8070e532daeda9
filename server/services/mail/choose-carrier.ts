import type { MailCarrier } from '../../adapters/mail/carrier'
import { folderCarrier } from '../../adapters/mail/folder'
import { smtpCarrier } from '../../adapters/mail/smtp'
import type { Env } from '../../env'
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
  const { SMTP_URL, PUBLIC_URL, MAIL_FROM } = env
  if (SMTP_URL !== undefined) return smtpCarrier(SMTP_URL, MAIL_FROM ?? `${PRODUCT} <no-reply@${new URL(PUBLIC_URL).hostname}>`) // prettier-ignore
  if (sandbox?.mails != null) return folderCarrier(sandbox.mails, clock)
  throw new Error('SMTP_URL: must be set where there is no sandbox.')
}
