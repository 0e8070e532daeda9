import type { TickerPrice } from '../../../adapters/market-stream/exchange-feed'
import type { SpotPrice } from '../../../adapters/market-data/provider'
import { AHEAD, EXCHANGE_SILENCE, EXCHANGE_TOLERANCE } from '../prices/stored-prices'

/** A price that has not changed is handed out again after this, so that it does not count as silent. Milliseconds. */
const CONFIRM_MS = 15_000

/** A coin whose exchange's price is no longer used, or is again. */
interface TrustChange {
  readonly coin: string
  readonly trusted: boolean
  /** USD: the exchange's price, and the provider's. */
  readonly usd: number
  readonly reference: number
}

interface CoinState {
  /** The provider's last own price, USD; null: none is known yet. */
  reference: number | null
  /** The exchange's last price, used or not. */
  last: { readonly usd: number; readonly at: number; readonly heardAt: number } | null
  /** Null until a price was compared with a reference. */
  trusted: boolean | null
  /** The reference is newer than the last comparison. */
  isUnjudged: boolean
  /** The price that the next `drain` hands out. */
  pending: SpotPrice | null
  stored: SpotPrice | null
}

/** Whether an exchange's price lies within the tolerance (decision 0134). */
const agrees = (usd: number, reference: number): boolean => Math.abs(usd - reference) <= reference * EXCHANGE_TOLERANCE

export type ExchangeTrust = ReturnType<typeof exchangeTrust>

/**
 * Decides which prices of an exchange are used, and gathers the latest of each coin (decision 0134). A coin that was
 * distrusted is judged again by the provider's next price alone, so that an exchange that alternates is logged once.
 * @param changed called for each coin that is distrusted, and for each that is trusted again
 */
export function exchangeTrust(changed: (change: TrustChange) => void) {
  const coins = new Map<string, CoinState>()
  const stateOf = (coin: string): CoinState => {
    const known = coins.get(coin) ?? {
      reference: null,
      last: null,
      trusted: null,
      isUnjudged: true,
      pending: null,
      stored: null,
    }
    coins.set(coin, known)
    return known
  }

  function judge(coin: string, state: CoinState): void {
    const { reference, last, trusted: before } = state
    if (reference === null || last === null) return
    state.trusted = agrees(last.usd, reference)
    state.isUnjudged = false
    if (!state.trusted) state.pending = null
    if (state.trusted !== (before ?? true)) changed({ coin, trusted: state.trusted, usd: last.usd, reference })
  }

  return {
    /** Notes the provider's own price, by which the exchange is judged from now on. */
    reference: (coin: string, usd: number, now: number): void => {
      const state = stateOf(coin)
      state.reference = usd
      state.isUnjudged = true
      // A silent exchange is not judged by what it said long ago.
      if (state.last !== null && now - state.last.heardAt < EXCHANGE_SILENCE) judge(coin, state)
    },

    /** True while the exchange's price of the coin is too far from the provider's. */
    isDistrusted: (coin: string): boolean => coins.get(coin)?.trusted === false,

    /**
     * Takes a price of the exchange.
     * @returns false where it is no price of this moment that is newer than the last
     */
    take: (coin: string, { usd, at }: Omit<TickerPrice, 'symbol'>, now: number): boolean => {
      if (!Number.isFinite(usd) || usd <= 0) return false
      if (at !== null && !(Math.abs(at - now) <= AHEAD)) return false
      const time = Math.min(at ?? now, now)
      const state = stateOf(coin)
      const { last } = state
      // A last time that is ahead was noted while this server's clock was wrong.
      if (last !== null && last.at <= now && (time < last.at || (time === last.at && usd === last.usd))) return false
      state.last = { usd, at: time, heardAt: now }
      if (state.trusted !== false || state.isUnjudged) judge(coin, state)
      if (state.trusted === true) state.pending = { usd, providerTime: time }
      return true
    },

    /** The prices to store now. An unchanged one is left for later until its time has to be confirmed. */
    drain: (): ReadonlyMap<string, SpotPrice> => {
      const due = new Map<string, SpotPrice>()
      for (const [coin, state] of coins) {
        const { pending, stored } = state
        if (pending === null) continue
        const age = stored === null ? Infinity : Math.abs(pending.providerTime - stored.providerTime)
        if (pending.usd === stored?.usd && age < CONFIRM_MS) continue
        due.set(coin, pending)
        state.stored = pending
        state.pending = null
      }
      return due
    },

    /** Forgets what an exchange said; the provider's prices stay. */
    forgetExchange: (): void => {
      for (const state of coins.values())
        Object.assign(state, { last: null, trusted: null, pending: null, stored: null })
    },
  }
}
