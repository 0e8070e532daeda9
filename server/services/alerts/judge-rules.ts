import type { PoolClient } from 'pg'
import type { MarketSource } from '../../../src/contract/market'
import type { DailyMatrix } from '../../../src/domain/daily-matrix'
import type { StoredPrice } from '../market/prices/stored-prices'
import { type FiredRules, fireRules, RULES_BATCH } from './fire-rules'
import { movePoints } from './move-points'
import { boundsKeeper, isMove, isOfDays, type WantedPair } from './kept-bounds'
import { type CoinsOfPair, daysKeeper, type MeasureSources, measuresOf } from './pair-measures'
import { narrowBounds } from './narrow-bounds'

const turning = (condition: string, order: string): string =>
  `(SELECT r.id FROM alert_rules r WHERE r.pair_id = seen.pair_id AND r.measure = seen.measure AND r.watched AND ${condition} ORDER BY ${order} LIMIT $4)`

/* Rules whose state changes at these measures, by one look into an index for each side of a measure. */
const FIND = `
SELECT turn.id, seen.pair_id, seen.measure FROM unnest($1::int[], $2::text[], $3::float8[]) AS seen (pair_id, measure, value) CROSS JOIN LATERAL (
  ${turning('r.above < seen.value', 'r.above')}
  UNION ALL
  ${turning('r.below >= seen.value', 'r.below DESC')}
) turn LIMIT $4`

/* Rules whose time has come: those that wait, and those that are over. */
const TIMED = `
(SELECT id, pair_id, false AS over FROM alert_rules WHERE watched AND measure IS NOT NULL AND due_at <= $1 LIMIT $2)
UNION ALL
(SELECT id, pair_id, true FROM alert_rules WHERE watched AND NOT ended AND expires_at <= $1 ORDER BY expires_at LIMIT $2)`

/** Rules that one look finds; those that are left are found by the next. */
const RULES_OF_LOOK = 20_000

/** A measure of a pair at which a rule may change. */
interface Seen {
  readonly pair_id: number
  readonly measure: string
  readonly value: number
}

/** Bounds that one update narrows at most. */
const NARROWED = 500

export interface RulesInput {
  /** Null: the caller has read none, since no rule may be judged by days. */
  readonly matrix: DailyMatrix | null
  readonly stored: () => Promise<ReadonlyMap<string, StoredPrice>>
  /** Milliseconds since 1970. */
  readonly now: number
  readonly mayJudge: () => Promise<boolean>
}

export interface RulesJudgement extends FiredRules {
  /** There are rules on closes, and no closes were given. */
  readonly unready: boolean
}

/** Measures of these pairs that are beyond their bounds. */
const seenIn = (
  pairs: readonly WantedPair[],
  sources: MeasureSources,
  { reckon }: Pick<ReturnType<typeof boundsKeeper>, 'reckon'>,
): Seen[] =>
  pairs.flatMap((pair) => {
    const found = measuresOf(sources, pair)
    if (found === null) return []
    const seen = pair.measures.flatMap(({ name, above, below }) => {
      const value = found.read(name)
      return value !== null && (value > above || value <= below) ? [{ pair_id: pair.id, measure: name, value }] : []
    })
    if (seen.length === 0) reckon(pair, sources, found)
    return seen
  })

/** Rules that change at these measures; bounds beyond which there is none are narrowed. */
async function findTurning(
  client: Pick<PoolClient, 'query'>,
  seen: readonly Seen[],
  ofLook: number,
): Promise<readonly string[]> {
  if (seen.length === 0) return []
  // A bitmap for each look into an index costs more than the look (decision 0048).
  await client.query('SET LOCAL enable_bitmapscan = off')
  const columns = [
    seen.map(({ pair_id }) => pair_id),
    seen.map(({ measure }) => measure),
    seen.map(({ value }) => value),
  ]
  // As PostgreSQL writes arrays; the driver would quote each of many thousands.
  const { rows } = await client.query<{ id: string; pair_id: number; measure: string }>(FIND, [
    ...columns.map((column) => `{${column.join(',')}}`),
    ofLook,
  ])
  if (rows.length < ofLook) {
    const found = new Set(rows.map(({ pair_id, measure }) => `${pair_id} ${measure}`))
    const idle = seen.filter(({ pair_id, measure }) => !found.has(`${pair_id} ${measure}`))
    await narrowBounds(client, idle.slice(0, NARROWED))
  }
  return rows.map(({ id }) => id)
}

/** The pairs of these rules, each with its measures and those of the rules that are still there. */
async function pairsOfRules(client: Pick<PoolClient, 'query'>, ids: readonly string[]) {
  const { rows } = await client.query<
    CoinsOfPair & { readonly names: readonly string[]; readonly ids: readonly string[] }
  >(
    `SELECT p.id, p.coin_a_id, p.coin_b_id, array_agg(DISTINCT r.measure) AS names, array_agg(r.id) AS ids
     FROM json_array_elements_text($1) given (id) JOIN alert_rules r ON r.id = given.id::uuid JOIN pairs p ON p.id = r.pair_id
     WHERE r.measure IS NOT NULL AND r.watched GROUP BY p.id`,
    [JSON.stringify(ids)],
  )
  return rows.map(({ names, ...pair }) => ({
    ...pair,
    measures: names.map((name) => ({ name, above: Infinity, below: -Infinity })),
  }))
}

/** Judges the rules of pairs by measures that this process makes of stored prices, points and closes. */
export function rulesJudge(
  source: MarketSource,
  { atOnce = RULES_BATCH, ofLook = RULES_OF_LOOK }: { atOnce?: number; ofLook?: number } = {},
) {
  const points = movePoints()
  const daysOf = daysKeeper()
  const bounds = boundsKeeper()

  /** Part of a transaction. Reads what the measures of these pairs are made of. */
  async function sourcesFor(
    client: Pick<PoolClient, 'query'>,
    pairs: readonly WantedPair[],
    { matrix, stored, now }: RulesInput,
  ) {
    const moving = pairs.filter(({ measures }) => measures.some(isMove))
    const coins = new Set(moving.flatMap(({ coin_a_id, coin_b_id }) => [coin_a_id, coin_b_id]))
    await points.read(client, source, coins, now)
    return { matrix, prices: await stored(), points, daysOf, now }
  }

  return {
    /** Judges rules that prices of these coins can have changed, and ends those that are over. */
    async judge(
      client: Pick<PoolClient, 'query'>,
      coins: readonly string[],
      input: RulesInput,
    ): Promise<RulesJudgement | null> {
      const pairs = await bounds.pairsOf(client, coins)
      const { rows: timed } = await client.query<{ id: string; pair_id: number; over: boolean }>(TIMED, [
        new Date(input.now),
        ofLook,
      ])
      if (pairs.length + timed.length === 0) return null
      const touched = new Set(pairs.map(({ id }) => id))
      const stirred = await bounds.stirred(client, pairs, { ...input, prices: await input.stored() })
      const sources = await sourcesFor(client, stirred, input)
      const turning = await findTurning(client, seenIn(stirred, sources, bounds), ofLook)
      const due = timed.filter(({ over, pair_id }) => over || touched.has(pair_id)).map(({ id }) => id)
      const unready = input.matrix === null && stirred.some(({ measures }) => measures.some(isOfDays))
      const ids = [...new Set([...turning, ...due])]
      const may = ids.length > 0 && (await input.mayJudge())
      return { ...(await fireRules(client, source, may ? ids : [], sources, atOnce)), unready }
    },

    /** Judges rules that are left, in a transaction of their own, by the prices of then. */
    async judgeRest(
      client: Pick<PoolClient, 'query'>,
      ids: readonly string[],
      input: RulesInput,
    ): Promise<RulesJudgement> {
      const taken = ids.slice(0, atOnce)
      const pairs = await pairsOfRules(client, taken)
      const sources = await sourcesFor(client, pairs, input)
      const there = new Set(pairs.flatMap((pair) => pair.ids))
      const left = taken.filter((id) => there.has(id))
      const fired = await fireRules(client, source, left, sources, atOnce)
      return { ...fired, rest: [...ids.slice(atOnce), ...fired.rest], unready: false }
    },
  }
}
