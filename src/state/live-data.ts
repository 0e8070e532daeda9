import { atom, useAtomValue } from 'jotai'
import { useMemo } from 'react'
import type { PairIds, PairSummary } from '../../workers/api'
import type { BoardRows, MetaRows, PricesRow } from '../db/rows'
import { snapshotOf } from '../db/snapshot'
import { boardOf, type BoardView } from '../db/view'
import type { CoinPrices } from '../domain/coin-prices'
import type { CoinId } from '../domain/ids'
import { POLL_INTERVAL } from '../domain/live-prices'
import { ratioOf } from '../domain/pair'
import { keepIdentity, keepItems } from './keep-identity'
import type { Store } from './services'

/** Shows the board as it is stored. Every unchanged widget keeps its identity, so that its card does not render. */
export const putBoard = (store: Store, next: BoardView | undefined): void =>
  store.set(boardAtom, (previous) =>
    previous === undefined || next === undefined
      ? next
      : keepIdentity(previous, { ...next, widgets: keepItems(previous.widgets, next.widgets, ({ key }) => key) }),
  )

/** Shows the board that a command of this page has stored: its live query would take as long again to read it. */
export function showStored(store: Store, rows: BoardRows): void {
  try {
    const snapshot = snapshotOf(rows)
    if (snapshot !== undefined) putBoard(store, boardOf(snapshot))
  } catch (error) {
    // The command is stored all the same; the live query shows on the screen that the board cannot be read.
    reportError(error)
  }
}

/**
 * The newest results of the live queries of src/app/live-feeds.ts; the board comes from a command of this page as well, as
 * that has stored it. Components subscribe to derived slices,
 * so that a poll renders only the figures it changed. Kept between screens, so that coming back paints at once.
 */
export const boardAtom = atom<BoardView | undefined>(undefined)
export const pricesAtom = atom<PricesRow | undefined>(undefined)
/** Starts those live queries and returns the function that ends them; null before the local database is open. */
export const startFeedsAtom = atom<{ readonly start: () => () => void } | null>(null)
/** How this browser learns of news; undefined: not yet read, or never written. */
export const streamAtom = atom<MetaRows['stream'] | undefined>(undefined)
export const syncStateAtom = atom<MetaRows['sync_state'] | undefined>(undefined)
/** Milliseconds of the newest history that came from the server; null: none is stored, undefined: not yet read. */
export const historyUpdatedAtom = atom<number | null | undefined>(undefined)
/** By `pairKey`. */
export const summariesAtom = atom<ReadonlyMap<string, PairSummary>>(new Map())
/** Why the local database could not be read; null: no failure. */
export const feedFailureAtom = atom<{ readonly message: string; readonly retry: () => void } | null>(null)
/** Milliseconds; changes every two seconds while a feed runs. Only ages read it. */
export const nowAtom = atom(0)

export const pairKey = ({ coinA, coinB }: PairIds): string => `${coinA}/${coinB}`

/** Milliseconds without a successful poll after which two polls have failed, with time for an answer. */
export const POLLS_MISSED_AFTER = 2 * POLL_INTERVAL + 10_000

/** Price A / price B of the newest poll; null while either is missing or B is 0. */
export const pairRatioAtom = (coinA: CoinId, coinB: CoinId) =>
  atom((get): number | null => {
    const prices = get(pricesAtom)?.prices
    return ratioOf(prices?.[coinA]?.usd, prices?.[coinB]?.usd)
  })

/** Both prices of that ratio; null: one is not known. */
export const pairPricesAtom = (coinA: CoinId, coinB: CoinId) =>
  atom((get): CoinPrices | null => {
    const prices = get(pricesAtom)?.prices
    const [a, b] = [prices?.[coinA]?.usd, prices?.[coinB]?.usd]
    return a === undefined || b === undefined ? null : { a, b }
  })

/** The pair's current ratio; renders when it changes. */
export const usePairRatio = (coinA: CoinId, coinB: CoinId): number | null =>
  useAtomValue(useMemo(() => pairRatioAtom(coinA, coinB), [coinA, coinB]))
