import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DAY, type Granularity } from '../../../src/domain/granularity'
import type { Records } from '../../../src/domain/choose-series'
import { type Series, seriesFromPoints } from '../../../src/domain/series'

/** Folder of `{coin}.{5m|30m|1h|1d}.csv` files, `timestamp_ms,price_usd`; where it is not set, tests that want it are skipped. */
export const realPricesFolder: string | undefined = process.env['REAL_PRICES_DIR']

export function warnWithoutRealPrices(): void {
  if (realPricesFolder === undefined) console.warn('SKIPPED: tests on real prices need REAL_PRICES_DIR.')
}

const SUFFIX: Readonly<Record<Granularity, string>> = {
  fiveMinutely: '5m',
  thirtyMinutely: '30m',
  hourly: '1h',
  daily: '1d',
}

export function realSeries(coin: string, suffix: string): Series {
  const lines = readFileSync(join(realPricesFolder!, `${coin}.${suffix}.csv`), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
  return seriesFromPoints(lines.map((line) => line.split(',').map(Number) as [number, number]))
}

export const realRecords = (coin: string): Records =>
  Object.fromEntries(Object.entries(SUFFIX).map(([level, suffix]) => [level, realSeries(coin, suffix)]))

/** Closes of every coin as columns of the same days, from the first day of any coin on; NaN: not known. */
export function realCloses(): readonly (readonly number[])[] {
  const files = readdirSync(realPricesFolder!).filter((file) => file.endsWith('.1d.csv'))
  const series = files.map((file) => realSeries(file.replace('.1d.csv', ''), '1d'))
  // The last row is of the evening of a day, all others of its begin: it counts as the day that follows.
  const dayOf = (time: number) => Math.round(time / DAY)
  const first = Math.min(...series.map(({ times }) => dayOf(times[0]!)))
  const last = Math.max(...series.map(({ times }) => dayOf(times.at(-1)!)))
  return series.map(({ times, prices }) => {
    const column = Array<number>(last - first + 1).fill(NaN)
    for (const [index, time] of times.entries()) column[dayOf(time) - first] = Math.fround(prices[index]!)
    return column
  })
}
