import type { PoolClient } from 'pg'
import type { MarketSource } from '../../../src/contract/market'
import type { MoveWindow } from '../../../src/domain/rule-kinds'
import { type CoinPoints, MOVES } from '../../../src/domain/rule-measures'
import { UNIT } from '../market/history/points'

/** Widths of points that moves are judged by, with the level of `market_points` that holds each. */
const LEVELS = [
  { level: 0, ...MOVES['24h'] },
  { level: 1, ...MOVES['7d'] },
] as const

/** Points of a coin by their width. */
type PointsOfCoin = ReadonlyMap<number, CoinPoints>

/* The planner takes the coins one by one, and of each the span that is wanted. */
const READ = `
SELECT c.id, p.level, p.bucket, p.usd FROM unnest($2::text[]) coin (id) JOIN market_coins c ON c.source = $1 AND c.id = coin.id
CROSS JOIN LATERAL (
  ${LEVELS.map(({ level }, index) => {
    const [from, to] = [`$${3 + index * 2}`, `$${4 + index * 2}`]
    return `SELECT level, bucket, usd FROM market_points WHERE coin_key = c.key AND level = ${level} AND bucket >= ${from}::int AND bucket < ${to}::int`
  }).join('\n  UNION ALL ')}
  OFFSET 0
) p`

/**
 * Keeps the points of coins that moves are judged by, until the next five minutes begin: none that has ended is written again but
 * by a provider's answer about the past, which counts from then on.
 */
export function movePoints() {
  let kept: { readonly turn: number; readonly coins: Map<string, PointsOfCoin> } | null = null

  return {
    /** Reads what is not kept yet of these coins, as part of a transaction. */
    read: async (
      client: Pick<PoolClient, 'query'>,
      source: MarketSource,
      coins: ReadonlySet<string>,
      now: number,
    ): Promise<void> => {
      const turn = Math.floor(now / UNIT)
      if (kept?.turn !== turn) kept = { turn, coins: new Map() }
      const { coins: known } = kept
      const missing = [...coins].filter((coin) => !known.has(coin))
      if (missing.length === 0) return
      const spans = LEVELS.map(({ level, span, step }) => {
        const end = Math.floor(now / step)
        return { level, step, end, first: Math.ceil((now - span) / step), units: step / UNIT }
      })
      const values = spans.flatMap(({ first, end, units }) => [first * units, end * units])
      const { rows } = await client.query<{ id: string; level: number; bucket: number; usd: number }>(READ, [
        source,
        missing,
        ...values,
      ])
      const empty = () =>
        new Map(
          spans.map(
            ({ step, first, end }) => [step, { end, prices: new Float64Array(end - first).fill(NaN) }] as const,
          ),
        )
      const found = new Map(missing.map((coin) => [coin, empty()]))
      for (const { id, level, bucket, usd } of rows) {
        const { step, first, units } = spans.find((one) => one.level === level)!
        found.get(id)!.get(step)!.prices[bucket / units - first] = usd
      }
      for (const [coin, points] of found) known.set(coin, points)
    },
    /** Undefined: not read. */
    of: (coin: string, window: MoveWindow): CoinPoints | undefined => kept?.coins.get(coin)?.get(MOVES[window].step),
  }
}
