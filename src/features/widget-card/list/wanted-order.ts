import { atom, type Atom } from 'jotai'
import type { WidgetView } from '../../../db/view'
import { pairTitle } from '../../../domain/pair'
import { orderPairs, type PairOrder } from '../../../domain/pair-order'
import { ratioOf } from '../../../domain/ratio'
import { pairKey, pricesAtom, summariesAtom } from '../../../state/live-data'
import { thresholdsOf } from '../../../state/local-arming'

/** The keys of these pairs as they would be ordered by the prices of now. */
export const wantedOrderAtom = (widgets: readonly WidgetView[], order: PairOrder): Atom<readonly string[]> =>
  atom((get) => {
    const prices = get(pricesAtom)?.prices
    const summaries = get(summariesAtom)
    const facts = widgets.map((widget) => ({
      key: widget.key,
      name: pairTitle(widget),
      ratio: ratioOf(prices?.[widget.coinA.id]?.usd, prices?.[widget.coinB.id]?.usd),
      thresholds: thresholdsOf(widget),
      change24h: summaries.get(pairKey({ coinA: widget.coinA.id, coinB: widget.coinB.id }))?.change24h ?? null,
    }))
    return orderPairs(facts, order)
  })
