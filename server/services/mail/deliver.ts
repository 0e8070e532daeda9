import { eq, sql } from 'drizzle-orm'
import { DAY, HOUR, MINUTE } from '../../../src/domain/granularity'
import { pauseAfter } from '../../../src/domain/waits'
import {
  type Mail,
  MAIL_TIMEOUT_MS,
  MailRefused,
  type MailTransport,
  SMTP_CONNECTIONS,
} from '../../adapters/mail-transport'
import type { Database } from '../../db/open'
import { mail_requests } from '../../db/schema/mail'
import type { Env } from '../../env'
import { isDueInSql } from '../../waits'
import { TooManyAttempts } from '../../http/api-error'
import { normalEmail } from '../accounts/account'
import type { CountDelivery } from '../alerts/metrics'
import { countInEach, type Limit, sharedLimits, uncountInEach } from '../address-limits'
import { attemptAt, countAttempt, uncountAttempt } from '../attempts'
import { type MailOutcome, recordMail } from '../channels/record-message'
import { isRemovalHeld } from '../removal-job'
import type { ServiceDeps } from '../service-deps'
import { LINK_LIFETIME } from './mail-templates'
import { isLink, isOfAlerts, type QueuedMail, writeMail } from './queued-mail'

export interface MailDeps extends Pick<ServiceDeps, 'database' | 'clock' | 'logger'> {
  readonly env: Pick<Env, 'PUBLIC_URL' | 'SUPPORT_EMAIL' | 'RATE_LIMIT_FACTOR'>
  readonly transport: MailTransport
  readonly count?: CountDelivery
  /** Called with the cause where a mail could not be sent, other than that it was one too many. */
  readonly failed?: (error: unknown) => void
}

/** A try is over by then, or its process is. Milliseconds. */
const CLAIM_LEASE = MAIL_TIMEOUT_MS + 10_000
const RETRY_PAUSES = { first: 5_000, growth: 3, longest: 15 * MINUTE }
/** Milliseconds after which a mail is given up: a link that was asked for an hour ago has been asked for again. */
const MAIL_TTL: Readonly<Record<QueuedMail['kind'], number>> = {
  'verify-email': LINK_LIFETIME['verify-email'],
  'reset-password': LINK_LIFETIME['reset-password'],
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
  alerts: DAY,
  'alerts-test': HOUR,
  'way-off': 3 * DAY,
  'device-silent': 3 * DAY,
  operators: DAY,
  feedback: 7 * DAY,
}

/**
 * Sends the mails that are due, some at a time, until none is left. Any number of processes may do so at once: the process
 * that moves a row's next try has it. A process that dies before it notes that it has sent leads to a second mail.
 */
export async function deliverMails(deps: MailDeps, stopped: () => boolean = () => false): Promise<void> {
  let claimed: QueuedMail[]
  do {
    claimed = await claimDue(deps)
    await Promise.all(claimed.map((request) => deliver(deps, request)))
  } while (claimed.length === SMTP_CONNECTIONS && !stopped())
}

async function claimDue({ database, clock }: MailDeps): Promise<QueuedMail[]> {
  const now = clock()
  // Every second, mostly to find none: the claim is planned only where there is a mail.
  if ((await database.orm.select({ id: mail_requests.id }).from(mail_requests).limit(1)).length === 0) return []
  const some = database.orm
    .select({ id: mail_requests.id })
    .from(mail_requests)
    .where(isDueInSql(mail_requests.next_attempt_at, now, 2 * RETRY_PAUSES.longest))
    .orderBy(mail_requests.next_attempt_at)
    .limit(SMTP_CONNECTIONS)
    .for('update', { skipLocked: true })
  return (
    database.orm
      .update(mail_requests)
      .set({ attempts: sql`${mail_requests.attempts} + 1`, next_attempt_at: new Date(now + CLAIM_LEASE) })
      // As an array the rows are chosen once; joined, PostgreSQL may choose anew for every row that it looks at.
      .where(sql`${mail_requests.id} = ANY(ARRAY(${some}))`)
      .returning()
  )
}

async function deliver(deps: MailDeps, request: QueuedMail): Promise<void> {
  const { database, clock, logger } = deps
  const { id, kind, attempts } = request
  const about = { mail: id, kind, attempt: attempts }
  const lastTime = request.requested_at.getTime() + MAIL_TTL[kind]
  if (clock() > lastTime) {
    // A clock that has jumped may be wrong: set right, it finds the mail still due.
    if (await isRemovalHeld(database.orm, clock()))
      return putOff(database, id, clock() + RETRY_PAUSES.longest, attempts)
    logger?.error(about, 'mail given up: nothing could be sent in time')
    return finish(deps, request, { kind: 'undeliverable', reason: 'no mail could be sent' })
  }
  try {
    const mail = await writeMail(deps, request, clock())
    if (mail !== null) await sendCounted(deps, request, mail)
    await finish(deps, request, { kind: mail === null ? 'unwanted' : 'sent' })
    logger?.info(about, mail === null ? 'mail not wanted any more' : 'mail sent')
  } catch (error) {
    const isLimited = error instanceof TooManyAttempts
    if (!isLimited) deps.failed?.(error)
    const next = clock() + pauseOf(error, attempts)
    const isLast = next > lastTime && !(await isRemovalHeld(database.orm, clock()))
    if (error instanceof MailRefused || isLast) {
      logger?.error({ ...about, err: error }, 'mail given up')
      const reason = error instanceof MailRefused ? 'the mail server refused the mail' : 'no mail could be sent'
      return finish(deps, request, { kind: 'undeliverable', reason })
    }
    logger?.warn({ ...about, err: error }, 'mail could not be sent yet')
    if (kind === 'alerts') deps.count?.('email', 'again')
    await putOff(database, id, next, isLimited ? attempts - 1 : attempts)
  }
}

/** A mail that is one too many waits; its row is looked at as often as one that could not be sent. */
const pauseOf = (error: unknown, attempts: number): number =>
  error instanceof TooManyAttempts
    ? Math.min(error.retryAfter * 1000, RETRY_PAUSES.longest)
    : pauseAfter(attempts, RETRY_PAUSES)

/**
 * Sends a mail as one of so many. Counted here rather than where it was asked for: only here is it known, without telling
 * who asked, that there is an account and the mail really goes out.
 * @throws TooManyAttempts, and then nothing was sent
 */
async function sendCounted({ database: { orm }, env, transport, clock }: MailDeps, request: QueuedMail, mail: Mail) {
  const now = clock()
  const { kind, email, asked_from } = request
  // Feedback is limited where it is kept; what tells of a passkey that a thief may have added does not wait behind others.
  if (email === null || kind === 'passkey-added') return transport.send(mail)
  const toReader = attemptAt('mail', { mail: `${kind} ${normalEmail(email)}` }, env)
  const networks = asked_from === null ? [] : [{ network: asked_from, times: 1 }]
  const links = isLink(kind) ? sharedLimits(env, kind, networks, now) : []
  await countAttempt(orm, toReader, now)
  let counted: readonly Limit[] = []
  try {
    if (links.length > 0) await countInEach(orm, links, now)
    counted = links
    await transport.send(mail)
  } catch (error) {
    await uncountAttempt(orm, toReader, now)
    if (counted.length > 0) await uncountInEach(orm, counted)
    throw error
  }
}

/** @param attempts those that count: a mail that is one too many was not tried */
const putOff = async ({ orm }: Database, id: string, until: number, attempts: number): Promise<void> =>
  void (await orm
    .update(mail_requests)
    .set({ next_attempt_at: new Date(until), attempts })
    .where(eq(mail_requests.id, id)))

/** Forgets a mail with which nothing more is to be done; of alerts, its deliveries and the owner's channel learn of it first. */
async function finish({ database, clock, count }: MailDeps, request: QueuedMail, outcome: MailOutcome): Promise<void> {
  if (isOfAlerts(request.kind)) await recordMail(database, request, outcome, clock())
  await forget(database, request.id)
  if (request.kind === 'alerts') count?.('email', outcome.kind)
}

const forget = async ({ orm }: Database, id: string): Promise<void> =>
  void (await orm.delete(mail_requests).where(eq(mail_requests.id, id)))
