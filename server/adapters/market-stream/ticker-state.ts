import { MINUTE } from '../../../src/domain/granularity'

/*
 * The states of a connection to an exchange's tickers. Each connection has a number, and reports of an earlier one are ignored.
 *
 *   apart ──connected──> following ──lost | nothing heard | too many unwanted──> apart
 *     └──unreachable──> apart
 */

/** A connection that watches markets and hears of none for so long is made anew. Milliseconds. */
const SILENCE_MS = MINUTE
/** Watched markets that are no longer wanted are borne up to this number; then the connection is made anew without them. */
const MAX_UNWANTED = 20

interface Known {
  readonly wanted: readonly string[]
  /** The exchange's markets by symbol, each with the exchange's own id. */
  readonly markets: ReadonlyMap<string, string>
  /** Markets that the exchange refused, until its list of markets is fetched again. */
  readonly refused: ReadonlySet<string>
  /** Connections in a row that ended without a price. */
  readonly failures: number
  /** Number of the last connection. */
  readonly connection: number
}

export type FeedState =
  /** `reason`: what ended the last connection, after which the next one waits; null: it is made at once. */
  | (Known & { readonly kind: 'apart'; readonly reason: string | null })
  | (Known & {
      readonly kind: 'following'
      readonly watched: ReadonlySet<string>
      /** Milliseconds of a clock that never goes back: the last price, or the first subscription. */
      readonly since: number
      readonly hasHeard: boolean
    })

/** `now`: milliseconds of a clock that never goes back. */
export type FeedEvent =
  | { readonly kind: 'wanted'; readonly symbols: readonly string[]; readonly now: number }
  | { readonly kind: 'markets'; readonly markets: ReadonlyMap<string, string>; readonly now: number }
  | { readonly kind: 'connected'; readonly now: number }
  | { readonly kind: 'unreachable'; readonly reason: string }
  | { readonly kind: 'gathered'; readonly ticks: number; readonly now: number }
  | { readonly kind: 'lost'; readonly connection: number; readonly reason: string }

export const initialFeed: FeedState = {
  kind: 'apart',
  reason: null,
  wanted: [],
  markets: new Map(),
  refused: new Set(),
  failures: 0,
  connection: 0,
}

const knownOf = ({ wanted, markets, refused, failures, connection }: FeedState): Known => ({
  wanted,
  markets,
  refused,
  failures,
  connection,
})

/** Subscribes to what is wanted and there, or begins anew where too much of the subscribed is not wanted any more. */
function subscribed(state: FeedState, now: number): FeedState {
  if (state.kind === 'apart') return state
  const { wanted, markets, refused, watched } = state
  const there = wanted.filter((symbol) => markets.has(symbol) && !refused.has(symbol))
  const all = new Set([...watched, ...there])
  if (watched.size - there.filter((symbol) => watched.has(symbol)).length > MAX_UNWANTED) {
    return { ...knownOf(state), kind: 'apart', reason: null }
  }
  if (all.size === watched.size) return state
  return { ...state, watched: all, since: watched.size === 0 ? now : state.since }
}

/** Leaves out the market that an exchange refused by name: the others must not go without prices for it. */
function failed(state: FeedState, reason: string): FeedState {
  const words = new Set(reason.split(/[\s,"']+/))
  const { wanted, markets, refused } = state
  const named = wanted.filter(
    (symbol) => !refused.has(symbol) && (words.has(symbol) || words.has(markets.get(symbol) ?? symbol)),
  )
  const isFirst = named.length > 0 || (state.kind === 'following' && state.hasHeard)
  const known = {
    ...knownOf(state),
    refused: new Set([...refused, ...named]),
    failures: isFirst ? 1 : state.failures + 1,
  }
  return { ...known, kind: 'apart', reason }
}

export function reduceFeed(state: FeedState, event: FeedEvent): FeedState {
  switch (event.kind) {
    case 'wanted':
      return subscribed({ ...state, wanted: event.symbols }, event.now)
    case 'markets':
      return subscribed({ ...state, markets: event.markets, refused: new Set() }, event.now)
    case 'connected': {
      const known = { ...knownOf(state), connection: state.connection + 1 }
      return subscribed(
        { ...known, kind: 'following', watched: new Set(), since: event.now, hasHeard: false },
        event.now,
      )
    }
    case 'unreachable':
      return failed(state, event.reason)
    case 'gathered': {
      if (state.kind === 'apart') return state
      if (event.ticks > 0) return { ...state, since: event.now, hasHeard: true }
      const isSilent = state.watched.size > 0 && event.now - state.since > SILENCE_MS
      return isSilent ? failed(state, `nothing was heard for ${SILENCE_MS / 1000} s`) : state
    }
    case 'lost':
      return state.kind === 'following' && state.connection === event.connection ? failed(state, event.reason) : state
  }
}
