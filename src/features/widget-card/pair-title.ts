import type { WidgetView } from '../../db/view'

/** Such as "BTC / ETH". */
export const pairTitle = ({ coinA, coinB }: Pick<WidgetView, 'coinA' | 'coinB'>): string =>
  `${coinA.symbol} / ${coinB.symbol}`
