import type { CoinView } from '../../db/view'
import { formatPrice } from '../../domain/format-price'
import { CoinIcon } from '../../ui/coin-icon'
import styles from './coin-row.module.css'
import { Figure } from './figure'
import { usePriceAtom } from './slices'

/** One coin of the pair with its price in USD. */
export function CoinRow({ coin }: { readonly coin: CoinView }) {
  const price = usePriceAtom(coin.id)
  return (
    <li className={styles.row}>
      <CoinIcon image={coin.image} />
      <span className={styles.name} title={coin.name}>
        {coin.name}
      </span>
      <span className={styles.symbol}>{coin.symbol}</span>
      <Figure className={styles.price} source={price} format={formatPrice} />
    </li>
  )
}
