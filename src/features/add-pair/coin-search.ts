import type { Coin } from '../../contract/market'
import type { MetaRows } from '../../db/rows'

/** Whether a coin's name or symbol contains the term, in whatever case. */
export function coinMatches(coin: Coin, term: string): boolean {
  const wanted = term.trim().toLowerCase()
  return coin.name.toLowerCase().includes(wanted) || coin.symbol.toLowerCase().includes(wanted)
}

/** How the list of coins is: loading, as long as nothing has kept it from coming. */
export type CoinListState = 'loading' | 'failed' | 'loaded'

export function coinListState(
  list: { readonly coins: readonly Coin[] } | undefined,
  sync: MetaRows['sync_state'] | undefined,
  online: boolean,
): CoinListState {
  if (list !== undefined) return 'loaded'
  const failed = !online || sync?.problems.coins !== undefined || sync?.unanswered?.coins === true
  return failed || sync?.unreachable_since != null ? 'failed' : 'loading'
}

/** Sentence of the list when it shows no coin; `count`: number of coins to search. */
export function noCoinsText(state: CoinListState, count: number, term: string): string {
  if (state === 'loading') return 'Loading coins…'
  return count === 0 ? 'Could not load coins or list is empty.' : `No matches found for "${term}"`
}
