import type { Coin } from '../../contract/market'

/** Whether a coin's name or symbol contains the term, in whatever case. */
export function coinMatches(coin: Coin, term: string): boolean {
  const wanted = term.trim().toLowerCase()
  return coin.name.toLowerCase().includes(wanted) || coin.symbol.toLowerCase().includes(wanted)
}

/** What the list says when it shows no coin; `count`: how many there are to search. */
export const noCoinsText = (count: number, term: string): string =>
  count === 0 ? 'Could not load coins or list is empty.' : `No matches found for "${term}"`
