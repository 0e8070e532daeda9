import type { CoinId } from '../../domain/ids'
import { pairLabel } from '../../domain/pair'
import { readyCoin } from '../../domain/ready-pairs'
import type { Snapshot } from '../snapshot'

/** What the user calls a pair, such as `BTC/ETH`; coin ids where the list is not known. */
export function pairName({ coins }: Pick<Snapshot, 'coins'>, coinA: CoinId, coinB: CoinId): string {
  const symbol = (id: CoinId): string => coins.find((coin) => coin.id === id)?.symbol ?? readyCoin(id)?.symbol ?? id
  return pairLabel(symbol(coinA), symbol(coinB))
}
