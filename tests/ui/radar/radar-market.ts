import type { RadarReady } from '../../../workers/api'
import { pairColumns } from '../../../src/domain/pair-columns'
import type { CoinView } from '../../../src/db/view'
import { coinNumber } from '../support/local-app'

/** Number of the UTC day of START's eve: the newest close there can be. */
const LAST_DAY = Date.UTC(2026, 10, 20) / 86_400_000
const DAYS = 365

/** A coin's price at the end of each day. */
type Course = (day: number) => number

/** A wave of ten days about 100 that ends so far from it. */
export const wave =
  (end: number): Course =>
  (day) =>
    day === DAYS - 1 ? 100 + end : 100 + 5 * Math.sin((2 * Math.PI * day) / 10 + end)

/** A coin whose price is known for its last days only. */
export const young =
  (days: number): Course =>
  (day) =>
    day < DAYS - days ? NaN : 100 + day

/** The worker's answer for coins 0, 1, … with such courses; the last closes stand for the current prices. */
export function radarAnswer(courses: readonly Course[], ranked = courses.length): RadarReady {
  const coins = courses.map((_, index) => coinNumber(index).id)
  const closes = Float32Array.from(courses.flatMap((course) => Array.from({ length: DAYS }, (_, day) => course(day))))
  const matrix = { source: 'simulated', firstDay: LAST_DAY - DAYS + 1, days: DAYS, ranked, coins, prices: closes }
  const columns = pairColumns(matrix, new Float64Array(coins.length).fill(NaN))
  return { kind: 'ready', ...columns, firstDay: matrix.firstDay, days: DAYS, fetchedAt: 0, coins, ranked, closes }
}

export const labelsOf = ({ coins }: RadarReady): readonly CoinView[] =>
  coins.map((_, index) => {
    const { id, symbol, name } = coinNumber(index)
    return { id, symbol: symbol.toUpperCase(), name, image: null }
  })
