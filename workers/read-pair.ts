import type { LocalDatabase } from '../src/db/database'
import { readPrices } from '../src/db/queries/prices'
import { coarserThan, finerThan } from '../src/domain/granularity'
import { type LivePrices, livePrices } from '../src/domain/live-prices'
import { chartWindow, newestOf } from '../src/domain/pair-series'
import { PERIOD_RULES } from '../src/domain/period'
import { isEnough, type Records } from '../src/domain/period-series'
import type { ChartRequest } from './api'
import { type CoinRows, isFetched, readLevels, recordsOf } from './history-records'

/** What the local database holds of a coin for a period, of one market-data source. */
export interface StoredCoin {
  readonly rows: CoinRows
  readonly records: Records
}

export interface StoredPair {
  readonly a: StoredCoin
  readonly b: StoredCoin
  readonly live: LivePrices | null
}

/**
 * What a period's chart is made of, read in one transaction: the records of its own level and the prices, and of a coin
 * whose record does not reach back far enough the coarser ones. Reading costs more than computing. Of a coin whose history
 * the server has never given there are no records: what was folded from this device's ticks alone makes no chart.
 */
export const readPair = (db: LocalDatabase, { coinA, coinB, period, now }: ChartRequest): Promise<StoredPair> =>
  db.transaction('r', [db.history, db.prices], async () => {
    const { granularity } = PERIOD_RULES[period]
    const [prices, own] = await Promise.all([readPrices(db), readLevels(db, [coinA, coinB], [granularity])])
    // Two sources are never mixed in one line.
    const source = prices?.source ?? newestSource(own)
    const live = prices === undefined ? null : livePrices(prices.prices[coinA], prices.prices[coinB], prices.source)
    const a = ofCoin(own, coinA, source, now)
    const b = ofCoin(own, coinB, source, now)

    const known = Math.max(live?.time ?? -Infinity, newestOf(a.records, b.records))
    const { averageFrom } = chartWindow(period, now, known)
    const isShort = ({ records }: StoredCoin): boolean => !isEnough(records[granularity], granularity, averageFrom)
    const short = [...(isShort(a) ? [coinA] : []), ...(isShort(b) ? [coinB] : [])]
    if (short.length === 0) return { a, b, live }

    const wider = [...own, ...(await readLevels(db, short, coarserThan(granularity)))]
    // A finer record that the server gave says that the coarser ones were folded from it.
    const unfetched = short.filter((coin) => !wider.some((row) => row.coin_id === coin && isFetched(row)))
    const all = [...(await readLevels(db, unfetched, finerThan(granularity))), ...wider]
    const anySource = source ?? newestSource(all)
    return { a: ofCoin(all, coinA, anySource, now), b: ofCoin(all, coinB, anySource, now), live }
  })

const newestSource = (rows: CoinRows): string | undefined =>
  rows.toSorted((one, other) => other.fetch_timestamp - one.fetch_timestamp)[0]?.source

function ofCoin(all: CoinRows, coin: string, source: string | undefined, now: number): StoredCoin {
  const rows = all.filter((row) => row.coin_id === coin && row.source === source)
  return { rows, records: rows.some(isFetched) ? recordsOf(rows, now) : {} }
}
