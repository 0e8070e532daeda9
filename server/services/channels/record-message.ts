import { and, eq, inArray, isNotNull, ne, sql } from 'drizzle-orm'
import { DAY, MINUTE } from '../../../src/domain/granularity'
import type { Change } from '../../db/changes'
import type { Database, Queryable } from '../../db/open'
import { alert_channels, channel_deliveries } from '../../db/schema/channels'
import { mail_requests } from '../../db/schema/mail'
import { normalEmailOf, users } from '../../db/schema/users'
import { ApiError } from '../../http/api-error'
import { normalEmail } from '../accounts/account'
import { noteWay } from '../alerts/note-way'
import { requestMail } from '../mail/queued-mail'
import { recordTry } from '../push/record-delivery'
import { isRemovalHeld } from '../removal-job'
import { type ChannelBatch, CHANNELS } from './channel-queue'

/* Outcomes of messages, in deliveries and in their channel; times are milliseconds since 1970. */

/** A channel that fails for so long is switched off. Milliseconds. */
const FAILING_FOR = 5 * DAY
/** At most ten mails an hour go to a reader: what crosses within this is in one. Milliseconds. */
const MAIL_SPACING = 6 * MINUTE

const triedOf = ({ channel, crossings }: ChannelBatch) => ({
  queue: CHANNELS,
  target: channel.id,
  deliveries: crossings.filter(({ wanted }) => wanted).map(({ delivery_id }) => delivery_id),
})

/** Ends deliveries that nobody wants any more, before the others are sent; the channel stays claimed for those. */
export async function recordUnwanted(
  { orm }: Database,
  { channel, crossings }: ChannelBatch,
  now: number,
): Promise<void> {
  const unwanted = crossings.filter(({ wanted }) => !wanted).map(({ delivery_id }) => delivery_id)
  if (unwanted.length === 0) return
  const freeAt = unwanted.length === crossings.length ? now : now + CHANNELS.lease
  const tried = { queue: CHANNELS, target: channel.id, deliveries: unwanted }
  await recordTry(orm, tried, { ended: 'unwanted', freeAt }, now)
}

const arrived = (now: number) => sql`, last_success_at = ${new Date(now)}, failing_since = NULL`
const failed = (reason: string, now: number) => {
  const at = new Date(now)
  return sql`, last_failure_at = ${at}, last_failure_reason = ${reason}, failing_since = COALESCE(s.failing_since, ${at})`
}

export const recordArrival = async ({ orm }: Database, batch: ChannelBatch, now: number): Promise<void> =>
  void (await recordTry(orm, triedOf(batch), { ended: 'sent', freeAt: now }, now, arrived(now)))

/**
 * Puts the batch into a mail, in the transaction that ends its deliveries: neither is there without the other. The mail has the
 * batch's id, and a process whose claim ran out finds the deliveries ended.
 */
export async function queueMail({ orm }: Database, batch: ChannelBatch, now: number): Promise<void> {
  await orm.transaction(async (tx) => {
    const ended = await recordTry(tx, triedOf(batch), { ended: 'queued', freeAt: now + MAIL_SPACING }, now)
    if (ended === 0) return
    const [account] = await tx.select({ email: users.email }).from(users).where(eq(users.id, batch.channel.owner_id))
    if (account === undefined) return
    const at = new Date(now)
    await tx
      .insert(mail_requests)
      .values({ id: batch.id, kind: 'alerts', email: account.email, requested_at: at, next_attempt_at: at })
  })
}

/** Records a try that failed. `nextAttempt` null: it was the last. @returns true: the channel was switched off */
export async function recordFailure(
  database: Database,
  batch: ChannelBatch,
  reason: string,
  nextAttempt: number | null,
  now: number,
): Promise<boolean> {
  const { orm } = database
  if (isTooLong(batch.channel.failing_since, now) && !(await isRemovalHeld(orm, now))) {
    await switchOff(database, batch, 'off', reason, now)
    return true
  }
  const left = nextAttempt === null ? { ended: 'too-late', freeAt: now } : { again: nextAttempt, freeAt: nextAttempt }
  await recordTry(orm, triedOf(batch), left, now, failed(reason, now))
  return false
}

const isTooLong = (since: Date | null, now: number): boolean => since !== null && now - since.getTime() >= FAILING_FOR

/** Ends all that waits for the channel, and tells its owner by mail, if there is a verified address. */
export async function switchOff(
  { orm, changes }: Database,
  batch: ChannelBatch,
  state: 'off' | 'ended',
  reason: string,
  now: number,
): Promise<void> {
  const told = await orm.transaction(async (tx) => {
    const off = sql`${failed(reason, now)}, state = ${state}`
    await recordTry(tx, triedOf(batch), { all: 'channel-off', freeAt: now }, now, off)
    return tellOwner(tx, batch.channel, now)
  })
  changes.publish(told)
}

/** Tells of a channel that is off by all others, and by mail where alerts are not mailed anyhow. @returns for after the commit */
async function tellOwner(
  tx: Queryable,
  { id, kind, name, owner_id }: Pick<ChannelBatch['channel'], 'id' | 'kind' | 'name' | 'owner_id'>,
  now: number,
): Promise<readonly Change[]> {
  const way = wayName(kind, name)
  const noted = await noteWay(tx, { owner: owner_id, kind: 'way_off', way: id, name: way }, now)
  const mailed = and(
    eq(alert_channels.owner_id, owner_id),
    eq(alert_channels.kind, 'email'),
    eq(alert_channels.state, 'on'),
  )
  if (kind === 'email' || (await tx.$count(alert_channels, mailed)) > 0) return noted
  const [account] = await tx
    .select({ email: users.email })
    .from(users)
    .where(and(eq(users.id, owner_id), isNotNull(users.email_verified_at)))
  if (account !== undefined) await requestMail(tx, { kind: 'way-off', email: account.email, device: way }, now)
  return noted
}

const wayName = (kind: ChannelBatch['channel']['kind'], name: string | null): string => {
  if (kind === 'email') return 'your email address'
  return kind === 'telegram' ? `the Telegram chat ${name ?? ''}`.trim() : `the webhook at ${name ?? 'its host'}`
}

/** Ends the chat's channels once its owner has blocked or left the bot; what waits for them is not sent. */
export async function endChat(
  { orm, changes }: Database,
  chat: string,
  state: 'off' | 'ended',
  now: number,
): Promise<void> {
  const told = await orm.transaction(async (tx) => {
    const ended = await tx
      .update(alert_channels)
      .set({ state, ...(state === 'ended' && { last_failure_at: new Date(now), last_failure_reason: 'blocked' }) })
      .where(and(eq(alert_channels.chat_id, chat), ne(alert_channels.state, 'ended')))
      .returning()
    await forgetWaiting(
      tx,
      ended.map(({ id }) => id),
      now,
    )
    const noted: Change[] = []
    if (state === 'ended') for (const channel of ended) noted.push(...(await tellOwner(tx, channel, now)))
    return noted
  })
  changes.publish(told)
}

/** Ends what waits for channels that are off. */
export async function forgetWaiting(tx: Queryable, channels: readonly string[], now: number): Promise<void> {
  await tx
    .update(channel_deliveries)
    .set({ outcome: 'channel-off', ended_at: new Date(now) })
    .where(and(inArray(channel_deliveries.channel_id, [...channels]), eq(channel_deliveries.outcome, 'waiting')))
}

/** Outcome of a mail with alerts, or of a test. */
export type MailOutcome =
  | { readonly kind: 'sent' | 'unwanted' }
  /** It was given up. `reason`: for the channel's owner. */
  | { readonly kind: 'undeliverable'; readonly reason: string }

/** Records that, also in the deliveries that the mail told of: the mail has their batch's id. */
export async function recordMail(
  { orm, changes }: Pick<Database, 'orm' | 'changes'>,
  { id, email }: { readonly id: string; readonly email: string | null },
  outcome: MailOutcome,
  now: number,
): Promise<void> {
  const at = new Date(now)
  const told = await orm.transaction(async (tx) => {
    const noted: Change[] = []
    const account = tx
      .select({ id: users.id })
      .from(users)
      .where(eq(normalEmailOf(users.email), normalEmail(email ?? '')))
    const theirs = and(eq(alert_channels.kind, 'email'), inArray(alert_channels.owner_id, account))
    const [channel] = await tx.select().from(alert_channels).where(theirs).for('no key update')
    if (channel === undefined) return noted
    if (outcome.kind === 'sent') {
      await tx.update(alert_channels).set({ last_success_at: at, failing_since: null }).where(theirs)
    } else if (outcome.kind === 'undeliverable') {
      const off = isTooLong(channel.failing_since, now) && !(await isRemovalHeld(tx, now))
      const known = {
        last_failure_at: at,
        last_failure_reason: outcome.reason,
        failing_since: channel.failing_since ?? at,
      }
      await tx
        .update(alert_channels)
        .set({ ...known, ...(off && { state: 'off' }) })
        .where(theirs)
      if (off) {
        await forgetWaiting(tx, [channel.id], now)
        noted.push(...(await tellOwner(tx, channel, now)))
      }
    }
    await tx
      .update(channel_deliveries)
      .set({ outcome: outcome.kind, ended_at: at })
      .where(and(eq(channel_deliveries.batch, id), eq(channel_deliveries.outcome, 'queued')))
    return noted
  })
  changes.publish(told)
}

/**
 * Stops mails of alerts by the token of a mail's link.
 * @throws ApiError INVALID_LINK
 */
export async function stopMails({ orm }: Database, id: string, token: string, now: number): Promise<void> {
  await orm.transaction(async (tx) => {
    const mails = and(eq(alert_channels.id, id), eq(alert_channels.kind, 'email'), eq(alert_channels.secret, token))
    const stopped = await tx.update(alert_channels).set({ state: 'off' }).where(mails).returning()
    if (stopped.length === 0) throw new ApiError('INVALID_LINK', 'This link does not work any more.')
    await forgetWaiting(tx, [id], now)
  })
}
