import type { Pool } from 'pg'
import type { Change } from '../../../server/db/changes'
import { priceStore } from '../../../server/services/market/prices/price-store'
import { agedStanding } from '../../../src/domain/ages'
import type { AlertSide } from '../../../src/domain/alerts'
import { type DailyMatrix, decodeDailyMatrix, encodeDailyMatrix, MATRIX_DAYS } from '../../../src/domain/daily-matrix'
import { DAY, HOUR } from '../../../src/domain/granularity'
import type { CoinId } from '../../../src/domain/ids'
import { listCoins, pricesOf } from './alert-prices'
import { seeded } from './seeded'

/** Closes of coins as columns of the same days; NaN: not known. */
export type Closes = readonly (readonly number[])[]

/** Closes of a market whose coins wander, and come back now and then. */
export function wanderingCloses(seed: number, coins: number, days: number): Closes {
  const chance = seeded(seed)
  return Array.from({ length: coins }, () => {
    let log = 0
    return Array.from({ length: days }, () => {
      log = log * 0.97 + (chance() - 0.5) * 0.12
      return Math.fround(Math.exp(log))
    })
  })
}

export const coinsOf = (closes: Closes): readonly CoinId[] => closes.map((_, index) => `coin-${index}` as CoinId)

/** The matrix as of the morning of a day: the closes of the days before. @param day index of a column */
export function matrixBefore(closes: Closes, day: number, firstDay: number): DailyMatrix {
  const days = Math.min(MATRIX_DAYS, day)
  const prices = Float32Array.from(closes.flatMap((column) => column.slice(day - days, day)))
  const coins = coinsOf(closes)
  return { source: 'simulated', firstDay: firstDay + day - days, days, ranked: coins.length, coins, prices }
}

/** An owner of a widget of every pair of the coins, both ways; the widgets of their coins, by `a/b`. */
export async function ownerOfAllPairs(pool: Pool, coins: readonly CoinId[], extremes = true): Promise<void> {
  await listCoins(pool, coins)
  await pool.query(
    `INSERT INTO pairs (coin_a_id, coin_b_id) SELECT a, b FROM unnest($1::text[]) a, unnest($1::text[]) b WHERE a <> b
     ON CONFLICT DO NOTHING`,
    [coins],
  )
  await pool.query(
    `WITH made AS (INSERT INTO owners (kind, anonymous_hash, created_at) VALUES ('guest', gen_random_uuid()::text, now()) RETURNING id),
     wants AS (INSERT INTO alert_settings (owner_id, extremes) SELECT id, $1 FROM made)
     INSERT INTO widgets (owner_id, display_order, coin_a_id, coin_b_id, pair_id, notifications_enabled, is_active, created_at)
     SELECT made.id, p.id, p.coin_a_id, p.coin_b_id, p.id, false, true, now() FROM made, pairs p`,
    [extremes],
  )
}

/** Lines such as "20454 coin-1/coin-0 high", of what was recorded or shown. */
export interface Replay {
  /** Extremes that open streams were told of. */
  readonly told: number
  readonly fired: readonly string[]
  readonly badges: readonly string[]
}

/**
 * Replays a market day by day: the server is given the prices of noon, and a page places them among the closes that it has
 * been sent. @param from index of the first day
 */
export async function replayDays(pool: Pool, closes: Closes, from: number, firstDay: number): Promise<Replay> {
  const coins = coinsOf(closes)
  const badges: string[] = []
  const shown = new Map<string, AlertSide | null>()
  let now = 0
  let matrix: DailyMatrix | null = null
  let told = 0
  const publish = (changes: readonly Change[]): void =>
    void (told += changes.filter(({ kind }) => kind === 'alert').length)
  const store = priceStore({
    pool,
    source: 'simulated',
    clock: () => now,
    closes: async () => matrix!,
    changes: { publish },
  })
  for (let day = from; day < closes[0]!.length; day++) {
    now = (firstDay + day) * DAY + 12 * HOUR
    matrix = matrixBefore(closes, day, firstDay)
    const usd = coins.flatMap((coin, row) => (closes[row]![day]! > 0 ? [[coin, closes[row]![day]!] as const] : []))
    await store(pricesOf(Object.fromEntries(usd), now), { history: false })
    const sent = decodeDailyMatrix(encodeDailyMatrix(matrix))!
    const priceOf = new Map(usd)
    for (const a of priceOf.keys()) {
      for (const b of priceOf.keys()) {
        if (a === b) continue
        const live = { providerTime: now, priceA: priceOf.get(a)!, priceB: priceOf.get(b)!, source: 'simulated' }
        const { standing } = agedStanding(sent, a, b, live, now)
        if (standing === null) continue
        const key = `${a}/${b}`
        const { extreme } = standing
        if (extreme !== null && shown.has(key) && shown.get(key) !== extreme)
          badges.push(`${firstDay + day} ${key} ${extreme}`)
        shown.set(key, extreme)
      }
    }
  }
  const { rows } = await pool.query<{ line: string }>(
    `SELECT e.epoch || ' ' || e.coin_a_id || '/' || e.coin_b_id || ' ' || e.side AS line FROM alert_events e
     WHERE e.kind = 'extreme_' || e.side`,
  )
  return { told, fired: rows.map(({ line }) => line).toSorted(), badges: badges.toSorted() }
}
