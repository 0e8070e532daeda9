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
import { arrayOf, type Crossings } from './fire-alerts'
import { type CoinsOfPair, measuresOf, type MeasureSources } from './pair-measures'

/** A row that is judged, as far as judging reads it, and its pair's coins. */
export type HeldRule = Pick<StoredRule, Judged> & Omit<CoinsOfPair, 'id'>
const JUDGED = [
  'id',
  'pair_id',
  'measure',
  'kind',
  'rule_window',
  'level',
  'margin',
  'hold_minutes',
  'repeat',
  'expires_at',
  'armed',
  'ended',
  'epoch',
  'due_at',
  'anchor',
] as const
type Judged = (typeof JUDGED)[number]

/*
 * In the order of their ids, each with its bounds. None is waited for: a transaction that changes a rule holds it, then its bounds,
 * and then the owner's revision, which this one may hold already. The planner takes JSON for 100 rows, and looks for each in the index;
 * for thousands of an array it would read the rules of all owners.
 */
const HOLD = `
SELECT ${JUDGED.map((name) => `r.${name}`).join(', ')}, p.coin_a_id, p.coin_b_id
FROM json_array_elements_text($1) given (id) JOIN alert_rules r ON r.id = given.id::uuid JOIN pairs p ON p.id = r.pair_id
JOIN rule_bounds b ON b.pair_id = r.pair_id AND b.measure = r.measure
WHERE r.watched ORDER BY r.id FOR UPDATE OF r, b SKIP LOCKED`

/* Of rules that could not be held, those that others hold, and not those that are gone. */
const THERE = 'SELECT id FROM alert_rules WHERE id = ANY ($1::uuid[]) AND measure IS NOT NULL AND watched'

/** Columns of a rule that has changed and of its event besides its id, and their types. */
const GIVEN = {
  armed: 'boolean',
  ended: 'boolean',
  epoch: 'int',
  due_at: 'timestamptz',
  anchor: 'float8',
  above: 'float8',
  below: 'float8',
  verdict: 'text',
  side: 'text',
  ratio: 'float8',
  threshold: 'float8',
  found: 'float8',
} as const satisfies Record<Exclude<keyof JudgedRule, 'id'>, string>
const GIVEN_NAMES = Object.keys(GIVEN) as (keyof typeof GIVEN)[]

/*
 * given:  ids as in HOLD; of arrays that are selected the planner knows no length.
 * ended:  the crossing of the epoch before, of each rule that is armed again; one look into the unique index.
 * raised: after the rules, and in the order of the owners' ids (decision 0049).
 */
const WRITE = `
WITH changed AS (
  UPDATE alert_rules r SET armed = given.armed, ended = given.ended, epoch = given.epoch, due_at = given.due_at,
    anchor = given.anchor, above = given.above, below = given.below
  FROM ROWS FROM (json_array_elements_text($4), ${GIVEN_NAMES.map((name, index) => `unnest((SELECT $${index + 5}::text::${GIVEN[name]}[]))`).join(', ')})
    AS given (id, ${GIVEN_NAMES.join(', ')})
  WHERE r.id = given.id::uuid
  RETURNING r.*, given.verdict, given.side, given.ratio, given.threshold, given.found
), widened AS (
  INSERT INTO rule_bounds AS b (pair_id, measure, above, below)
  SELECT pair_id, measure, min(above), max(below) FROM changed GROUP BY pair_id, measure ORDER BY pair_id, measure${WIDEN}
), recorded AS (
  INSERT INTO alert_events (owner_id, widget_id, coin_a_id, coin_b_id, coin_a_symbol, coin_b_symbol, side, kind, epoch, ratio,
    threshold, measure, rule_id, level, rule_window, loudness, note, crossed_at, delivery)
  SELECT c.owner_id, c.widget_id, a.id, b.id, a.symbol, b.symbol, c.side, CASE c.verdict WHEN 'fired' THEN c.kind ELSE 'rule_expired' END,
    c.epoch, c.ratio, c.threshold, c.found, c.id, c.level, c.rule_window, c.loudness, c.note, $2,
    CASE c.loudness WHEN 'log' THEN 'log-only' ELSE 'waiting' END
  FROM changed c JOIN pairs p ON p.id = c.pair_id
  JOIN market_coins a ON a.source = $1 AND a.id = p.coin_a_id JOIN market_coins b ON b.source = $1 AND b.id = p.coin_b_id
  WHERE c.ratio IS NOT NULL
  ON CONFLICT ON CONSTRAINT alert_events_crossing DO NOTHING
  RETURNING owner_id, rule_id, epoch
), ended AS MATERIALIZED (
  SELECT crossing.id FROM changed c CROSS JOIN LATERAL (
    SELECT e.id FROM alert_events e WHERE e.widget_id = c.widget_id AND e.side IN ('high', 'low') AND e.epoch = c.epoch - 1
      AND e.kind = c.kind AND e.rule_id = c.id LIMIT 1
  ) crossing
  WHERE c.verdict = 'back'
), returned AS (
  UPDATE alert_events SET back_at = $2 WHERE id = ANY (ARRAY (SELECT id FROM ended))
), raised AS (
  INSERT INTO owner_revisions AS r (owner_id, widgets)
  SELECT DISTINCT owner_id, $3::bigint FROM changed WHERE verdict IN ('fired', 'expired', 'back') ORDER BY owner_id
  ON CONFLICT (owner_id) DO UPDATE SET widgets = greatest(r.widgets + 1, excluded.widgets)
  RETURNING owner_id, widgets
)
SELECT owner_id, NULL AS rule_id, widgets::float8 AS number FROM raised UNION ALL SELECT owner_id, rule_id, epoch FROM recorded`

/** A new revision of an owner, or a recorded crossing of the epoch. */
interface Written {
  readonly owner_id: string
  readonly rule_id: string | null
  readonly number: number
}

/** A rule that has changed, as far as it is written. */
interface JudgedRule extends ReturnType<typeof memoryColumns> {
  readonly id: string
  readonly verdict: RuleVerdict
  readonly side: AlertSide
  /** Of an event; null: there is none, nor the two below. */
  readonly ratio: number | null
  readonly threshold: number | null
  /** The measure in the level's unit. */
  readonly found: number | null
}

const OF_EVENTS: ReadonlySet<RuleVerdict> = new Set(['fired', 'expired'])

type Sight = ReturnType<typeof measuresOf>

function judged(row: HeldRule, sight: Sight, { prices, now }: MeasureSources): JudgedRule | null {
  const [terms, memory] = [termsOf(row), memoryOf(row)]
  const measure = sight?.read(row.measure!) ?? null
  const { verdict, memory: next } = judgeRule(terms, memory, measure, now)
  if (verdict === 'same') return null
  const isLow = row.kind === 'move' && (sight?.read(`fall ${row.rule_window}`) ?? 0) >= (measure ?? 0)
  // A pair that is not priced any more is told with its last ratio.
  const last = (coin: string): number | null => prices.get(coin)?.usd ?? null
  const ratio = OF_EVENTS.has(verdict) ? (sight?.ratio ?? ratioOf(last(row.coin_a_id), last(row.coin_b_id))) : null
  return {
    ...memoryColumns(terms, next),
    id: row.id,
    verdict,
    side: isLow ? 'low' : factsOf(row.kind).side,
    ratio,
    threshold: ratio === null ? null : asPositive(firesAtRatio(terms, memory) ?? ratio),
    found: measure === null ? null : measureInUnit(row.kind, measure, memory.anchor),
  }
}

/** Judges rows with one sight of each pair. */
function judgeRows(rows: readonly HeldRule[], sources: MeasureSources): JudgedRule[] {
  const sights = new Map<number, Sight>()
  return rows.flatMap((row) => {
    let sight = sights.get(row.pair_id)
    if (sight === undefined) sights.set(row.pair_id, (sight = measuresOf(sources, { ...row, id: row.pair_id })))
    return judged(row, sight, sources) ?? []
  })
}

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
  sourcesFor: (held: readonly HeldRule[]) => Promise<MeasureSources>,
  atOnce: number,
): Promise<FiredRules> {
  if (ids.length === 0) return NOTHING_FIRED
  const taken = ids.slice(0, atOnce)
  const { rows } = await client.query<HeldRule>(HOLD, [JSON.stringify(taken)])
  const rest = [...ids.slice(atOnce), ...(await heldByOthers(client, taken, rows))]
  const sources = await sourcesFor(rows)
  const changed = judgeRows(rows, sources)
  if (changed.length === 0) return { ...NOTHING_FIRED, rest }
  const { rows: written } = await client.query<Written>(WRITE, [
    source,
    new Date(sources.now),
    sources.now,
    JSON.stringify(changed.map(({ id }) => id)),
    ...GIVEN_NAMES.map((name) => arrayOf(changed.map((one) => one[name]))),
  ])
  const fired = changed.filter(({ verdict }) => verdict === 'fired')
  const high = fired.filter(({ side }) => side === 'high').length
  return {
    crossings: { high, low: fired.length - high },
    changes: written.map(({ owner_id: owner, rule_id, number }) =>
      rule_id === null
        ? { kind: 'widgets', owner, revision: number }
        : { kind: 'alert', owner, eventId: alertEventId(storedRuleOf(rule_id), number) },
    ),
    rest,
  }
}

async function heldByOthers(
  client: Pick<PoolClient, 'query'>,
  taken: readonly string[],
  held: readonly HeldRule[],
): Promise<readonly string[]> {
  if (held.length === taken.length) return []
  const known = new Set(held.map(({ id }) => id))
  const { rows } = await client.query<{ id: string }>(THERE, [taken.filter((id) => !known.has(id))])
  return rows.map(({ id }) => id)
}

const asPositive = (value: number): number => Math.min(LARGEST_POSITIVE, Math.max(LEAST_POSITIVE, value))
