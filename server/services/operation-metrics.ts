import { sql } from 'drizzle-orm'
import type { Pool } from 'pg'
import { Gauge, type Registry } from 'prom-client'
import type { MarketSource } from '../../src/contract/market'
import type { Queryable } from '../db/open'
import type { Env } from '../env'
import { jobLateness } from '../jobs/periodic'
import { COMMIT, VERSION } from '../program-files'
import { callsThisMonth, monthlyCalls } from './market/prices/call-budget'
import { newestPriceAt } from './market/prices/stored-prices'
import { isAnyWatched } from './market/prices/watched-coins'
import { figureGauges } from './read-figure'
import type { ServiceDeps } from './service-deps'

interface OperationDeps extends Pick<ServiceDeps, 'database' | 'clock' | 'logger'> {
  readonly env: Pick<Env, 'COINGECKO_MONTHLY_CALLS' | 'COINGECKO_PRO_API_KEY'>
  readonly market: { readonly source: MarketSource }
}

/** Rows of a queue that are looked at, those that are due first: the oldest of a long queue is not sought in all of it. */
const LOOKED_AT = 200

/**
 * Figures for monitoring, of all processes that share the database, read at each scrape: by an index, from small tables, or
 * from estimates of the catalogue, and never by counting. One that cannot be read is NaN.
 */
export function operationMetrics(registry: Registry, deps: OperationDeps): void {
  const { database, env, market, clock, logger } = deps
  const { orm, pool } = database
  const { gauge, gauges } = figureGauges(registry, logger)
  new Gauge({
    name: 'build_info',
    help: 'Always 1: version and commit of the program',
    labelNames: ['version', 'commit'],
    registers: [registry],
  }).set({ version: VERSION, commit: COMMIT }, 1)

  gauge(
    'price_age_seconds',
    'Time since the newest price was fetched; NaN: there is none, or nobody watches a coin',
    () => priceAge(pool, market.source, clock()),
  )
  const isCounted = market.source === 'coingecko'
  gauge('provider_calls_used', 'Calls to the provider in this month; NaN: they are not counted', async () =>
    isCounted ? callsThisMonth(pool, clock()) : null,
  )
  gauge('provider_calls_left', 'Calls to the provider that this month leaves; NaN: they are not counted', async () =>
    isCounted ? Math.max(0, monthlyCalls(env) - (await callsThisMonth(pool, clock()))) : null,
  )
  gauge(
    'delivery_oldest_seconds',
    `Time since the oldest alert that waits to be sent, of the ${LOOKED_AT} that are due first by each way, could be; 0: none waits`,
    () => oldestDelivery(orm, clock()),
  )
  gauge(
    'mail_oldest_seconds',
    `Time since the oldest mail that waits was asked for, of the ${LOOKED_AT} that are due first; 0: none waits`,
    () => oldestMail(orm, clock()),
  )
  gaugesByName(gauges, deps)
}

/** Those of each job, and of each table. */
function gaugesByName(
  gauges: ReturnType<typeof figureGauges>['gauges'],
  { database: { orm }, clock }: OperationDeps,
): void {
  gauges(
    'job',
    () => jobLateness(orm, clock()),
    ({ name }) => name,
    [
      {
        name: 'job_late_seconds',
        help: 'Time by which a periodic job is overdue; 0: it runs, or is not due',
        figure: ({ late }) => late / 1000,
      },
      {
        name: 'job_failing',
        help: '1: the last run of a periodic job failed',
        figure: ({ failing }) => (failing ? 1 : 0),
      },
    ],
  )
  gauges(
    'table',
    () => tables(orm),
    ({ name }) => name,
    [
      { name: 'table_rows', help: 'Rows of a table, as the database last estimated', figure: ({ rows }) => rows },
      {
        name: 'table_bytes',
        help: 'Bytes of a table with its indexes, as the database last estimated',
        figure: ({ bytes }) => bytes,
      },
    ],
  )
}

const seconds = (milliseconds: number): number => Math.max(0, milliseconds / 1000)

async function priceAge(pool: Pool, source: MarketSource, now: number): Promise<number | null> {
  if (!(await isAnyWatched(pool, source, now))) return null
  const at = await newestPriceAt(pool, source)
  return at === null ? null : seconds(now - at)
}

/** An alert that its owner's quiet hours hold could be sent from their end on. */
async function oldestDelivery(db: Queryable, now: number): Promise<number> {
  const waiting = (table: 'push_deliveries' | 'channel_deliveries') => sql`
    SELECT coalesce(e.held_until, e.crossed_at) AS at FROM (
      SELECT event_id FROM ${sql.identifier(table)} WHERE outcome = 'waiting' ORDER BY next_attempt_at LIMIT ${LOOKED_AT}
    ) d JOIN alert_events e ON e.id = d.event_id`
  const { rows } = await db.execute<{ at: number | null }>(sql`
    SELECT extract(epoch FROM min(at))::float8 * 1000 AS at FROM (
      ${waiting('push_deliveries')} UNION ALL ${waiting('channel_deliveries')} UNION ALL
      (SELECT coalesce(held_until, crossed_at) FROM alert_events WHERE delivery = 'waiting' ORDER BY crossed_at LIMIT ${LOOKED_AT})
    ) waiting`)
  return seconds(now - (rows[0]?.at ?? now))
}

async function oldestMail(db: Queryable, now: number): Promise<number> {
  const { rows } = await db.execute<{ at: number | null }>(sql`
    SELECT extract(epoch FROM min(requested_at))::float8 * 1000 AS at FROM (
      SELECT requested_at FROM mail_requests ORDER BY next_attempt_at LIMIT ${LOOKED_AT}
    ) waiting`)
  return seconds(now - (rows[0]?.at ?? now))
}

/** By the catalogue alone: no lock on a table, so that a migration does not hold up a scrape, and no look at a file. */
async function tables(db: Queryable) {
  const { rows } = await db.execute<{ name: string; rows: number | null; bytes: number }>(sql`
    SELECT t.relname AS name, nullif(t.reltuples, -1)::float8 AS rows,
      current_setting('block_size')::float8 * (t.relpages + coalesce(o.relpages, 0) +
        coalesce((SELECT sum(x.relpages) FROM pg_index i JOIN pg_class x ON x.oid = i.indexrelid
          WHERE i.indrelid IN (t.oid, o.oid)), 0)) AS bytes
    FROM pg_class t LEFT JOIN pg_class o ON o.oid = t.reltoastrelid
    WHERE t.relkind = 'r' AND t.relnamespace = 'public'::regnamespace ORDER BY t.relname`)
  return rows
}
