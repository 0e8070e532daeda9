import type { PoolClient } from 'pg'
import { agedStanding } from '../../../src/domain/ages'
import type { AlertSide } from '../../../src/domain/alerts'
import { type DailyMatrix, utcDayOf } from '../../../src/domain/daily-matrix'
import { calmRatios } from '../../../src/domain/extreme'
import { type ExtremeState, judgeExtreme } from '../../../src/domain/extreme-alert'
import type { CoinId } from '../../../src/domain/ids'
import { ratioOf } from '../../../src/domain/pair'
import { type PairCloses, STANDING_WINDOW } from '../../../src/domain/pair-statistics'
import { daysOfStanding, daysOfWindow, type PairStanding, type StandingDays } from '../../../src/domain/standing'
import { freshPrice, type StoredPrice } from '../market/prices/stored-prices'

/** A pair with what is remembered of it. */
interface RememberedPair {
  readonly id: number
  readonly coin_a_id: CoinId
  readonly coin_b_id: CoinId
  /** False: the pair was never judged. */
  readonly known: boolean
  readonly stands: AlertSide | null
  readonly high_day: number | null
  readonly low_day: number | null
  /** Widgets of some pair are left to record an event for. */
  readonly unfinished: boolean
}

/* While no owner wants extremes, no pair is read. A pair is judged whether or not an owner watches it: the first who does finds its state. */
const PAIRS = `
SELECT p.id, p.coin_a_id, p.coin_b_id, e.pair_id IS NOT NULL AS known, e.stands, e.high_day, e.low_day,
  EXISTS (SELECT FROM extreme_firings) AS unfinished
FROM pairs p LEFT JOIN pair_extremes e ON e.pair_id = p.id
WHERE (p.coin_a_id = ANY ($1::text[]) OR p.coin_b_id = ANY ($1::text[])) AND EXISTS (SELECT FROM alert_settings WHERE extremes)`

/*
 * given:    a pair that is removed meanwhile is left out.
 * returned: the events of an extreme that the pair has left, one look into the unique index for each widget of owners who want them.
 */
const REMEMBER = `
WITH given AS MATERIALIZED (
  SELECT given.* FROM unnest($1::int[], $2::text[], $3::int[], $4::int[], $5::text[], $6::float8[], $7::float8[], $8::float8[], $9::int[],
    $12::text[], $13::int[]) AS given (pair_id, stands, high_day, low_day, fires, ratio, threshold, measure, days, leaves, left_day)
  JOIN pairs p ON p.id = given.pair_id ORDER BY p.id FOR KEY SHARE OF p
), remembered AS (
  INSERT INTO pair_extremes (pair_id, stands, high_day, low_day) SELECT pair_id, stands, high_day, low_day FROM given
  ON CONFLICT (pair_id) DO UPDATE SET stands = excluded.stands, high_day = excluded.high_day, low_day = excluded.low_day
), returned AS (
  UPDATE alert_events SET back_at = $11 WHERE back_at IS NULL AND id = ANY (ARRAY (
    SELECT event.id FROM given JOIN widgets w ON w.pair_id = given.pair_id
    JOIN alert_settings s ON s.owner_id = w.owner_id AND s.extremes
    CROSS JOIN LATERAL (
      SELECT e.id FROM alert_events e WHERE e.widget_id = w.id AND e.side = given.leaves AND e.epoch = given.left_day
        AND e.kind = 'extreme_' || given.leaves LIMIT 1
    ) event WHERE given.leaves IS NOT NULL))
)
INSERT INTO extreme_firings (pair_id, side, day, ratio, threshold, measure, days, crossed_at)
SELECT pair_id, fires, $10, ratio, threshold, measure, days, $11 FROM given WHERE fires IS NOT NULL ON CONFLICT DO NOTHING`

/** A pair whose state is to be written. */
interface JudgedPair {
  readonly id: number
  readonly state: ExtremeState
  readonly fires: AlertSide | null
  /** The extreme that the pair has left, and the UTC day of its event; null: none. */
  readonly leaves: { readonly side: AlertSide; readonly day: number } | null
  readonly ratio: number
  readonly standing: PairStanding
}

const columnsOf = (judged: readonly JudgedPair[]) => [
  judged.map(({ id }) => id),
  judged.map(({ state }) => state.stands),
  judged.map(({ state }) => state.firedOn.high),
  judged.map(({ state }) => state.firedOn.low),
  judged.map(({ fires }) => fires),
  judged.map(({ ratio }) => ratio),
  judged.map(({ fires, standing }) => (fires === 'low' ? standing.p5 : standing.p95)),
  judged.map(({ standing }) => standing.percentile),
  judged.map(({ standing }) => daysOfWindow(standing.days, STANDING_WINDOW)),
]

const leavesOf = (judged: readonly JudgedPair[]) => [
  judged.map(({ leaves }) => leaves?.side ?? null),
  judged.map(({ leaves }) => leaves?.day ?? null),
]

/** Days of a pair, and the ratios between which it is at no extreme of them; null: too few days are known. */
type KeptDays = { readonly days: StandingDays; readonly calm: readonly [low: number, high: number] } | null

/** Keeps the days of pairs as long as the closes are the same. */
function daysKeeper() {
  let kept: { readonly of: DailyMatrix; readonly days: Map<number, KeptDays> } | null = null

  /** @param day of the older price: days between the closes and it are no days of the pair's window */
  return (matrix: DailyMatrix, pair: RememberedPair, day: number) => {
    if (kept?.of !== matrix) kept = { of: matrix, days: new Map() }
    const { days } = kept
    const key = pair.id * 8 + (day % 8)
    return {
      known: days.get(key),
      daysOf: (closes: PairCloses): StandingDays | null => {
        let found = days.get(key)
        if (found === undefined) {
          const its = daysOfStanding(closes)
          found = its && { days: its, calm: calmRatios(its.sorted) }
          days.set(key, found)
        }
        return found?.days ?? null
      },
    }
  }
}

/**
 * Judges where the pairs of some coins stand, as their badges say it, by daily closes that this process keeps. Most stand far
 * from an extreme and stood there before: of those two numbers are compared.
 */
export function extremesJudge() {
  const keeper = daysKeeper()

  function judged(pair: RememberedPair, matrix: DailyMatrix, prices: Prices, now: number): readonly JudgedPair[] {
    const [a, b] = [freshPrice(prices, pair.coin_a_id, now), freshPrice(prices, pair.coin_b_id, now)]
    const ratio = ratioOf(a?.usd ?? null, b?.usd ?? null)
    if (a === null || b === null || ratio === null) return []
    const { known, stands, high_day, low_day, id } = pair
    const providerTime = Math.min(a.providerTime, b.providerTime)
    const keeping = keeper(matrix, pair, utcDayOf(providerTime))
    const [low, high] = keeping.known?.calm ?? []
    if (known && stands === null && low! < ratio && ratio < high!) return []
    const live = { providerTime, priceA: a.usd, priceB: b.usd, source: matrix.source }
    const { standing } = agedStanding(matrix, pair.coin_a_id, pair.coin_b_id, live, now, keeping.daysOf)
    // Closes that are behind name no extreme, and a price that is older than they are is none of today: what is known stays.
    if (standing === null || standing.closesTo !== null) return []
    const before = known ? { stands, firedOn: { high: high_day, low: low_day } } : null
    const { state, fires } = judgeExtreme(before, standing.extreme, utcDayOf(now))
    if (state === before) return []
    const day = stands && before?.firedOn[stands]
    return [
      { id, state, fires, leaves: stands === null || day == null ? null : { side: stands, day }, ratio, standing },
    ]
  }

  /**
   * Part of a transaction, which updates of prices take one after the other.
   * @param mayJudge whether alerts may be judged by this source; asked where there is something to write
   * @returns `left`: widgets are left to record an event for. `unready`: there are pairs to judge, and no closes were given
   */
  return async (
    client: Pick<PoolClient, 'query'>,
    coins: readonly string[],
    { matrix, stored, now, mayJudge }: ExtremesInput,
  ): Promise<'done' | 'left' | 'unready'> => {
    const { rows } = await client.query<RememberedPair>(PAIRS, [coins])
    if (rows.length === 0) return 'done'
    if (matrix === null) return 'unready'
    const prices = await stored()
    const changed = rows.flatMap((pair) => judged(pair, matrix, prices, now))
    const isUnfinished = rows[0]!.unfinished
    if (changed.length === 0) return isUnfinished ? 'left' : 'done'
    if (!(await mayJudge())) return 'done'
    await client.query(REMEMBER, [...columnsOf(changed), utcDayOf(now), new Date(now), ...leavesOf(changed)])
    return isUnfinished || changed.some(({ fires }) => fires !== null) ? 'left' : 'done'
  }
}

type Prices = ReadonlyMap<string, StoredPrice>

export interface ExtremesInput {
  /** Null: the caller has read none, since nobody may want extremes. */
  readonly matrix: DailyMatrix | null
  readonly stored: () => Promise<Prices>
  /** Milliseconds since 1970. */
  readonly now: number
  readonly mayJudge: () => Promise<boolean>
}
