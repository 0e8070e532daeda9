import { count, desc, eq, inArray } from 'drizzle-orm'
import type { MyData } from '../../../src/contract/my-data'
import type { AppDeps } from '../../app-deps'
import type { Queryable } from '../../db/open'
import { alert_events, push_deliveries, push_subscriptions } from '../../db/schema/alerts'
import { feedback } from '../../db/schema/mail'
import { operations } from '../../db/schema/widgets'
import { owners } from '../../db/schema/users'
import type { Caller } from '../../plugins/identity'
import { attemptLimit, countAttempt } from '../attempts'
import { atOneMoment } from '../admin/page'
import { findOwner, type Owner } from '../owners'
import { readStoredWidgets } from '../widgets/read'
import { readUsersData, type UsersData } from './users-data'

/** Data that a guest has none of. */
const NO_ACCOUNT: UsersData = {
  account: null,
  sessions: [],
  known_devices: [],
  passkeys: [],
  recovery_codes: 0,
  subscriptions: [],
  audit_entries: [],
  mails_waiting: [],
  links_open: [],
}

/**
 * All rows that the server has of its caller, as of one moment, without hashes and keys.
 * @throws TooManyAttempts; ApiError TOKEN_EXPIRED when the session has ended
 */
export async function readMyData(
  { database, env, clock }: Pick<AppDeps, 'database' | 'env' | 'clock'>,
  caller: Caller,
): Promise<MyData> {
  const now = clock()
  const who = caller.kind === 'guest' ? caller.anonymousHash : caller.userId
  await findOwner(database.orm, caller)
  await countAttempt(database.orm, attemptLimit('download-data', env), who, now)
  return atOneMoment(database, async (tx) => {
    const owner = await findOwner(tx, caller)
    const common = { made_at: new Date(now).toISOString(), kind: caller.kind, last_seen: owner?.lastSeen ?? null }
    if (owner === undefined) return { ...common, ...NO_ACCOUNT, ...NOTHING }
    const alerts = await exportAlerts(tx, owner)
    const users = owner.kind === 'user' ? await readUsersData(tx, owner.id) : NO_ACCOUNT
    return {
      ...common,
      ...users,
      since: await sinceOf(tx, owner),
      widgets: await readStoredWidgets(tx, owner),
      alerts,
      alerts_left_out: alerts.length < MAX_EXPORTED_ALERTS ? 0 : (await countAlerts(tx, owner)) - alerts.length,
      push_devices: await readPushDevices(tx, owner),
      feedback: await readFeedback(tx, owner),
      request_keys: await countKeys(tx, owner),
    }
  })
}

/** Answer about a guest of whom the server has never stored anything. */
const NOTHING = {
  since: null,
  widgets: [],
  alerts: [],
  alerts_left_out: 0,
  push_devices: [],
  feedback: [],
  request_keys: 0,
}

async function sinceOf(tx: Queryable, { id }: Owner): Promise<string | null> {
  const [row] = await tx.select({ at: owners.created_at }).from(owners).where(eq(owners.id, id))
  return row?.at.toISOString() ?? null
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

/** At most ten a day for a year. */
async function readFeedback(tx: Queryable, { id, kind }: Owner): Promise<MyData['feedback']> {
  const rows = await tx
    .select({ message: feedback.message, at: feedback.created_at })
    .from(feedback)
    .where(eq(kind === 'user' ? feedback.user_id : feedback.guest_id, id))
    .orderBy(desc(feedback.created_at))
  return rows.map(({ message, at }) => ({ message, created_at: at.toISOString() }))
}

async function countKeys(tx: Queryable, { id }: Owner): Promise<number> {
  const [row] = await tx.select({ all: count() }).from(operations).where(eq(operations.owner_id, id))
  return row?.all ?? 0
}

/** Alerts that one file holds, some 4 MB: nothing else limits how often a threshold is crossed in 400 days. */
export const MAX_EXPORTED_ALERTS = 10_000

/** An owner's alerts, newest first, each with what became of the messages to browsers. */
async function exportAlerts(tx: Queryable, { id }: Owner): Promise<MyData['alerts']> {
  const newest = tx
    .select()
    .from(alert_events)
    .where(eq(alert_events.owner_id, id))
    .orderBy(desc(alert_events.crossed_at))
    .limit(MAX_EXPORTED_ALERTS)
  const theirs = tx.select({ id: alert_events.id }).from(alert_events).where(eq(alert_events.owner_id, id))
  const [events, deliveries] = [
    await newest,
    await tx.select().from(push_deliveries).where(inArray(push_deliveries.event_id, theirs)),
  ]
  const messages = new Map<string, (typeof deliveries)[number][]>()
  for (const delivery of deliveries) {
    const known = messages.get(delivery.event_id)
    if (known === undefined) messages.set(delivery.event_id, [delivery])
    else known.push(delivery)
  }
  return events.map((event) => ({
    widget_id: event.widget_id,
    coin_a_id: event.coin_a_id,
    coin_b_id: event.coin_b_id,
    side: event.side,
    ratio: event.ratio,
    threshold: event.threshold,
    crossed_at: event.crossed_at.toISOString(),
    back_at: event.back_at?.toISOString() ?? null,
    delivery: event.delivery,
    messages: (messages.get(event.id) ?? []).map(({ outcome, attempts, ended_at }) => ({
      outcome,
      attempts,
      ended_at: ended_at?.toISOString() ?? null,
    })),
  }))
}

async function countAlerts(tx: Queryable, { id }: Owner): Promise<number> {
  const [row] = await tx.select({ all: count() }).from(alert_events).where(eq(alert_events.owner_id, id))
  return row?.all ?? 0
}
