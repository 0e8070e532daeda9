import { and, desc, eq, getTableColumns, gte, inArray, or, type SQL } from 'drizzle-orm'
import type { AlertsAnswer, Crossing } from '../../../src/contract/alerts'
import { MINUTE } from '../../../src/domain/granularity'
import type { CoinId, WidgetId } from '../../../src/domain/ids'
import { pairTitle } from '../../../src/domain/pair'
import { deliveriesInSql, hasFateSince } from './deliveries-in-sql'
import { eventIdOf, kindFields } from './event-wire'
import { alert_events, EVENT_KINDS } from '../../db/schema/alerts'
import { type Caller, findOwner } from '../owners'
import type { Counted, PageQuery } from '../list-page'
import type { ServiceDeps } from '../service-deps'

/**
 * Milliseconds: a crossing carries the time at which its judgement began, by the clock of the process that judged. It is
 * committed later than that, so an answer to `since` begins so much earlier.
 */
const OVERLAP = 10 * MINUTE

interface AlertsQuery extends PageQuery {
  readonly since?: string | undefined
  readonly kinds?: string | undefined
}

/**
 * A page of the caller's crossings, newest first, of the kinds that the client knows. A crossing that is recorded between two pages moves the others back, so
 * that some are listed twice; none is left out.
 * @throws ApiError TOKEN_EXPIRED when the user's session has ended
 */
export async function listAlerts(
  { database: { orm }, clock }: Pick<ServiceDeps, 'database' | 'clock'>,
  caller: Caller,
  { since, kinds = '', skip, limit }: AlertsQuery,
): Promise<Counted<AlertsAnswer>> {
  const as_of = new Date(clock()).toISOString()
  const owner = await findOwner(orm, caller)
  if (owner === undefined) return { part: { as_of, alerts: [] }, total: 0 }
  const wanted = and(
    eq(alert_events.owner_id, owner.id),
    or(eq(alert_events.kind, 'threshold'), inArray(alert_events.kind, kindsOf(kinds))),
    since === undefined ? undefined : changedSince(since),
  )
  const counted = orm.$count(alert_events, wanted)
  const columns = { ...getTableColumns(alert_events), deliveries: deliveriesInSql(new Date(as_of)) }
  // Counted in the same statement: two would let a page contradict the number beside it.
  const rows = await orm
    .select({ ...columns, total: counted })
    .from(alert_events)
    .where(wanted)
    .orderBy(desc(alert_events.crossed_at), desc(alert_events.id))
    .offset(skip)
    .limit(limit)
  const total = rows[0]?.total ?? (skip === 0 ? 0 : await counted)
  return { part: { as_of, alerts: rows.map(crossingOf) }, total }
}

function changedSince(since: string): SQL | undefined {
  const from = new Date(Date.parse(since) - OVERLAP)
  return or(gte(alert_events.crossed_at, from), gte(alert_events.back_at, from), hasFateSince(from))
}

const kindsOf = (named: string) => EVENT_KINDS.filter((kind) => named.split(',').includes(kind))

const ON_ITS_WAY: ReadonlySet<string> = new Set<typeof alert_events.$inferSelect.delivery>(['waiting', 'fanned-out'])

type Row = typeof alert_events.$inferSelect & { readonly deliveries: Crossing['deliveries'] | null }

const crossingOf = (row: Row): Crossing => ({
  event_id: eventIdOf(row),
  widget_id: row.widget_id as WidgetId,
  coin_a_id: row.coin_a_id as CoinId,
  coin_b_id: row.coin_b_id as CoinId,
  pair: pairTitle({ coinA: { symbol: row.coin_a_symbol }, coinB: { symbol: row.coin_b_symbol } }),
  side: row.side,
  epoch: row.epoch,
  ratio: row.ratio,
  threshold: row.threshold,
  crossed_at: row.crossed_at.toISOString(),
  back_at: row.back_at?.toISOString() ?? null,
  ...((row.delivery === 'paused' || row.delivery === 'snoozed') && { held_until: null }),
  ...(row.held_until && { held_until: row.held_until.toISOString() }),
  ...(row.deliveries && { deliveries: row.deliveries }),
  ...(!ON_ITS_WAY.has(row.delivery) && { not_sent: row.delivery }),
  ...kindFields(row),
})
