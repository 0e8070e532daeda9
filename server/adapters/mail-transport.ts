import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import * as z from 'zod'
import { withTimeLimit } from '../../src/domain/waits'
import { nodeTimer } from '../waits'

/** A mail, ready to go. */
export interface Mail {
  readonly to: string
  /** The address for answers; absent: the sender's own. */
  readonly replyTo?: string | undefined
  readonly subject: string
  readonly text: string
  readonly html: string
  /** Address that stops such mails when it is posted to (RFC 8058); absent: there is none. */
  readonly unsubscribe?: string | undefined
}

/** Sends mails to other servers. */
export interface MailTransport {
  /**
   * Resolves once somebody else is responsible for the mail.
   * @throws MailRefused when trying again is pointless, any other error when it is not
   */
  send(mail: Mail): Promise<void>
  close(): void
}

/** The mail was refused for good. Neither this nor its message says whose mail it was: it may go into a log. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused'
}

/** Milliseconds: for a connection, for the server's greeting, for each of its answers. */
const SMTP_TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 15_000 }
/** For one mail from beginning to end, milliseconds. */
export const MAIL_TIMEOUT_MS = 30_000
/** Mails that are under way at once. */
export const SMTP_CONNECTIONS = 5

/** Gives mails to an SMTP server (RFC 5321). TLS from the first byte for smtps://, else by STARTTLS where offered, or always with `?requireTLS=true`. */
export function smtpTransport(url: string, from: string): MailTransport {
  const transport = createTransport(
    { url, pool: true, maxConnections: SMTP_CONNECTIONS, ...SMTP_TIMEOUTS },
    // Programs do not answer what a program wrote (RFC 3834).
    { from, headers: { 'Auto-Submitted': 'auto-generated' }, disableFileAccess: true, disableUrlAccess: true },
  )
  return {
    send: async ({ to, replyTo, subject, text, html, unsubscribe }) => {
      try {
        const headers = unsubscribe !== undefined && {
          headers: { 'List-Unsubscribe': `<${unsubscribe}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
        }
        const answerTo = replyTo !== undefined && { replyTo }
        const sent = transport.sendMail({ to, ...answerTo, subject, text, html, ...headers })
        await withTimeLimit(nodeTimer, MAIL_TIMEOUT_MS, sent, () => {
          throw Object.assign(new Error(), { code: 'ETIMEDOUT' })
        })
      } catch (error) {
        throw harmless(error as Parameters<typeof harmless>[0])
      }
    },
    close: () => transport.close(),
  }
}

/**
 * Passes on codes alone: the mail server's own words may repeat the recipient's address or the mail.
 * @param error `command`: our command that the mail server refused
 */
function harmless(error: { readonly code?: string; readonly responseCode?: number; readonly command?: string }): Error {
  const { code = 'unknown', responseCode, command = '' } = error
  const what = `${code}${responseCode === undefined ? '' : ` ${responseCode}`}`
  // A server that refuses us as sender takes the mail once that is set right.
  const aboutTheMail = command === 'RCPT TO' || command === 'DATA'
  if (aboutTheMail && (responseCode ?? 0) >= 500) return new MailRefused(`the mail server refused the mail: ${what}`)
  return new Error(`the mail server did not take the mail: ${what}`)
}

/** Mails that are kept; the oldest go. */
const MAX_KEPT_MAILS = 200

const outboxMail = z.object({
  /** When it was sent, ISO 8601. */
  at: z.string(),
  to: z.string(),
  replyTo: z.string().optional(),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
})
export interface OutboxMail extends z.infer<typeof outboxMail> {
  /** Names it among the others; greater is later. */
  readonly id: string
}

const FILE = /^(\d{13}-[0-9a-f-]{36})\.json$/

/** The sandbox's transport: every mail becomes a file of a folder, to be read on a page of this server. */
export function folderTransport(folder: string, clock: () => number): MailTransport {
  return {
    send: async (mail) => {
      await mkdir(folder, { recursive: true })
      const at = clock()
      const draft = join(folder, randomUUID())
      await writeFile(draft, JSON.stringify({ at: new Date(at).toISOString(), ...mail }, null, 2), { mode: 0o600 })
      await rename(draft, join(folder, `${String(at).padStart(13, '0')}-${randomUUID()}.json`))
      const ids = await idsIn(folder)
      await Promise.all(ids.slice(MAX_KEPT_MAILS).map((id) => rm(join(folder, `${id}.json`), { force: true })))
    },
    close: () => undefined,
  }
}

/** The mails of the folder, newest first. */
export async function listOutboxMails(folder: string): Promise<OutboxMail[]> {
  const mails = await Promise.all((await idsIn(folder)).map((id) => readOutboxMail(folder, id)))
  return mails.filter((mail) => mail !== null)
}

/** @returns null when there is no such mail */
export async function readOutboxMail(folder: string, id: string): Promise<OutboxMail | null> {
  const name = `${id}.json`
  if (!FILE.test(name)) return null
  try {
    return { id, ...outboxMail.parse(JSON.parse(await readFile(join(folder, name), 'utf8'))) }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

async function idsIn(folder: string): Promise<string[]> {
  try {
    const names = await readdir(folder)
    return names.flatMap((name) => FILE.exec(name)?.[1] ?? []).toSorted((a, b) => (a < b ? 1 : -1))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
