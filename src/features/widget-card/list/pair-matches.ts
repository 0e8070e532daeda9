import type { WidgetView } from '../../../db/view'
import { pairTitle } from '../../../domain/pair'

/** Whether each word of the term occurs in the pair's symbols or coins' names, in whatever case. */
export function pairMatches(widget: WidgetView, term: string): boolean {
  const { coinA, coinB } = widget
  const text = `${pairTitle(widget)} ${coinA.symbol}/${coinB.symbol} ${coinA.name} ${coinB.name}`.toLowerCase()
  return term
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}
