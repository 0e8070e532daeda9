import type { PoolClient } from 'pg'
import { type DailyMatrix, utcDayOf } from '../../../src/domain/daily-matrix'
import { ratioOf } from '../../../src/domain/pair'
import { MEASURES } from '../../../src/domain/rule-measures'
import { UNIT } from '../market/history/points'
import { freshPrice, type StoredPrice } from '../market/prices/stored-prices'
import { type Bounded, calmRatiosOf, type Ratios } from './calm-ratios'
import type { CoinsOfPair, MeasureSources, measuresOf } from './pair-measures'

/*
 * The pairs of the coins. `version` is another number after each change of the pair's bounds: the transactions that have written
 * them, which only grow.
 */
const VERSIONS = `
SELECT p.id, p.coin_a_id, p.coin_b_id, b.version FROM (
  SELECT pair_id, sum(xmin::text::bigint)::text AS version FROM rule_bounds GROUP BY pair_id
) b JOIN pairs p ON p.id = b.pair_id WHERE p.coin_a_id = ANY ($1::text[]) OR p.coin_b_id = ANY ($1::text[])`

/* The same for few coins: their pairs, and of each its bounds. */
const VERSIONS_OF_FEW = `
SELECT p.id, p.coin_a_id, p.coin_b_id, b.version FROM unnest($1::text[]) coin (id) CROSS JOIN LATERAL (
  SELECT id, coin_a_id, coin_b_id FROM pairs WHERE coin_a_id = coin.id
  UNION ALL
  SELECT id, coin_a_id, coin_b_id FROM pairs WHERE coin_b_id = coin.id AND coin_a_id <> ALL ($1)
  OFFSET 0
) p CROSS JOIN LATERAL (SELECT sum(xmin::text::bigint)::text AS version FROM rule_bounds WHERE pair_id = p.id) b
WHERE b.version IS NOT NULL`

/** As FEW_COINS of thresholds: of more coins all bounds are passed. */
const FEW_COINS = 100

/* As text: of many thousands it is read at once. Each pair by a look into the index, whatever the planner thinks of how many. */
const BOUNDS = `
SELECT given.id AS pair_id, b.bounds FROM unnest($1::int[]) given (id) CROSS JOIN LATERAL (
  SELECT string_agg(concat_ws(',', measure, coalesce(above::text, 'Infinity'), coalesce(below::text, '-Infinity')), ';') AS bounds
  FROM rule_bounds WHERE pair_id = given.id
) b WHERE b.bounds IS NOT NULL`

const boundedOf = (text: string): Bounded => {
  const [name = '', above, below] = text.split(',')
  return { name, above: Number(above), below: Number(below) }
}

export interface PairOfRules extends CoinsOfPair {
  readonly version: string
}

/** Measures that rules of a pair are judged by. */
export interface WantedPair extends CoinsOfPair {
  readonly measures: readonly Bounded[]
}

export const isOfDays = ({ name }: Pick<Bounded, 'name'>): boolean => MEASURES.get(name)?.of === 'z'
export const isMove = ({ name }: Pick<Bounded, 'name'>): boolean =>
  ['rise', 'fall', 'move'].includes(MEASURES.get(name)?.of ?? '')

/** The calm ratios, and the sources besides the bounds that they were reckoned from; null: not from that one. */
interface Reckoned {
  readonly calm: Ratios
  /** `turnOf`, of moves. */
  readonly turn: number | null
  /** Days of the price and of now, and the closes, of deviations. */
  readonly days: string | null
  readonly matrix: DailyMatrix | null
}

interface KeptPair extends Pick<WantedPair, 'measures'> {
  readonly version: string
  reckoned: Reckoned | null
}

/** As long as it is the same, so are the points of all windows. */
const turnOf = (now: number): number => Math.floor(now / UNIT) + Math.ceil(now / UNIT)

type Prices = ReadonlyMap<string, StoredPrice>

const daysOf = (prices: Prices, { coin_a_id, coin_b_id }: CoinsOfPair, now: number): string => {
  const times = [coin_a_id, coin_b_id].map((coin) => freshPrice(prices, coin, now)?.providerTime ?? 0)
  return `${utcDayOf(Math.min(...times))} ${utcDayOf(now)}`
}

/** An update of prices, and the closes that it judges by. */
interface Update {
  readonly prices: Prices
  readonly matrix: DailyMatrix | null
  readonly now: number
}

/** True while no rule of the pair changes. */
function isCalm(known: KeptPair | undefined, pair: PairOfRules, { prices, matrix, now }: Update): boolean {
  if (known?.version !== pair.version || known.reckoned === null) return false
  const { calm, turn, days, matrix: of } = known.reckoned
  const [a, b] = [freshPrice(prices, pair.coin_a_id, now), freshPrice(prices, pair.coin_b_id, now)]
  const ratio = ratioOf(a?.usd ?? null, b?.usd ?? null)
  if (ratio === null || !(calm[0] < ratio && ratio < calm[1])) return false
  return (
    (turn === null || turn === turnOf(now)) && (days === null || (of === matrix && days === daysOf(prices, pair, now)))
  )
}

/**
 * Keeps the bounds of pairs, as long as nothing has written them, and the ratios between which no rule of a pair changes, as long
 * as the extents of its windows and its days are the same: an update compares two numbers a pair.
 */
export function boundsKeeper() {
  const kept = new Map<number, KeptPair>()

  return {
    /** Pairs of these coins that have rules. */
    pairsOf: async (client: Pick<PoolClient, 'query'>, coins: readonly string[]): Promise<readonly PairOfRules[]> => {
      const statement = coins.length > FEW_COINS ? VERSIONS : VERSIONS_OF_FEW
      const { rows } = await client.query<PairOfRules>(statement, [coins])
      return rows
    },

    /** Those of the pairs at whose ratio a rule may change. */
    stirred: async (
      client: Pick<PoolClient, 'query'>,
      pairs: readonly PairOfRules[],
      update: Update,
    ): Promise<readonly WantedPair[]> => {
      if (kept.size > MOST_KEPT) kept.clear()
      const found = pairs.filter((pair) => !isCalm(kept.get(pair.id), pair, update))
      const versions = new Map(found.map(({ id, version }) => [id, version]))
      const missing = found.filter(({ id, version }) => kept.get(id)?.version !== version).map(({ id }) => id)
      if (missing.length > 0) {
        const { rows } = await client.query<{ pair_id: number; bounds: string }>(BOUNDS, [missing])
        for (const { pair_id, bounds } of rows) {
          const measures = bounds.split(';').map(boundedOf)
          kept.set(pair_id, { version: versions.get(pair_id)!, measures, reckoned: null })
        }
      }
      return found.flatMap(({ version: _version, ...pair }) => {
        const known = kept.get(pair.id)
        return known === undefined ? [] : [{ ...pair, measures: known.measures }]
      })
    },

    /** Reckons the ratios at which nothing changes, of a pair that is at one of them now. */
    reckon: (
      { id, measures, ...coins }: WantedPair,
      sources: MeasureSources,
      sight: NonNullable<ReturnType<typeof measuresOf>>,
    ) => {
      const known = kept.get(id)
      if (known === undefined) return
      const { matrix, prices, now } = sources
      const ofDays = measures.some(isOfDays)
      if (ofDays && matrix === null) return
      known.reckoned = {
        calm: calmRatiosOf(measures, sight.sight),
        turn: measures.some(isMove) ? turnOf(now) : null,
        days: ofDays ? daysOf(prices, { id, ...coins }, now) : null,
        matrix: ofDays ? matrix : null,
      }
    },
  }
}

/** Pairs that a process keeps. */
const MOST_KEPT = 500_000
