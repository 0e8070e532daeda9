import { type Database, inTransaction } from '../../../server/db/open'
import { judgeAlerts } from '../../../server/services/alerts/judge-alerts'
import { crowdCoins, FULL_SCAN, movePrices } from './alert-crowd'

export interface Measured {
  /** Medians, milliseconds: of every widget looked at, and of what the server does. */
  readonly fullScan: number
  readonly judged: number
  /** Crossings of a tick, on the average. */
  readonly crossings: number
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!

async function timed<T>(work: () => Promise<T>): Promise<readonly [number, T]> {
  const started = performance.now()
  const result = await work()
  return [performance.now() - started, result]
}

const judge = async ({ pool }: Database, now: number): Promise<number> => {
  const judged = await inTransaction(pool, (client) => judgeAlerts(client, 'simulated', crowdCoins(), now))
  if (judged === null || judged.more) throw new Error('The tick was not judged at once')
  return judged.crossings.high + judged.crossings.low
}

/**
 * Ticks of a crowd's prices, in turn judged by a full scan and by the server: from the prices as they are stored to the
 * crossings as they are recorded. The first of each is not counted.
 */
export async function measureTicks(
  database: Database,
  { now, share, ticks }: { readonly now: number; readonly share: number; readonly ticks: number },
): Promise<Measured> {
  const scans: number[] = []
  const judgements: number[] = []
  let crossings = 0
  for (let tick = 0; tick <= ticks; tick++) {
    await movePrices(database.pool, share)
    const [scan] = await timed(() => database.pool.query(FULL_SCAN))
    await movePrices(database.pool, share)
    const [judgement, fired] = await timed(() => judge(database, now))
    if (tick === 0) continue
    scans.push(scan)
    judgements.push(judgement)
    crossings += fired / ticks
  }
  return { fullScan: median(scans), judged: median(judgements), crossings: Math.round(crossings) }
}

export interface Together {
  /** Armed sides that were beyond their threshold before, by a look at all of them. */
  readonly due: number
  /** The number of crossings that the judging processes report, and the number of stored rows. */
  readonly notified: number
  readonly recorded: number
  /** Sides that are recorded more than once. */
  readonly twice: number
}

/** One tick that four judge at once, without waiting for each other. */
export async function judgeTogether(database: Database, now: number, share: number): Promise<Together> {
  const { pool } = database
  const count = async (query: string): Promise<number> => (await pool.query<{ n: number }>(query)).rows[0]!.n
  await movePrices(pool, share)
  await pool.query('DELETE FROM alert_events')
  const due = await count(DUE)
  const notified = await Promise.all([
    judge(database, now),
    judge(database, now),
    judge(database, now),
    judge(database, now),
  ])
  return {
    due,
    notified: notified.reduce((sum, one) => sum + one, 0),
    recorded: await count('SELECT count(*)::int AS n FROM alert_events'),
    twice: await count('SELECT (count(*) - count(DISTINCT (widget_id, side)))::int AS n FROM alert_events'),
  }
}

const DUE = `
SELECT (count(*) FILTER (WHERE w.high_threshold_active AND w.high_threshold < a.usd / b.usd)
  + count(*) FILTER (WHERE w.low_threshold_active AND w.low_threshold > a.usd / b.usd))::int AS n
FROM widgets w JOIN market_coins ca ON ca.id = w.coin_a_id JOIN market_prices a ON a.coin_key = ca.key
JOIN market_coins cb ON cb.id = w.coin_b_id JOIN market_prices b ON b.coin_key = cb.key`
