import { and, asc, desc, eq, inArray, isNull } from 'drizzle-orm'
import type { MyData } from '../../../src/contract/my-data'
import { atOneMoment, type Queryable } from '../../db/open'
import { alert_events, push_deliveries, push_subscriptions } from '../../db/schema/alerts'
import { alert_channels, channel_deliveries } from '../../db/schema/channels'
import { billing_customers } from '../../db/schema/billing'
import { feedback, mail_requests, mail_tokens } from '../../db/schema/mail'
import { known_devices, recovery_codes, sessions } from '../../db/schema/sessions'
import { audit_log, normalEmailOf, owners } from '../../db/schema/users'
import { operations } from '../../db/schema/widgets'
import { accountAnswer, accountOfUser, normalEmail, ownAccount } from '../accounts/account'
import { subscriptionsOf } from '../admin/users'
import { settingsOf } from '../alerts/alert-settings'
import { kindFields } from '../alerts/event-wire'
import { attemptAt, countAttempt } from '../attempts'
import { type Caller, findOwner, type Owner } from '../owners'
import { MAX_OF_ONE_OWNER } from '../kept-for'
import { passkeysOf } from '../passkeys/passkeys'
import { securityEventsOf } from '../security-events'
import type { ServiceDeps } from '../service-deps'
import { requireSecondFactor } from '../sessions/sessions'
import { readStoredWidgets } from '../widgets/widgets'

/** Data that a guest has none of. */
const NO_ACCOUNT = {
  account: null,
  sessions: [],
  known_devices: [],
  passkeys: [],
  recovery_codes: 0,
  security_events: [],
  subscriptions: [],
  audit_entries: [],
  mails_waiting: [],
  links_open: [],
}

/** Answer about a guest of whom the server has never stored anything. */
const NOTHING = {
  since: null,
  widgets: [],
  alerts: [],
  alerts_left_out: 0,
  push_devices: [],
  alert_channels: [],
  feedback: [],
  request_keys: 0,
}

/**
 * All rows that the server has of its caller, as of one moment, without hashes and keys.
 * @throws TooManyAttempts; ApiError FRESH_SIGN_IN_REQUIRED where the account has passkeys, TOKEN_EXPIRED when the session has
 *   ended
 */
export async function readMyData(
  { database, env, clock }: Pick<ServiceDeps, 'database' | 'env' | 'clock'>,
  caller: Caller,
): Promise<MyData> {
  const now = clock()
  const who = caller.kind === 'guest' ? caller.anonymousHash : caller.userId
  if (caller.kind === 'user') {
    await requireSecondFactor(database.orm, caller, await ownAccount(database.orm, caller), now)
  }
  await countAttempt(database.orm, attemptAt('download-data', { owner: who }, env), now)
  return atOneMoment(database, async (tx) => {
    const owner = await findOwner(tx, caller)
    const common = { made_at: new Date(now).toISOString(), kind: caller.kind, last_seen: owner?.lastSeen ?? null }
    if (owner === undefined) return { ...common, ...NO_ACCOUNT, ...NOTHING }
    const { id } = owner
    const alerts = await exportAlerts(tx, owner)
    const [row] = await tx.select({ at: owners.created_at }).from(owners).where(eq(owners.id, id))
    const ofUser = owner.kind === 'user' ? await readUsersData(tx, id) : NO_ACCOUNT
    // Its first passkey may have come since.
    await requireSecondFactor(tx, caller, { has_passkeys: ofUser.passkeys.length > 0 }, now)
    const allAlerts =
      alerts.length < MAX_OF_ONE_OWNER.exportedAlerts
        ? alerts.length
        : await tx.$count(alert_events, eq(alert_events.owner_id, id))
    return {
      ...common,
      ...ofUser,
      since: row?.at.toISOString() ?? null,
      widgets: await readStoredWidgets(tx, owner),
      alerts,
      alert_settings: await settingsOf(tx, id),
      alerts_left_out: allAlerts - alerts.length,
      push_devices: await readPushDevices(tx, owner),
      alert_channels: await readChannels(tx, owner),
      feedback: await readFeedback(tx, owner),
      request_keys: await tx.$count(operations, eq(operations.owner_id, id)),
    }
  })
}

/** @throws ApiError TOKEN_EXPIRED when the account has gone */
async function readUsersData(tx: Queryable, id: string) {
  const account = await accountOfUser(tx, id)
  const [customer] = await tx.select().from(billing_customers).where(eq(billing_customers.user_id, id))
  const logins = await tx.select().from(sessions).where(eq(sessions.user_id, id)).orderBy(asc(sessions.created_at))
  const ofUser = eq(known_devices.user_id, id)
  const devices = await tx.select().from(known_devices).where(ofUser).orderBy(asc(known_devices.created_at))
  const audited = await tx.select().from(audit_log).where(eq(audit_log.target_id, id)).orderBy(desc(audit_log.at))
  const toUser = eq(normalEmailOf(mail_requests.email), normalEmail(account.email))
  const mails = await tx.select().from(mail_requests).where(toUser).orderBy(asc(mail_requests.requested_at))
  const isOpen = and(eq(mail_tokens.user_id, id), isNull(mail_tokens.used_at))
  const links = await tx.select().from(mail_tokens).where(isOpen).orderBy(asc(mail_tokens.expires_at))
  return {
    account: {
      ...accountAnswer(account),
      email_verified_at: account.email_verified_at?.toISOString() ?? null,
      last_login_at: account.last_login_at?.toISOString() ?? null,
      google_account: account.google_subject,
      google_added_at: account.google_added_at?.toISOString() ?? null,
      payment_customer: customer?.customer_id ?? null,
    },
    sessions: logins.map(({ device_label, created_at, refreshed_at }) => ({
      device: device_label,
      created_at: created_at.toISOString(),
      refreshed_at: refreshed_at?.toISOString() ?? null,
    })),
    known_devices: devices.map(({ created_at, seen_at }) => ({
      first_login_at: created_at.toISOString(),
      last_login_at: seen_at.toISOString(),
    })),
    passkeys: (await passkeysOf(tx, id)).map(({ name, created_at, last_used_at }) => ({
      name,
      created_at: created_at.toISOString(),
      last_used_at: last_used_at?.toISOString() ?? null,
    })),
    recovery_codes: await tx.$count(recovery_codes, eq(recovery_codes.user_id, id)),
    security_events: (await securityEventsOf(tx, id)).map(({ id: _id, ...event }) => event),
    subscriptions: await subscriptionsOf(tx, id),
    audit_entries: audited.map(({ at, action, actor_email, details }) => ({
      at: at.toISOString(),
      action,
      by: actor_email === null ? ('configuration' as const) : ('operator' as const),
      details,
    })),
    mails_waiting: mails.map(({ kind, requested_at }) => ({ kind, requested_at: requested_at.toISOString() })),
    links_open: links.map(({ purpose, expires_at }) => ({ purpose, expires_at: expires_at.toISOString() })),
  }
}

async function readPushDevices(tx: Queryable, { id }: Owner): Promise<MyData['push_devices']> {
  const rows = await tx
    .select()
    .from(push_subscriptions)
    .where(eq(push_subscriptions.owner_id, id))
    .orderBy(desc(push_subscriptions.subscribed_at))
  return rows.map((row) => ({
    push_service: new URL(row.endpoint).host,
    subscribed_at: row.subscribed_at.toISOString(),
    expires_at: row.expires_at?.toISOString() ?? null,
    refused_at: row.refused_at?.toISOString() ?? null,
  }))
}

async function readChannels(tx: Queryable, { id }: Owner): Promise<MyData['alert_channels']> {
  const rows = await tx
    .select()
    .from(alert_channels)
    .where(eq(alert_channels.owner_id, id))
    .orderBy(asc(alert_channels.created_at))
  return rows.map(({ kind, name, url, state, created_at, last_success_at, last_failure_at }) => ({
    kind,
    name,
    url,
    state,
    created_at: created_at.toISOString(),
    last_success_at: last_success_at?.toISOString() ?? null,
    last_failure_at: last_failure_at?.toISOString() ?? null,
  }))
}

/** At most ten a day for a year. */
async function readFeedback(tx: Queryable, { id, kind }: Owner): Promise<MyData['feedback']> {
  const rows = await tx
    .select({ message: feedback.message, at: feedback.created_at })
    .from(feedback)
    .where(eq(kind === 'user' ? feedback.user_id : feedback.guest_id, id))
    .orderBy(desc(feedback.created_at))
  return rows.map(({ message, at }) => ({ message, created_at: at.toISOString() }))
}

/** An owner's alerts, newest first, each with the outcome of its messages to browsers and channels. */
async function exportAlerts(tx: Queryable, { id }: Owner): Promise<MyData['alerts']> {
  const events = await tx
    .select()
    .from(alert_events)
    .where(eq(alert_events.owner_id, id))
    .orderBy(desc(alert_events.crossed_at))
    .limit(MAX_OF_ONE_OWNER.exportedAlerts)
  const ofOwner = tx.select({ id: alert_events.id }).from(alert_events).where(eq(alert_events.owner_id, id))
  const deliveries = [
    ...(await tx
      .select()
      .from(push_deliveries)
      .where(and(eq(push_deliveries.owner_id, id), inArray(push_deliveries.event_id, ofOwner)))),
    ...(await tx
      .select()
      .from(channel_deliveries)
      .where(and(eq(channel_deliveries.owner_id, id), inArray(channel_deliveries.event_id, ofOwner)))),
  ]
  const messages = new Map<string, MyData['alerts'][number]['messages']>(events.map((event) => [event.id, []]))
  for (const { event_id, outcome, attempts, ended_at } of deliveries) {
    messages.get(event_id)?.push({ outcome, attempts, ended_at: ended_at?.toISOString() ?? null })
  }
  return events.map((event) => ({
    widget_id: event.widget_id,
    coin_a_id: event.coin_a_id,
    coin_b_id: event.coin_b_id,
    side: event.side,
    ...kindFields(event),
    ratio: event.ratio,
    threshold: event.threshold,
    crossed_at: event.crossed_at.toISOString(),
    back_at: event.back_at?.toISOString() ?? null,
    delivery: event.delivery,
    messages: messages.get(event.id) ?? [],
  }))
}
