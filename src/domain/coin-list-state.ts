/** How the list of coins is: loading, as long as nothing has kept it from coming. */
export type CoinListState = 'loading' | 'failed' | 'loaded'

/** The rounds of requests as they last ended. */
interface Rounds {
  /** The server's refusal, by what was asked for. */
  readonly problems: { readonly coins?: string }
  /** Requests without an answer. */
  readonly unanswered?: { readonly coins?: true }
  readonly unreachable_since: number | null
}

export function coinListState(isStored: boolean, rounds: Rounds | undefined, online: boolean): CoinListState {
  if (isStored) return 'loaded'
  const failed = !online || rounds?.problems.coins !== undefined || rounds?.unanswered?.coins === true
  return failed || rounds?.unreachable_since != null ? 'failed' : 'loading'
}

/** Sentence of the list when it shows no coin; `count`: number of coins to search. */
export function noCoinsText(state: CoinListState, count: number, term: string): string {
  if (state === 'loading') return 'Loading coins…'
  return count === 0 ? 'Could not load coins or list is empty.' : `No matches found for "${term}"`
}
