import type { RadarReady } from '../../../workers/api'
import { sameMoney } from '../../../src/domain/same-money'
import { ageOf } from '../../../src/domain/ages'
import { pairColumns } from '../../../src/domain/pair-columns'
import type { CoinView } from '../../../src/db/view'
import { randomOf } from '../../../src/domain/random'
import { normalOf } from '../../domain/support/random'
import { coinNumber, START } from '../support/local-app'

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

/** BTC, its wrapped form, two dollars and a coin that wanders: two of the ten pairs are pegged. */
export const MONEY: readonly Course[] = (() => {
  const normal = normalOf(randomOf(7))
  const wander = Float64Array.from({ length: DAYS }, () => 0.03 * normal())
  const walk =
    (factor: number): Course =>
    (day) =>
      Math.exp(factor * wander.subarray(0, day + 1).reduce((sum, step) => sum + step, 0))
  const [btc, eth] = [walk(1), walk(-0.7)]
  return [btc, eth, () => 1, (day) => btc(day) * (1 + 0.001 * Math.sin(day)), (day) => 1 + 0.0005 * Math.cos(day)]
})()

/** The worker's answer for coins 0, 1, … with such courses; the last closes stand for the current prices. */
export function radarAnswer(
  courses: readonly Course[],
  ranked = courses.length,
  frozenSince: RadarReady['frozenSince'] = new Map(),
  now = START,
): RadarReady {
  const coins = courses.map((_, index) => coinNumber(index).id)
  const closes = Float32Array.from(courses.flatMap((course) => Array.from({ length: DAYS }, (_, day) => course(day))))
  const matrix = { source: 'simulated', firstDay: LAST_DAY - DAYS + 1, days: DAYS, ranked, coins, prices: closes }
  const columns = pairColumns(matrix, new Float64Array(coins.length).fill(NaN))
  return {
    kind: 'ready',
    ...columns,
    firstDay: matrix.firstDay,
    days: DAYS,
    fetchedAt: 0,
    age: ageOf(matrix, null, now),
    pricedAt: new Float64Array(coins.length).fill(NaN),
    clockAhead: 0,
    coins,
    ranked,
    closes,
    money: sameMoney(columns, coins.length),
    frozenSince,
  }
}

export const labelsOf = ({ coins }: RadarReady): readonly CoinView[] =>
  coins.map((_, index) => {
    const { id, symbol, name } = coinNumber(index)
    return { id, symbol: symbol.toUpperCase(), name, image: null }
  })
