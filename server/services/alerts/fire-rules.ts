import type { PoolClient } from 'pg'
import type { MarketSource } from '../../../src/contract/market'
import { alertEventId, type AlertSide, storedRuleOf } from '../../../src/domain/alerts'
import { firesAtRatio, judgeRule, type RuleVerdict } from '../../../src/domain/judge-rule'
import { factsOf } from '../../../src/domain/rule-kinds'
import { measureInUnit } from '../../../src/domain/rule-measures'
import { LARGEST_POSITIVE, LEAST_POSITIVE } from '../../../src/domain/series'
import { ratioOf } from '../../../src/domain/pair'
import type { Change } from '../../db/changes'
import { WIDEN } from '../rules/rule-bounds'
import { memoryColumns, memoryOf, type StoredRule, termsOf } from '../rules/stored-rule'
import type { Crossings } from './fire-alerts'
import { type CoinsOfPair, measuresOf, type MeasureSources } from './pair-measures'

/** A row that is judged: times are milliseconds, and the pair's coins stand with it. */
type HeldRule = StoredRule & Omit<CoinsOfPair, 'id'>

/*
 * In the order of their ids, each with its bounds. None is waited for: a transaction that changes a rule holds it, then its bounds,
 * and then the owner's revision, which this one may hold already. The planner takes JSON for 100 rows, and looks for each in the index;
 * for thousands of an array it would read the rules of all owners.
 */
const HOLD = `
SELECT r.*, p.coin_a_id, p.coin_b_id FROM json_array_elements_text($1) given (id) JOIN alert_rules r ON r.id = given.id::uuid JOIN pairs p ON p.id = r.pair_id
JOIN rule_bounds b ON b.pair_id = r.pair_id AND b.measure = r.measure
WHERE r.watched ORDER BY r.id FOR UPDATE OF r, b SKIP LOCKED`

/*
 * ended:  the crossing of the epoch before, of each rule that is armed again; one look into the unique index.
 * raised: after the rules, and in the order of the owners' ids (decision 0049).
 */
const WRITE = `
WITH given AS MATERIALIZED (
  SELECT * FROM json_to_recordset($1) AS given (id uuid, pair_id int, measure text, armed boolean, ended boolean, epoch int, due_at timestamptz,
    anchor float8, above float8, below float8)
), changed AS (
  UPDATE alert_rules r SET armed = given.armed, ended = given.ended, epoch = given.epoch, due_at = given.due_at,
    anchor = given.anchor, above = given.above, below = given.below
  FROM given WHERE r.id = given.id
), widened AS (
  INSERT INTO rule_bounds AS b (pair_id, measure, above, below)
  SELECT pair_id, measure, min(above), max(below) FROM given GROUP BY pair_id, measure ORDER BY pair_id, measure${WIDEN}
), recorded AS (
  INSERT INTO alert_events (owner_id, widget_id, coin_a_id, coin_b_id, coin_a_symbol, coin_b_symbol, side, kind, epoch, ratio,
    threshold, measure, rule_id, level, rule_window, loudness, note, crossed_at, delivery)
  SELECT e.owner_id, e.widget_id, a.id, b.id, a.symbol, b.symbol, e.side, e.kind, e.epoch, e.ratio, e.threshold, e.measure,
    e.rule_id, e.level, e.rule_window, e.loudness, e.note, $4, CASE e.loudness WHEN 'log' THEN 'log-only' ELSE 'waiting' END
  FROM json_to_recordset($2) AS e (owner_id uuid, widget_id uuid, coin_a_id text, coin_b_id text, side text, kind text,
    epoch int, ratio float8, threshold float8, measure float8, rule_id uuid, level float8, rule_window text, loudness text,
    note text)
  JOIN market_coins a ON a.source = $3 AND a.id = e.coin_a_id JOIN market_coins b ON b.source = $3 AND b.id = e.coin_b_id
  ON CONFLICT ON CONSTRAINT alert_events_crossing DO NOTHING
  RETURNING owner_id, rule_id, epoch
), ended AS MATERIALIZED (
  SELECT crossing.id FROM json_to_recordset($5) AS t (widget_id uuid, rule_id uuid, kind text, epoch int) CROSS JOIN LATERAL (
    SELECT e.id FROM alert_events e WHERE e.widget_id = t.widget_id AND e.side IN ('high', 'low') AND e.epoch = t.epoch
      AND e.kind = t.kind AND e.rule_id = t.rule_id LIMIT 1
  ) crossing
), returned AS (
  UPDATE alert_events SET back_at = $4 WHERE id = ANY (ARRAY (SELECT id FROM ended))
), raised AS (
  INSERT INTO owner_revisions AS r (owner_id, widgets)
  SELECT DISTINCT owner_id, $6::bigint FROM unnest($7::uuid[]) AS owner (owner_id) ORDER BY owner_id
  ON CONFLICT (owner_id) DO UPDATE SET widgets = greatest(r.widgets + 1, excluded.widgets)
  RETURNING owner_id, widgets
)
SELECT (SELECT coalesce(json_agg(raised), '[]') FROM raised) AS raised,
  (SELECT coalesce(json_agg(recorded), '[]') FROM recorded) AS recorded`

interface Written {
  readonly raised: readonly { readonly owner_id: string; readonly widgets: number }[]
  readonly recorded: readonly { readonly owner_id: string; readonly rule_id: string; readonly epoch: number }[]
}

interface JudgedRule {
  readonly row: HeldRule
  readonly verdict: RuleVerdict
  readonly columns: ReturnType<typeof memoryColumns>
  readonly event: object | null
  readonly side: AlertSide
}

const OF_EVENTS: ReadonlySet<RuleVerdict> = new Set(['fired', 'expired'])
/** Verdicts of which a client is shown something. */
const SHOWN: ReadonlySet<RuleVerdict> = new Set(['fired', 'expired', 'back'])

function judged(row: HeldRule, sources: MeasureSources): JudgedRule | null {
  const pair = measuresOf(sources, { ...row, id: row.pair_id })
  const [terms, memory] = [termsOf(row), memoryOf(row)]
  const measure = pair?.read(row.measure!) ?? null
  const { verdict, memory: next } = judgeRule(terms, memory, measure, sources.now)
  if (verdict === 'same') return null
  const { prices } = sources
  // A pair that is not priced any more is told with its last ratio.
  const ratio = pair?.ratio ?? ratioOf(prices.get(row.coin_a_id)?.usd ?? null, prices.get(row.coin_b_id)?.usd ?? null)
  const side =
    row.kind === 'move' && (pair?.read(`fall ${row.rule_window}`) ?? 0) >= (measure ?? 0)
      ? 'low'
      : factsOf(row.kind).side
  const event =
    OF_EVENTS.has(verdict) && ratio !== null
      ? {
          ...eventOf(row),
          side,
          kind: verdict === 'fired' ? row.kind : 'rule_expired',
          epoch: next.epoch,
          ratio,
          threshold: asPositive(firesAtRatio(terms, memory) ?? ratio),
          measure: measure === null ? null : measureInUnit(row.kind, measure, memory.anchor),
        }
      : null
  return { row, verdict, columns: memoryColumns(terms, next), event, side }
}

const eventOf = ({ id, owner_id, widget_id, coin_a_id, coin_b_id, level, rule_window, loudness, note }: HeldRule) => ({
  rule_id: id,
  owner_id,
  widget_id,
  coin_a_id,
  coin_b_id,
  level,
  rule_window,
  loudness,
  note,
})

export interface FiredRules {
  readonly crossings: Crossings
  /** For after the commit. */
  readonly changes: readonly Change[]
  /** Rules that are left for a transaction of their own. */
  readonly rest: readonly string[]
}

const NOTHING_FIRED: FiredRules = { crossings: { high: 0, low: 0 }, changes: [], rest: [] }

/** Rules that one transaction judges, as ALERT_BATCH. */
export const RULES_BATCH = 2_000

/**
 * `judgeRule` for these rules, as part of a transaction: each is read anew once it is locked. A rule that another
 * transaction changes is left. Repeated and concurrent runs change nothing more.
 */
export async function fireRules(
  client: Pick<PoolClient, 'query'>,
  source: MarketSource,
  ids: readonly string[],
  sources: MeasureSources,
  atOnce: number,
): Promise<FiredRules> {
  if (ids.length === 0) return NOTHING_FIRED
  const taken = ids.slice(0, atOnce)
  const { rows } = await client.query<HeldRule>(HOLD, [JSON.stringify(taken)])
  const held = new Set(rows.map(({ id }) => id))
  const rest = [...ids.slice(atOnce), ...taken.filter((id) => !held.has(id))]
  const changed = rows.map((row) => judged(row, sources)).filter((one) => one !== null)
  if (changed.length === 0) return { ...NOTHING_FIRED, rest }
  const back = changed.filter(({ verdict }) => verdict === 'back')
  const { rows: written } = await client.query<Written>(WRITE, [
    // JSON has no infinite number.
    JSON.stringify(
      changed.map(({ row: { id, pair_id, measure }, columns }) => ({
        id,
        pair_id,
        measure,
        ...columns,
        above: textOf(columns.above),
      })),
    ),
    JSON.stringify(changed.flatMap(({ event }) => (event === null ? [] : [event]))),
    source,
    new Date(sources.now),
    JSON.stringify(
      back.map(({ row }) => ({ widget_id: row.widget_id, rule_id: row.id, kind: row.kind, epoch: row.epoch })),
    ),
    sources.now,
    changed.filter(({ verdict }) => SHOWN.has(verdict)).map(({ row }) => row.owner_id),
  ])
  const { raised, recorded } = written[0]!
  const fired = changed.filter(({ verdict }) => verdict === 'fired')
  const high = fired.filter(({ side }) => side === 'high').length
  return {
    crossings: { high, low: fired.length - high },
    changes: [
      ...raised.map(({ owner_id, widgets }) => ({ kind: 'widgets', owner: owner_id, revision: widgets }) as const),
      ...recorded.map(
        ({ owner_id, rule_id, epoch }) =>
          ({ kind: 'alert', owner: owner_id, eventId: alertEventId(storedRuleOf(rule_id), epoch) }) as const,
      ),
    ],
    rest,
  }
}

const asPositive = (value: number): number => Math.min(LARGEST_POSITIVE, Math.max(LEAST_POSITIVE, value))

const textOf = (value: number | null): string | null => (value === null ? null : String(value))
