import { liveQuery } from 'dexie'
import { atom, type createStore } from 'jotai'
import { readBoard } from '../../db/queries/board'
import { readHistoryUpdated } from '../../db/queries/history'
import { readMeta } from '../../db/queries/meta'
import { readPrices } from '../../db/queries/prices'
import { boardAtom, historyUpdatedAtom, nowAtom, pricesAtom, syncStateAtom } from '../../state/live-data'
import type { Services } from '../../state/services'
import { readAgain, shareBoard } from '../../state/wishes'
import { hearOthers } from '../../state/wishes-elsewhere'
import { keepSummaries } from './summaries'

type Store = ReturnType<typeof createStore>

/** Milliseconds between two looks at the clock, on which ages depend. */
const CLOCK_STEP = 2_000

/** What made the local database unreadable; null while all is well. */
export const feedFailureAtom = atom<Error | null>(null)

/**
 * One live query per table feeds the atoms that all cards share; the clock and the web worker's summaries run beside
 * them. Returns the function that ends everything.
 */
export function startFeeds(store: Store, services: Services): () => void {
  const { db, now } = services.commands
  store.set(feedFailureAtom, null)

  const follow = <T>(query: () => Promise<T>, put: (value: T) => void) =>
    liveQuery(query).subscribe({
      next: put,
      error: (error: unknown) => {
        reportError(error)
        store.set(feedFailureAtom, error instanceof Error ? error : new Error(String(error)))
      },
    })

  const feeds = [
    follow(
      () => readBoard(db),
      (board) => store.set(boardAtom, (previous) => shareBoard(previous, board)),
    ),
    follow(
      () => readPrices(db),
      (prices) => store.set(pricesAtom, prices),
    ),
    follow(
      () => readHistoryUpdated(db),
      (at) => store.set(historyUpdatedAtom, at),
    ),
    follow(
      () => readMeta(db, 'sync_state'),
      (state) => store.set(syncStateAtom, state),
    ),
  ]

  const look = () => store.set(nowAtom, now())
  look()
  const clock = setInterval(look, CLOCK_STEP)
  const endSummaries = keepSummaries(store, services)
  const endHearing = hearOthers(store, () => readAgain(store, db))

  return () => {
    for (const feed of feeds) feed.unsubscribe()
    clearInterval(clock)
    endSummaries()
    endHearing()
  }
}
