import { useStore } from 'jotai'
import { Volume2 } from 'lucide-react'
import { useState } from 'react'
import { formatPercent, formatRatio } from '../../domain/format-number'
import { pairTitle, ratioOf } from '../../domain/pair'
import { pairKey, pricesAtom, summariesAtom } from '../../state/live-data'
import { visibleBoardAtom } from '../../state/optimistic-patches'
import type { Store } from '../../state/services'
import { IconButton } from '../../ui/button'
import { useShortcuts } from '../../ui/use-shortcuts'
import { VisuallyHidden } from '../../ui/visually-hidden'

/** One sentence a pair, in the order by hand: its name, its ratio, and its change over 24 hours. */
export function pricesInWords(store: Store): string {
  const prices = store.get(pricesAtom)?.prices ?? {}
  const summaries = store.get(summariesAtom)
  const active = store.get(visibleBoardAtom)?.widgets.filter((widget) => widget.isActive) ?? []
  const sentences = active.map((widget) => {
    const [coinA, coinB] = [widget.coinA.id, widget.coinB.id]
    const ratio = ratioOf(prices[coinA]?.usd, prices[coinB]?.usd)
    const change = summaries.get(pairKey({ coinA, coinB }))?.change24h ?? null
    if (ratio === null) return `${pairTitle(widget)}: no price known.`
    return `${pairTitle(widget)}: ${formatRatio(ratio)}${change === null ? '' : `, ${formatPercent(change)} in 24 hours`}.`
  })
  return sentences.join(' ')
}

/**
 * Figures that change every second are no live regions: a screen reader would never be silent. This button, and its key,
 * have it read them once.
 * @param hasKeys single keys act as shortcuts
 */
export function ReadPrices({ hasKeys }: { readonly hasKeys: boolean }) {
  const store = useStore()
  const [said, setSaid] = useState({ words: '', times: 0 })
  const read = () => setSaid(({ times }) => ({ words: pricesInWords(store), times: times + 1 }))
  useShortcuts({ r: read }, hasKeys)
  return (
    <>
      <IconButton size="sm" label="Read prices" aria-keyshortcuts={hasKeys ? 'r' : undefined} onClick={read}>
        <Volume2 aria-hidden="true" />
      </IconButton>
      <VisuallyHidden role="status">
        {/* Another element each time, so that the same words are read again. */}
        {said.times > 0 && <span key={said.times}>{said.words}</span>}
      </VisuallyHidden>
    </>
  )
}
