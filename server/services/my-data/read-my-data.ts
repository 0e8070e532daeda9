import { count, desc, eq } from 'drizzle-orm'
import type { MyData } from '../../../src/contract/my-data'
import type { AppParts } from '../../app-parts'
import type { Queryable } from '../../db/open'
import { feedback } from '../../db/schema/feedback'
import { operations } from '../../db/schema/operations'
import { owners } from '../../db/schema/owners'
import { push_subscriptions } from '../../db/schema/push'
import type { Caller } from '../../plugins/identity'
import { attemptLimit } from '../accounts/attempt-limits'
import { atOneMoment } from '../admin/page'
import { countAttempt } from '../attempts'
import { findOwner, type Owner } from '../owners'
import { readWidgets } from '../widgets/read'
import { countAlerts, MOST_ALERTS, readAlerts } from './alerts'
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
 * Everything that the server has of its caller, as of one moment, but for hashes and keys.
 * @throws TooManyAttempts; ApiError TOKEN_EXPIRED when the session has ended
 */
export async function readMyData(
  { database, env, clock }: Pick<AppParts, 'database' | 'env' | 'clock'>,
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
    const alerts = await readAlerts(tx, owner)
    const users = owner.kind === 'user' ? await readUsersData(tx, owner.id) : NO_ACCOUNT
    return {
      ...common,
      ...users,
      since: await sinceOf(tx, owner),
      widgets: await readWidgets(tx, owner),
      alerts,
      alerts_left_out: alerts.length < MOST_ALERTS ? 0 : (await countAlerts(tx, owner)) - alerts.length,
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
