import { formatPercent, formatRatio } from '../../domain/format-number'
import { pairTitle, ratioOf } from '../../domain/pair'
import { boardAtom, pairKey, pricesAtom, summariesAtom } from '../../state/live-data'
import type { Store } from '../../state/services'

/** One sentence a pair, in the order by hand: its name, its ratio, and its change over 24 hours. */
export function pricesInWords(store: Store): string {
  const prices = store.get(pricesAtom)?.prices ?? {}
  const summaries = store.get(summariesAtom)
  const active = store.get(boardAtom)?.widgets.filter((widget) => widget.isActive) ?? []
  const sentences = active.map((widget) => {
    const [coinA, coinB] = [widget.coinA.id, widget.coinB.id]
    const ratio = ratioOf(prices[coinA]?.usd, prices[coinB]?.usd)
    const change = summaries.get(pairKey({ coinA, coinB }))?.change24h ?? null
    if (ratio === null) return `${pairTitle(widget)}: no price known.`
    return `${pairTitle(widget)}: ${formatRatio(ratio)}${change === null ? '' : `, ${formatPercent(change)} in 24 hours`}.`
  })
  return sentences.join(' ')
}
