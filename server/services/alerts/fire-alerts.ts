import type { PoolClient } from 'pg'
import type { MarketSource } from '../../../src/contract/market'
import { ALERT_SIDES, alertEventId, type AlertSide, ruleOf } from '../../../src/domain/alerts'
import type { Change } from '../../db/changes'

/** Columns of equal length; a pair without a ratio of two fresh prices is left out. */
export interface PairRatios {
  /** Ids of `pairs`. */
  readonly pairs: readonly number[]
  /** Finite, at least 0. */
  readonly ratios: readonly number[]
}

/** Numbers of recorded crossings. */
export type Crossings = Readonly<Record<AlertSide, number>>

export interface Judgement {
  readonly crossings: Crossings
  /** Recorded crossings, and the new revisions of their owners and of those whose sides were re-armed: for after the commit. */
  readonly changes: readonly Change[]
  /** There may be more to judge: `rest`, or what the look had no room for. */
  readonly more: boolean
  /** Widgets that were found and are left for the next transaction. */
  readonly rest: FoundWidgets | null
}

/** Widgets with a side to change, as a look has found them. Columns of equal length. */
export interface FoundWidgets {
  readonly ids: readonly string[]
  /** Ids of `pairs`. */
  readonly pairs: readonly number[]
  /** There may be others. */
  readonly full: boolean
}

export const NOTHING_JUDGED = { crossings: { high: 0, low: 0 }, changes: [], more: false, rest: null } as const

/** Widgets that one transaction judges: a move of the whole market must not lock its widgets for as long as it has crossings. */
const ALERT_BATCH = 2_000
/** Batches that one look finds widgets for: a look has to pass all pairs, however few widgets are left. */
const BATCHES_OF_LOOK = 10

/**
 * `judge` for the watched widgets of these pairs, as part of a transaction: disarms each side that fires and records the
 * crossing; re-arms each side that is back, with a new epoch; notes when one that has to stay beyond its threshold is due.
 * Repeated and concurrent runs change nothing more.
 */
export async function fireAlerts(
  client: Pick<PoolClient, 'query'>,
  source: MarketSource,
  ratios: PairRatios,
  now: number,
  atOnce = ALERT_BATCH,
): Promise<Judgement> {
  const found = await findWidgets(client, ratios, now, atOnce * BATCHES_OF_LOOK)
  return found.ids.length === 0 ? NOTHING_JUDGED : fireFound(client, source, found, ratios, now, atOnce)
}

/**
 * The same for widgets that an earlier look has found, the first `atOnce` of them. A widget that other transactions have
 * changed since is judged as it is now; one whose pair has no ratio any more is left as it is.
 */
export async function fireFound(
  client: Pick<PoolClient, 'query'>,
  source: MarketSource,
  found: FoundWidgets,
  { pairs, ratios }: PairRatios,
  now: number,
  atOnce = ALERT_BATCH,
): Promise<Judgement> {
  const ratioOf = new Map(pairs.map((pair, index) => [pair, ratios[index]]))
  const due = found.ids.flatMap((id, index) => {
    const ratio = index < atOnce ? ratioOf.get(found.pairs[index]!) : undefined
    return ratio === undefined ? [] : [{ id, ratio }]
  })
  const values = [arrayOf(due.map(({ id }) => id)), arrayOf(due.map(({ ratio }) => ratio)), source, new Date(now), now]
  const { rows } = await client.query<FiredRow>(FIRE, values)
  const { raised, recorded, changed } = rows[0]!
  const high = recorded.filter(({ side }) => side === 'high').length
  const rest = found.ids.length > atOnce ? restOf(found, atOnce) : null
  return {
    crossings: { high, low: recorded.length - high },
    changes: [...raised.map(revisionChange), ...recorded.map(alertChange)],
    // If other processes changed all that was found, they also find the rest.
    more: rest !== null || (found.full && changed > 0),
    rest,
  }
}

/** Looks up widgets with a side to change. */
async function findWidgets(
  client: Pick<PoolClient, 'query'>,
  { pairs, ratios }: PairRatios,
  now: number,
  most: number,
): Promise<FoundWidgets> {
  // Most of the statement's looks into an index find nothing, and a bitmap for each costs more than the look (decision 0048).
  await client.query('SET LOCAL enable_bitmapscan = off')
  const values = [arrayOf(pairs), arrayOf(ratios), most, new Date(now)]
  const { rows } = await client.query<{ id: string; pair_id: number }>(FIND, values)
  // Pair by pair, as the look went: a batch then changes neighbours in the indexes.
  const pairOf = new Map(rows.map(({ id, pair_id }) => [id, pair_id]))
  return { ids: [...pairOf.keys()], pairs: [...pairOf.values()], full: rows.length >= most }
}

const restOf = ({ ids, pairs, full }: FoundWidgets, from: number): FoundWidgets => ({
  ids: ids.slice(from),
  pairs: pairs.slice(from),
  full,
})

/** As PostgreSQL writes arrays; of values that need no quotes. The driver would quote each of many thousands. */
export const arrayOf = (values: readonly (string | number | boolean | Date | null)[]): string =>
  `{${values.map((value) => (value instanceof Date ? value.toISOString() : (value ?? 'NULL'))).join(',')}}`

/** A new revision of an owner of changed widgets. */
interface RaisedRevision {
  readonly owner_id: string
  readonly widgets: number
}

interface RecordedCrossing {
  readonly owner_id: string
  readonly widget_id: string
  readonly side: AlertSide
  readonly epoch: number
}

interface FiredRow {
  readonly raised: readonly RaisedRevision[]
  readonly recorded: readonly RecordedCrossing[]
  /** Widgets of which something was written, if only when a side is due. */
  readonly changed: number
}

const revisionChange = ({ owner_id, widgets }: RaisedRevision): Change => ({
  kind: 'widgets',
  owner: owner_id,
  revision: widgets,
})

const alertChange = ({ owner_id, widget_id, side, epoch }: RecordedCrossing): Change => ({
  kind: 'alert',
  owner: owner_id,
  eventId: alertEventId(ruleOf(widget_id, side), epoch),
})

/** A side as statements name it: its columns, the ratios that are beyond its threshold, and those that arm it again. */
const sideOf = (side: AlertSide) => {
  const [threshold, armed, dueAt] = [`${side}_threshold`, `${side}_threshold_active`, `${side}_due_at`]
  const [beyond, within, back, first, last] =
    side === 'high' ? ['<', '>=', '(1 - alert_margin)', '', 'DESC'] : ['>', '<=', '(1 + alert_margin)', 'DESC', '']
  return { side, threshold, armed, dueAt, beyond, within, backLevel: `(${threshold} * ${back})`, first, last }
}
const SIDES = ALERT_SIDES.map(sideOf)
type Side = (typeof SIDES)[number]
const forSides = (text: (side: Side) => string, between: string): string => SIDES.map(text).join(between)

/** The condition of `widgets_due`. */
const WAITS = 'is_active AND notifications_enabled AND (high_due_at IS NOT NULL OR low_due_at IS NOT NULL)'

const watchedIds = (condition: string, order: string): string =>
  `(SELECT id FROM widgets WHERE pair_id = seen.pair_id AND is_active AND notifications_enabled AND ${condition} ORDER BY ${order} LIMIT $3)`

/*
 * By the partial indexes, per pair and side from the extreme threshold up to the ratio; nothing else is read
 * (decision 0048). Sides that wait until they are due are looked for if there are any at all, in pairs that have some. A widget
 * is found twice if both of its sides are to change.
 */
const FIND = `
SELECT side.id, seen.pair_id FROM unnest($1::int[], $2::float8[]) AS seen (pair_id, ratio) CROSS JOIN LATERAL (
  ${forSides(
    ({ threshold, armed, dueAt, beyond, within, backLevel, first, last }) => `
  ${watchedIds(`${armed} AND ${dueAt} IS NULL AND ${threshold} ${beyond} seen.ratio`, `${threshold} ${first}`)}
  UNION ALL
  ${watchedIds(`NOT ${armed} AND ${threshold} IS NOT NULL AND ${backLevel} ${within} seen.ratio`, `${backLevel} ${last}`)}`,
    ' UNION ALL ',
  )}
  UNION ALL
  (SELECT held.id FROM (SELECT FROM widgets WHERE pair_id = seen.pair_id AND ${WAITS} AND (SELECT pair_id FROM widgets
     WHERE ${WAITS} ORDER BY pair_id LIMIT 1) IS NOT NULL LIMIT 1) waiting CROSS JOIN LATERAL (
    ${watchedIds(`(high_due_at IS NOT NULL OR low_due_at IS NOT NULL) AND least(high_due_at, low_due_at) <= $4`, 'least(high_due_at, low_due_at)')}
    UNION ALL
    ${forSides(
      ({ threshold, dueAt, within, last }) =>
        watchedIds(`${dueAt} IS NOT NULL AND ${threshold} ${within} seen.ratio`, `${threshold} ${last}`),
      ' UNION ALL ',
    )}
  ) held)
) side LIMIT $3`

/*
 * held:   locked in the order of their ids, as in every transaction that locks several widgets (decision 0049), and read
 *         once they are locked.
 * judged: a side that an older release has fired or cleared while it waited is `left`: it waits no longer.
 * ended:  the crossing of the epoch before, one look into the unique index for each side that is re-armed; a threshold
 *         that its owner has moved since may be passed while the crossed one is not.
 * raised: the revisions of the owners, after their widgets and in the order of their ids (decision 0049). A client is shown
 *         nothing of a side that waits.
 * Arrays of ids instead of joins where rows are first looked up: the planner takes them for few, and does not read the whole
 * table. `changed` joins by the id alone: with an array besides, every id was compared with every row.
 */
const FIRE = `
WITH given AS MATERIALIZED (
  SELECT * FROM unnest($1::uuid[], $2::float8[]) AS given (id, ratio)
), held AS MATERIALIZED (
  SELECT w.*, given.ratio FROM widgets w JOIN given ON given.id = w.id
  WHERE w.id = ANY ($1::uuid[]) AND w.is_active AND w.notifications_enabled
  ORDER BY w.id FOR UPDATE OF w
), judged AS MATERIALIZED (
  SELECT id, ratio, ${forSides(
    ({ side, threshold, armed, dueAt, beyond, within, backLevel }) => `CASE
    WHEN NOT ${armed} AND ${backLevel} ${within} ratio THEN 'back'
    WHEN ${armed} AND ${threshold} ${beyond} ratio THEN CASE
      WHEN alert_hold_minutes = 0 OR ${dueAt} <= $4 THEN 'fired' WHEN ${dueAt} IS NULL THEN 'held' ELSE 'same' END
    WHEN ${dueAt} IS NOT NULL THEN 'left' ELSE 'same' END AS ${side}_verdict`,
    ', ',
  )}
  FROM held
), changed AS (
  UPDATE widgets w SET ${forSides(
    ({ side, armed, dueAt }) => `
    ${armed} = CASE ${side}_verdict WHEN 'back' THEN true WHEN 'fired' THEN false ELSE ${armed} END,
    ${side}_epoch = ${side}_epoch + CASE ${side}_verdict WHEN 'back' THEN 1 ELSE 0 END,
    ${dueAt} = CASE ${side}_verdict WHEN 'same' THEN ${dueAt} WHEN 'held' THEN $4 + make_interval(mins => alert_hold_minutes) END`,
    ',',
  )}
  FROM judged WHERE w.id = judged.id AND (high_verdict <> 'same' OR low_verdict <> 'same')
  RETURNING w.*, ratio, high_verdict, low_verdict
), turned AS MATERIALIZED (
  SELECT c.*, turn.* FROM changed c CROSS JOIN LATERAL (VALUES ('high', high_verdict, high_epoch, high_threshold),
    ('low', low_verdict, low_epoch, low_threshold)) AS turn (side, verdict, epoch, threshold)
  WHERE turn.verdict IN ('fired', 'back')
), recorded AS (
  INSERT INTO alert_events (owner_id, widget_id, coin_a_id, coin_b_id, coin_a_symbol, coin_b_symbol, side, epoch, ratio,
    threshold, crossed_at)
  SELECT t.owner_id, t.id, a.id, b.id, a.symbol, b.symbol, t.side, t.epoch, t.ratio, t.threshold, $4
  FROM turned t
  JOIN market_coins a ON a.source = $3 AND a.id = t.coin_a_id
  JOIN market_coins b ON b.source = $3 AND b.id = t.coin_b_id
  WHERE t.verdict = 'fired'
  ON CONFLICT ON CONSTRAINT alert_events_crossing DO NOTHING
  RETURNING owner_id, widget_id, side, epoch
), ended AS MATERIALIZED (
  SELECT crossing.id FROM turned t CROSS JOIN LATERAL (
    SELECT e.id FROM alert_events e WHERE e.widget_id = t.id AND e.side = t.side AND e.epoch = t.epoch - 1 AND e.kind = 'threshold'
      AND CASE t.side WHEN 'high' THEN e.threshold >= t.ratio ELSE e.threshold <= t.ratio END LIMIT 1
  ) crossing
  WHERE t.verdict = 'back'
), returned AS (
  UPDATE alert_events SET back_at = $4 WHERE id = ANY (ARRAY (SELECT id FROM ended))
), raised AS (
  INSERT INTO owner_revisions AS r (owner_id, widgets)
  SELECT owner_id, $5::bigint FROM turned GROUP BY owner_id ORDER BY owner_id
  ON CONFLICT (owner_id) DO UPDATE SET widgets = greatest(r.widgets + 1, excluded.widgets)
  RETURNING owner_id, widgets
)
SELECT (SELECT coalesce(json_agg(raised), '[]') FROM raised) AS raised,
  (SELECT coalesce(json_agg(recorded), '[]') FROM recorded) AS recorded,
  (SELECT count(*)::int FROM changed) AS changed`
