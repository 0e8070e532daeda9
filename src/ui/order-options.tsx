import { PAIR_ORDERS, type PairOrder } from '../domain/pair-order'

const ORDER_WORDS: Readonly<Record<PairOrder, string>> = {
  hand: 'By hand',
  near: 'Nearest to a threshold',
  extreme: 'Most extreme first',
  rises: '24h change, highest first',
  falls: '24h change, lowest first',
  name: 'Pair, A to Z',
  'name-down': 'Pair, Z to A',
}

/** The choices of a menu "Order", for the list as for the cards. */
export const OrderOptions = () =>
  PAIR_ORDERS.map((one) => (
    <option key={one} value={one}>
      {ORDER_WORDS[one]}
    </option>
  ))
