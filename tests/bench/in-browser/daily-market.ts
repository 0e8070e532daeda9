import type { DailyMatrix } from '../../../src/domain/daily-matrix'
import type { CoinId } from '../../../src/domain/ids'
import { randomOf } from '../../../src/domain/random'
import { normalOf } from '../../domain/support/random'

const COINS = 100
const DAYS = 365

/** A year of a hundred made-up coins that share half of their moves; two of them are pegged, and one day is missing. */
export function dailyMatrix(): DailyMatrix {
  const normal = normalOf(randomOf(1))
  const market = Array.from({ length: DAYS }, () => 0.02 * normal())
  const prices = new Float32Array(COINS * DAYS)
  for (let coin = 0; coin < COINS; coin += 1) {
    const move = coin < 2 ? 0.0002 : 0.03
    let log = coin < 2 ? 0 : 10 - coin / 5
    for (let day = 0; day < DAYS; day += 1) {
      log += move * normal() + (coin < 2 ? 0 : market[day]!)
      prices[coin * DAYS + day] = coin === 50 && day === 200 ? NaN : Math.exp(log)
    }
  }
  const coins = Array.from({ length: COINS }, (_, index) => `coin-${index}` as CoinId)
  return { source: 'simulated', firstDay: 20_413, days: DAYS, ranked: COINS, coins, prices }
}
