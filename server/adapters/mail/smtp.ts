import { createTransport } from 'nodemailer'
import { type MailCarrier, MailRefused } from './carrier'

/** Milliseconds: for a connection, for the server's greeting, for each of its answers. */
const PATIENCE = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 15_000 }
/** For one mail from beginning to end, milliseconds. */
export const LONGEST_SENDING = 30_000
/** Mails that are under way at once. */
export const SMTP_CONNECTIONS = 5

interface SmtpError extends Error {
  readonly code?: string
  readonly responseCode?: number
  /** Which of our commands the server did not like. */
  readonly command?: string
}

/** Gives mails to an SMTP server (RFC 5321); TLS from the first byte for smtps://, else by STARTTLS: where it is offered, or with `?requireTLS=true` in any case. */
export function smtpCarrier(url: string, from: string): MailCarrier {
  const transport = createTransport(
    { url, pool: true, maxConnections: SMTP_CONNECTIONS, ...PATIENCE },
    // Programs do not answer what a program wrote (RFC 3834).
    { from, headers: { 'Auto-Submitted': 'auto-generated' }, disableFileAccess: true, disableUrlAccess: true },
  )
  return {
    send: async ({ to, replyTo, subject, text, html }) => {
      try {
        await within(LONGEST_SENDING, transport.sendMail({ to, ...(replyTo !== undefined && { replyTo }), subject, text, html })) // prettier-ignore
      } catch (error) {
        throw harmless(error as SmtpError)
      }
    },
    close: () => transport.close(),
  }
}

/** The server's own words may repeat the recipient's address or what we sent; only codes are passed on. */
function harmless({ code = 'unknown', responseCode, command = '' }: SmtpError): Error {
  const what = `${code}${responseCode === undefined ? '' : ` ${responseCode}`}`
  // Whoever does not want us as sender will want us once that is set right.
  const aboutTheMail = command === 'RCPT TO' || command === 'DATA'
  if (aboutTheMail && (responseCode ?? 0) >= 500) return new MailRefused(`the mail server refused the mail: ${what}`)
  return new Error(`the mail server did not take the mail: ${what}`)
}

async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(Object.assign(new Error(), { code: 'ETIMEDOUT' })), milliseconds)
  })
  try {
    return await Promise.race([work, tooLate])
  } finally {
    clearTimeout(timer)
  }
}
