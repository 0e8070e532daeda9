import { eq, lt, sql } from 'drizzle-orm'
import type { FastifyBaseLogger } from 'fastify'
import { DAY, MINUTE } from '../../../src/domain/granularity'
import { type MailCarrier, MailRefused } from '../../adapters/mail/carrier'
import { LONGEST_SENDING, SMTP_CONNECTIONS } from '../../adapters/mail/smtp'
import type { Database } from '../../db/open'
import { removeInBatches } from '../../db/remove-in-batches'
import { mail_requests, mail_tokens } from '../../db/schema/mail'
import type { Env } from '../../env'
import { LINK_LIFETIME } from './letters'
import { type QueuedMail, writeMail } from './write-mail'

export interface MailParts {
  readonly env: Pick<Env, 'PUBLIC_URL' | 'SUPPORT_EMAIL'>
  readonly database: Database
  readonly carrier: MailCarrier
  /** Milliseconds since 1970. */
  readonly clock: () => number
  readonly logger?: FastifyBaseLogger | undefined
}

/** A try is over by then, or its process is; milliseconds. */
const CLAIM = LONGEST_SENDING + 10_000
/** Milliseconds after the first failed try, how much longer after each further one, and at most. */
const FIRST_PAUSE = 5_000
const GROWTH = 3
const LONGEST_PAUSE = 15 * MINUTE
/** How long a mail is worth sending, milliseconds: a link that was asked for an hour ago has been asked for again. */
const WORTH: Readonly<Record<QueuedMail['kind'], number>> = {
  ...LINK_LIFETIME,
  'password-changed': 3 * DAY,
  'deletion-scheduled': 3 * DAY,
  'locked-out': DAY,
  'new-device': 3 * DAY,
  'session-stolen': 3 * DAY,
  'session-expired': 7 * DAY,
  'google-linked': 3 * DAY,
  'google-unlinked': 3 * DAY,
  'passkey-added': 3 * DAY,
  'passkey-removed': 3 * DAY,
  'recovery-code-used': 3 * DAY,
  feedback: 7 * DAY,
}

/**
 * Sends the mails that are due, some at a time, until none is left. Any number of processes may do so at once: who moves
 * a row's next try has it. A process that dies between sending and noting so leads to a second mail, never to none.
 */
export async function deliverMails(parts: MailParts, stopped: () => boolean = () => false): Promise<void> {
  let claimed: QueuedMail[]
  do {
    claimed = await claimDue(parts)
    await Promise.all(claimed.map((request) => deliver(parts, request)))
  } while (claimed.length === SMTP_CONNECTIONS && !stopped())
}

async function claimDue({ database, clock }: MailParts): Promise<QueuedMail[]> {
  const now = clock()
  // A time further ahead than any pause was written while the clock was wrong.
  const due = sql`${mail_requests.next_attempt_at} <= ${new Date(now)} OR ${mail_requests.next_attempt_at} > ${new Date(now + 2 * LONGEST_PAUSE)}`
  const some = database.orm
    .select({ id: mail_requests.id })
    .from(mail_requests)
    .where(due)
    .orderBy(mail_requests.next_attempt_at)
    .limit(SMTP_CONNECTIONS)
    .for('update', { skipLocked: true })
  return (
    database.orm
      .update(mail_requests)
      .set({ attempts: sql`${mail_requests.attempts} + 1`, next_attempt_at: new Date(now + CLAIM) })
      // As an array the rows are chosen once; joined, PostgreSQL may choose anew for every row that it looks at.
      .where(sql`${mail_requests.id} = ANY(ARRAY(${some}))`)
      .returning()
  )
}

async function deliver(parts: MailParts, request: QueuedMail): Promise<void> {
  const { database, carrier, clock, logger } = parts
  const { id, kind, attempts } = request
  const about = { mail: id, kind, attempt: attempts }
  const lastTime = request.requested_at.getTime() + WORTH[kind]
  if (clock() > lastTime) {
    logger?.error(about, 'mail given up: nothing could be sent in time')
    return forget(database, id)
  }
  try {
    const mail = await writeMail(parts, request, clock())
    if (mail !== null) await carrier.send(mail)
    await forget(database, id)
    logger?.info(about, mail === null ? 'mail not wanted any more' : 'mail sent')
  } catch (error) {
    const pause = Math.min(FIRST_PAUSE * GROWTH ** (attempts - 1), LONGEST_PAUSE)
    const next = clock() + pause
    if (error instanceof MailRefused || next > lastTime) {
      logger?.error({ ...about, err: error }, 'mail given up')
      return forget(database, id)
    }
    logger?.warn({ ...about, err: error }, 'mail could not be sent yet')
    await database.orm
      .update(mail_requests)
      .set({ next_attempt_at: new Date(next) })
      .where(eq(mail_requests.id, id))
  }
}

async function forget({ orm }: Database, id: string): Promise<void> {
  await orm.delete(mail_requests).where(eq(mail_requests.id, id))
}

/** @param now milliseconds since 1970 */
export async function removeExpiredMailTokens({ orm }: Database, now: number, signal?: AbortSignal): Promise<void> {
  await removeInBatches(orm, mail_tokens, lt(mail_tokens.expires_at, new Date(now)), { signal })
}
