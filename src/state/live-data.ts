import { atom } from 'jotai'
import type { MetaRows, PricesRow } from '../db/rows'
import type { BoardView } from '../db/view'
import { MINUTE } from '../domain/granularity'
import type { PairIds, PairSummary } from '../../workers/api'

/**
 * What the live queries last said. Written only by the feeds; components subscribe to derived slices, so that a poll
 * renders the figures it changed and nothing else. Kept in memory between screens: coming back paints at once.
 */
export const boardAtom = atom<BoardView | undefined>(undefined)
export const pricesAtom = atom<PricesRow | undefined>(undefined)
export const syncStateAtom = atom<MetaRows['sync_state'] | undefined>(undefined)
/** Milliseconds of the newest history that came from the server; null: none is stored, undefined: not yet read. */
export const historyUpdatedAtom = atom<number | null | undefined>(undefined)
/** By `pairKey`. */
export const summariesAtom = atom<ReadonlyMap<string, PairSummary>>(new Map())
/** Milliseconds; moves every two seconds while a feed runs. Only ages read it. */
export const nowAtom = atom(0)

export const pairKey = ({ coinA, coinB }: PairIds): string => `${coinA}/${coinB}`

/**
 * Milliseconds after which a price is called old. A server with a small budget of calls asks its provider every few
 * minutes; beyond ten a price is too old for an alert, too.
 */
export const PRICES_STALE_AFTER = 10 * MINUTE

/** Milliseconds without a successful poll after which two polls, 75 s apart, have been missed; an answer takes a while. */
export const POLLS_MISSED_AFTER = 2 * 75_000 + 10_000
