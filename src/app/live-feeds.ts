import { liveQuery } from 'dexie'
import { useStore } from 'jotai'
import { useEffect } from 'react'
import type { LocalDatabase } from '../db/database'
import { type AccountView, readAccountView } from '../db/account'
import { readBoard } from '../db/view'
import { readHistoryUpdated } from '../db/queries/history'
import { readMeta, readPrices } from '../db/queries/meta'
import { toError } from '../domain/error-message'
import { accountAtom, forgetOwnerAtom } from '../state/account'
import { boardAtom, feedFailureAtom, historyUpdatedAtom, nowAtom, pricesAtom, syncStateAtom } from '../state/live-data'
import { listenForPatches, readAgain, shareBoard } from '../state/optimistic-patches'
import { type Services, type Store, useServices } from '../state/services'
import { keepSummaries } from './summaries'

/** Milliseconds between two updates of `nowAtom`, on which ages depend. */
const CLOCK_STEP = 2_000

/** Keeps `accountAtom` as long as the page lives: a sign-in or logout in one tab is one in all of them. */
export function followAccount(store: Store, db: LocalDatabase): void {
  const show = (account: AccountView | undefined) => {
    const before = store.get(accountAtom)
    // Read anew with every answer that is applied; an equal view renders nothing.
    if (JSON.stringify(before) === JSON.stringify(account)) return
    if (account !== undefined && before !== undefined && before.owner !== account.owner) {
      store.set(forgetOwnerAtom, account)
    }
    store.set(accountAtom, account)
  }
  // The screens' feeds show the user that the database cannot be read.
  liveQuery(() => readAccountView(db)).subscribe({ next: show, error: reportError })
}

/**
 * One live query a table feeds the atoms of src/state/live-data.ts, which all cards share; the clock and the web worker's
 * summaries run beside them. Returns the function that ends them all. See docs/guides/first-route.md.
 */
function startLiveFeeds(store: Store, services: Services): () => void {
  const { db, now } = services.commands
  let end = () => undefined as void

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
    const tick = () => store.set(nowAtom, now())
    tick()
    const clock = setInterval(tick, CLOCK_STEP)
    const endSummaries = keepSummaries(store, services)
    const endHearing = listenForPatches(store, () => readAgain(store, db))
    end = () => {
      for (const feed of feeds) feed.unsubscribe()
      clearInterval(clock)
      endSummaries()
      endHearing()
    }
  }

  const retry = () => {
    end()
    start()
  }
  start()
  return () => end()
}

/** Runs the feeds while the component is mounted. */
export function useLiveFeeds(): void {
  const services = useServices()
  const store = useStore()
  useEffect(() => startLiveFeeds(store, services), [store, services])
}
