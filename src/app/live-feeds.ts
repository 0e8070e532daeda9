import { liveQuery } from 'dexie'
import { readMeta, readPrices } from '../db/database'
import { readHistoryUpdated } from '../db/history-rows'
import { readBoard } from '../db/board-rows'
import { toError } from '../domain/error-message'
import {
  feedFailureAtom,
  historyUpdatedAtom,
  nowAtom,
  pricesAtom,
  putBoard,
  streamAtom,
  syncStateAtom,
} from '../state/live-data'
import { loadOnce } from '../state/load-once'
import type { Services, Store } from '../state/services'
import { whileVisible } from './while-visible'

const loadSummaries = loadOnce(() => import('./summaries'))

/** Milliseconds between two updates of `nowAtom`, on which ages depend. */
const CLOCK_INTERVAL = 2_000

/**
 * One live query a table feeds the atoms of src/state/live-data.ts, which all cards share; the clock and the web worker's
 * summaries run beside them. Returns the function that ends them all. See docs/guides/first-route.md.
 */
export function startLiveFeeds(store: Store, services: Services): () => void {
  const { db, now } = services.commands
  let end = (): void => undefined

  const follow = <T>(query: () => Promise<T>, put: (value: T) => void) =>
    liveQuery(query).subscribe({
      next: put,
      error: (error: unknown) => {
        reportError(error)
        store.set(feedFailureAtom, { message: toError(error).message, retry })
      },
    })

  const start = () => {
    store.set(feedFailureAtom, null)
    const feeds = [
      follow(
        () => readBoard(db),
        (board) => putBoard(store, board),
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
    // Figures and ages of a hidden page move for no user (decision 0136).
    const endMoving = whileVisible(() => {
      let clock: ReturnType<typeof setTimeout> | undefined
      const tick = () => {
        clearTimeout(clock)
        clock = setTimeout(tick, CLOCK_INTERVAL)
        store.set(nowAtom, now())
      }
      tick()
      const prices = follow(
        () => readPrices(db),
        (row) => {
          store.set(pricesAtom, row)
          // Ages that are due in less than a second share a frame with the prices.
          if (now() - store.get(nowAtom) > CLOCK_INTERVAL / 2) tick()
        },
      )
      const stream = follow(
        () => readMeta(db, 'stream'),
        (state) => store.set(streamAtom, state),
      )
      return () => {
        clearTimeout(clock)
        prices.unsubscribe()
        stream.unsubscribe()
      }
    })
    const endSummaries = startSummaries(store, services)
    end = () => {
      for (const feed of feeds) feed.unsubscribe()
      endMoving()
      endSummaries()
    }
  }

  const retry = () => {
    end()
    start()
  }
  start()
  return () => end()
}

/** Starts the summaries once their code is here, which the first paint does not need. Returns the function that ends them. */
function startSummaries(store: Store, services: Services): () => void {
  let isEnded = false
  let end = (): void => {
    isEnded = true
  }
  loadSummaries().then(
    ({ keepSummaries }) => {
      if (!isEnded) end = keepSummaries(store, services)
    },
    (error: unknown) => reportError(error),
  )
  return () => end()
}
