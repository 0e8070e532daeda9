import type { Coin } from '../../contract/market'
import { CoinIcon } from '../../ui/coin-icon'
import { Combobox } from '../../ui/combobox'
import styles from './coin-combobox.module.css'
import { type CoinListState, coinMatches, noCoinsText } from './coin-search'

interface CoinComboboxProps {
  readonly label: string
  readonly coins: readonly Coin[]
  readonly list: CoinListState
  readonly value: Coin | null
  readonly onChange: (coin: Coin | null) => void
  readonly autoFocus?: boolean
}

const symbolOf = (coin: Coin): string => coin.symbol.toUpperCase()

export function CoinCombobox({ label, coins, list, value, onChange, autoFocus = false }: CoinComboboxProps) {
  return (
    <Combobox
      label={label}
      items={coins}
      value={value}
      onChange={onChange}
      itemKey={(coin) => coin.id}
      itemLabel={(coin) => `${coin.name} (${symbolOf(coin)})`}
      matches={coinMatches}
      renderItem={(coin) => (
        <span className={styles.coin}>
          <CoinIcon image={coin.image} />
          <span className={styles.name}>{coin.name}</span>
          <span className={styles.symbol}>{symbolOf(coin)}</span>
        </span>
      )}
      renderLead={(coin) => <CoinIcon image={coin.image} />}
      emptyText={(term) => noCoinsText(list, coins.length, term)}
      placeholder="Search by name or symbol"
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- the dialog's first field gets focus, as the pattern asks
      autoFocus={autoFocus}
    />
  )
}
