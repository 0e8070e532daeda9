import type { PoolClient } from 'pg'
import type { MarketSource } from '../../../src/contract/market'
import type { DailyMatrix } from '../../../src/domain/daily-matrix'
import type { StoredPrice } from '../market/prices/stored-prices'
import { arrayOf } from './fire-alerts'
import { type FiredRules, fireRules, type HeldRule, RULES_BATCH } from './fire-rules'
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
  const { rows } = await client.query<{ id: string; pair_id: number; measure: string }>(FIND, [
    arrayOf(seen.map(({ pair_id }) => pair_id)),
    arrayOf(seen.map(({ measure }) => measure)),
    arrayOf(seen.map(({ value }) => value)),
    ofLook,
  ])
  if (rows.length < ofLook) {
    const found = new Set(rows.map(({ pair_id, measure }) => `${pair_id} ${measure}`))
    const idle = seen.filter(({ pair_id, measure }) => !found.has(`${pair_id} ${measure}`))
    await narrowBounds(client, idle.slice(0, NARROWED))
  }
  return rows.map(({ id }) => id)
}

/** Judges the rules of pairs by measures that this process makes of stored prices, points and closes. */
export function rulesJudge(
  source: MarketSource,
  { atOnce = RULES_BATCH, ofLook = RULES_OF_LOOK }: { atOnce?: number; ofLook?: number } = {},
) {
  const points = movePoints()
  const daysOf = daysKeeper()
  const bounds = boundsKeeper()

  /** Part of a transaction. Reads what measures are made of, of these pairs those of moves. */
  async function sourcesFor(
    client: Pick<PoolClient, 'query'>,
    moving: readonly Pick<CoinsOfPair, 'coin_a_id' | 'coin_b_id'>[],
    { matrix, stored, now }: RulesInput,
  ) {
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
      const moving = stirred.filter(({ measures }) => measures.some(isMove))
      const sources = await sourcesFor(client, moving, input)
      const turning = await findTurning(client, seenIn(stirred, sources, bounds), ofLook)
      const due = timed.filter(({ over, pair_id }) => over || touched.has(pair_id)).map(({ id }) => id)
      const unready = input.matrix === null && stirred.some(({ measures }) => measures.some(isOfDays))
      const ids = [...new Set([...turning, ...due])]
      const may = ids.length > 0 && (await input.mayJudge())
      return { ...(await fireRules(client, source, may ? ids : [], async () => sources, atOnce)), unready }
    },

    /** Judges rules that are left, in a transaction of their own, by the prices of then. */
    async judgeRest(
      client: Pick<PoolClient, 'query'>,
      ids: readonly string[],
      input: RulesInput,
    ): Promise<RulesJudgement> {
      const held = (rows: readonly HeldRule[]) =>
        sourcesFor(
          client,
          rows.filter(({ measure }) => isMove({ name: measure! })),
          input,
        )
      return { ...(await fireRules(client, source, ids, held, atOnce)), unready: false }
    },
  }
}
