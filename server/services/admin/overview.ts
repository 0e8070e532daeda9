import { countDistinct, max, sql } from 'drizzle-orm'
import type { Pool } from 'pg'
import type { Overview } from '../../../src/contract/admin'
import type { MarketSource } from '../../../src/contract/market'
import { ALERT_SIDES, type AlertSide } from '../../../src/domain/alerts'
import { COUNTED_TO } from '../../../src/domain/counted-to'
import { DAY } from '../../../src/domain/granularity'
import type { Payments } from '../../adapters/payments/payments'
import { aboutHowMany, upTo } from '../../db/count'
import type { Database, Queryable } from '../../db/open'
import { billing_events, billing_removals, subscriptions } from '../../db/schema/billing'
import type { Env } from '../../env'
import { type JobLateness, jobLateness } from '../../jobs/periodic'
import { COMMIT, VERSION } from '../../program-files'
import { isCurrentGrant, isPaidFor } from '../billing/tier'
import type { Market } from '../market/market'
import { callsThisMonth, monthlyCalls } from '../market/prices/call-budget'
import { newestPriceAt, readStoredPrices } from '../market/prices/stored-prices'
import { idsOfWatched } from '../market/prices/watched-coins'
import { alertBacklog } from '../alerts/metrics'
import { heldRemoval } from '../removal-job'
import type { ServiceDeps } from '../service-deps'
import { diskFigures, lastBackupAt, storageFigures } from '../storage-figures'

type OverviewDeps = Pick<ServiceDeps, 'database' | 'env' | 'payments' | 'clock'> & {
  readonly market: Pick<Market, 'source'>
}

/** Figures for operators. One query after the other, so that no other request waits for a connection meanwhile. */
export async function readOverview({ database, env, market, payments, clock }: OverviewDeps): Promise<Overview> {
  const now = clock()
  return {
    version: `${VERSION} (${COMMIT})`,
    at: new Date(now).toISOString(),
    accounts: await accountFigures(database.orm),
    market: await marketFigures(database.pool, env, market.source, now),
    alerts: await alertFigures(database.orm, now),
    queues: await queueFigures(database.orm, now),
    billing: await billingFigures(database.orm, payments, now),
    storage: await readStorage(database, env),
    retention: await heldRemoval(database.orm),
  }
}

/** Sides are armed where they may fire at the next price, or once they have been held for long enough. */
async function accountFigures(db: Queryable): Promise<Overview['accounts']> {
  const armed = (side: AlertSide, due: string, index: string) =>
    aboutHowMany(
      `widgets_${side}_${index}`,
      sql.raw(`FROM widgets WHERE is_active AND notifications_enabled AND ${side}_threshold IS NOT NULL
        AND ${side}_threshold_active AND ${side}_due_at ${due}`),
    )
  const sides = ALERT_SIDES.flatMap((side) => [armed(side, 'IS NULL', 'armed'), armed(side, 'IS NOT NULL', 'held')])
  const { rows } = await db.execute<Overview['accounts'] & Record<string, unknown>>(sql`
    SELECT ${aboutHowMany('users', sql`FROM users`)} AS users,
      ${aboutHowMany('users_premium', sql`FROM users WHERE has_premium_access`)} AS premium,
      ${aboutHowMany('owners_guests_seen', sql`FROM owners WHERE kind = 'guest'`)} AS guests,
      ${aboutHowMany('widgets', sql`FROM widgets`)} AS widgets, ${sql.join(sides, sql` + `)} AS armed_sides`)
  return rows[0]!
}

/**
 * Alerts of the last day and their deliveries: `median_seconds` from a crossing to a push service's acceptance.
 * Deliveries to removed subscriptions, or superseded by a later alert, do not count as failed.
 */
async function alertFigures(db: Queryable, now: number): Promise<Overview['alerts']> {
  const since = new Date(now - DAY)
  const { rows } = await db.execute<Overview['alerts'] & Record<string, unknown>>(sql`
    SELECT (SELECT count(*)::int FROM alert_events WHERE crossed_at > ${since}) AS crossings,
      (count(*) FILTER (WHERE d.outcome = 'sent'))::int AS sent,
      (count(*) FILTER (WHERE d.outcome IN ('undeliverable', 'refused', 'too-late')))::int AS undeliverable,
      percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM d.ended_at - e.crossed_at)::float8)
        FILTER (WHERE d.outcome = 'sent') AS median_seconds
    FROM push_deliveries d JOIN alert_events e ON e.id = d.event_id WHERE d.ended_at > ${since}`)
  return rows[0]!
}

/** Accounts with Premium, by reason; an account may have it for both. */
async function billingFigures(db: Queryable, payments: Payments | null, now: number): Promise<Overview['billing']> {
  const accounts = { all: countDistinct(subscriptions.user_id) }
  const [paying] = await db.select(accounts).from(subscriptions).where(isPaidFor)
  const [given] = await db.select(accounts).from(subscriptions).where(isCurrentGrant(now))
  const [newest] = await db.select({ at: max(billing_events.received_at) }).from(billing_events)
  return {
    available: payments !== null,
    sandbox: payments?.sandbox ?? false,
    paying: paying?.all ?? 0,
    granted: given?.all ?? 0,
    newest_event_at: newest?.at?.toISOString() ?? null,
  }
}

async function marketFigures(pool: Pool, env: Env, source: MarketSource, now: number): Promise<Overview['market']> {
  return {
    source,
    ...(await pricedFigures(pool, env, source, now)),
    coins_priced: (await readStoredPrices(pool, source)).size,
  }
}

/** Whether prices are new, and the provider's calls of this month. */
export async function pricedFigures(pool: Pool, env: Env, source: MarketSource, now: number) {
  const newest = await newestPriceAt(pool, source)
  const counted = source === 'coingecko'
  return {
    coins_watched: (await idsOfWatched(pool, source, now)).length,
    newest_price_at: newest === null ? null : new Date(newest).toISOString(),
    provider_calls: counted ? await callsThisMonth(pool, now) : 0,
    provider_budget: counted ? monthlyCalls(env) : null,
  }
}

/** Waiting work of all processes. */
export async function queueFigures(db: Queryable, now: number): Promise<Overview['queues']> {
  const jobs = await jobLateness(db, now)
  const { rows } = await db.execute<{ mails: number }>(
    sql`SELECT ${upTo(COUNTED_TO.waiting, sql`FROM mail_requests`)} AS mails`,
  )
  const named = (which: (job: JobLateness) => boolean) => jobs.filter(which).map(({ name }) => name)
  return {
    ...(await alertBacklog(db)),
    mails: rows[0]!.mails,
    billing_removals: await db.$count(billing_removals),
    late_jobs: named((job) => job.isLate),
    failing_jobs: named((job) => job.failing),
  }
}

/** How much room there is, and how old the last backup is, as far as this process can see. */
export async function readStorage(
  { orm, engine }: Database,
  env: Pick<Env, 'DATA_DIR' | 'BACKUP_SCHEDULE'>,
): Promise<NonNullable<Overview['storage']>> {
  const storage = await storageFigures(orm)
  const disk = await diskFigures(env.DATA_DIR)
  const backupAt = lastBackupAt(env.DATA_DIR)
  return {
    engine,
    database_bytes: storage.database,
    log_bytes: storage.log,
    disk_bytes: disk?.size ?? null,
    disk_free_bytes: disk?.free ?? null,
    last_backup_at: backupAt === null ? null : new Date(backupAt).toISOString(),
    backup_every_seconds: env.BACKUP_SCHEDULE === undefined ? null : env.BACKUP_SCHEDULE.every / 1000,
  }
}
