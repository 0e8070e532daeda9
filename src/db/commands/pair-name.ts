import type { CoinId } from '../../domain/ids'
import { pairLabel } from '../../domain/pair'
import type { LocalDatabase } from '../database'
import { readMeta } from '../queries/meta'

/** What the user calls a pair, such as `BTC/ETH`; coin ids where the list is not known. */
export async function pairName(db: LocalDatabase, coinA: CoinId, coinB: CoinId): Promise<string> {
  const list = await readMeta(db, 'coins')
  const symbol = (id: CoinId): string => list?.coins.find((coin) => coin.id === id)?.symbol ?? id
  return pairLabel(symbol(coinA), symbol(coinB))
}
