import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { DAY } from '../../src/domain/granularity'
import { pairStatistics, STATISTIC_WINDOWS, type WindowStatistics } from '../../src/domain/pair-statistics'
import { MEASURED } from '../../src/features/figures/measured-shares'
import { realPricesFolder, realSeries, warnWithoutRealPrices } from './support/real-prices'

warnWithoutRealPrices()

/** Closes of each real coin by days in a row; a close counts for the day whose beginning is nearest. */
function realCloses(): readonly Float32Array[] {
  const coins = readdirSync(realPricesFolder!).filter((file) => file.endsWith('.1d.csv'))
  const known = coins.map((file) => {
    const { times, prices } = realSeries(file.replace('.1d.csv', ''), '1d')
    return new Map(Array.from(times, (time, index) => [Math.round(time / DAY), prices[index]!]))
  })
  const days = known.flatMap((closes) => [...closes.keys()])
  const first = days.reduce((one, other) => Math.min(one, other))
  const last = days.reduce((one, other) => Math.max(one, other))
  return known.map((closes) =>
    Float32Array.from({ length: last - first + 1 }, (_, day) => closes.get(first + day) ?? NaN),
  )
}

/** All pairs with figures on a day, each compared with up to a year before it. */
function pairsOn(closes: readonly Float32Array[], day: number): ReadonlyMap<string, readonly WindowStatistics[]> {
  const found = new Map<string, readonly WindowStatistics[]>()
  for (const [rowA, a] of closes.entries())
    for (const [rowB, b] of closes.slice(0, rowA).entries()) {
      const before = { a: a.subarray(day - 365, day), b: b.subarray(day - 365, day) }
      const statistics = pairStatistics(before, { a: a[day]!, b: b[day]! })
      if (statistics[0]!.z !== null) found.set(`${rowA}/${rowB}`, statistics)
    }
  return found
}

const share = <T>(values: readonly T[], has: (value: T) => boolean): number => values.filter(has).length / values.length
const isBeyond =
  (limit: number) =>
  ({ z }: WindowStatistics): boolean =>
    Math.abs(z!) > limit

test.skipIf(realPricesFolder === undefined)(
  'of 24,575 days of real pairs as many are beyond 2, at an extreme and swinging as the explanations say',
  () => {
    const closes = realCloses()
    const dates = Array.from({ length: 64 }, (_, index) => pairsOn(closes, 365 + 10 * index))
    const of = (window: number) =>
      dates.flatMap((date) => [...date.values()].map((pair) => pair[STATISTIC_WINDOWS.indexOf(window as 90)]!))
    const quarter = of(90)
    expect(quarter).toHaveLength(24_575)

    const beyond2 = { 30: 0.1655, 90: MEASURED.beyond2, 180: 0.1337, 365: 0.1351 }
    for (const [window, expected] of Object.entries(beyond2))
      expect(Math.abs(share(of(Number(window)), isBeyond(2)) - expected), `${window} days`).toBeLessThan(5e-4)
    const last = [...dates.at(-1)!.values()].map((pair) => pair[1]!)
    expect(share(last, isBeyond(2))).toBeCloseTo(MEASURED.beyond2OnBusyDay, 4)
    expect(share(quarter, isBeyond(3))).toBeCloseTo(MEASURED.beyond3, 4)
    const isExtreme = ({ percentile }: WindowStatistics) => percentile! >= 0.95 || percentile! <= 0.05
    expect(share(quarter, isExtreme)).toBeCloseTo(MEASURED.atExtreme, 4)
    expect(share(quarter, ({ verdict }) => verdict === 'swung')).toBeCloseTo(0.0656, 4)

    // 90 days later the window shares no day with the first.
    const swung = (pair: readonly WindowStatistics[] | undefined) => pair?.[1]!.verdict === 'swung'
    const twice = dates.slice(0, -9).flatMap((date, index) =>
      [...date].flatMap(([name, pair]) => {
        const later = dates[index + 9]!.get(name)
        return later === undefined ? [] : [{ before: swung(pair), after: swung(later) }]
      }),
    )
    const after = (before: boolean) => twice.filter((one) => one.before === before)
    expect([after(true).length, after(false).length]).toEqual([1344, 19_577])
    expect(share(after(true), (one) => one.after)).toBeCloseTo(MEASURED.swungAgain, 9)
    expect(share(after(false), (one) => one.after)).toBeCloseTo(MEASURED.swungAfterwards, 9)
  },
)
