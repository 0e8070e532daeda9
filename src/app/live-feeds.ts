import { liveQuery } from 'dexie'
import { atom, useStore } from 'jotai'
import { useEffect } from 'react'
import type { PairIds, PairSummary } from '../../workers/api'
import { type AccountView, readAccountView } from '../db/account'
import { type LocalDatabase, readMeta, readPrices } from '../db/database'
import { readHistoryUpdated } from '../db/queries/history'
import { readBoard } from '../db/view'
import { toError } from '../domain/error-message'
import { MINUTE } from '../domain/granularity'
import type { CoinId } from '../domain/ids'
import { accountAtom, forgetOwnerAtom } from '../state/account'
import {
  boardAtom,
  feedFailureAtom,
  historyUpdatedAtom,
  nowAtom,
  pairKey,
  pricesAtom,
  summariesAtom,
  syncStateAtom,
} from '../state/live-data'
import { listenForPatches, readAgain, shareBoard } from '../state/optimistic-patches'
import { type Services, type Store, useServices } from '../state/services'
/** Milliseconds between two updates of `nowAtom`, on which ages depend. */
const CLOCK_INTERVAL = 2_000

/** Keeps `accountAtom` as long as the page lives: a sign-in or logout in one tab is one in all of them. */
export function followAccount(store: Store, db: LocalDatabase): void {
  const show = (account: AccountView | undefined) => {
    const before = store.get(accountAtom)
    // Every applied answer makes a new view; an equal one renders nothing.
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
    const clock = setInterval(tick, CLOCK_INTERVAL)
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

/** The pairs that show figures: inactive cards hide theirs. */
const shownPairsAtom = atom((get): readonly PairIds[] => {
  const pairs = new Map<string, PairIds>()
  for (const { coinA, coinB, isActive } of get(boardAtom)?.widgets ?? []) {
    if (isActive) pairs.set(pairKey({ coinA: coinA.id, coinB: coinB.id }), { coinA: coinA.id, coinB: coinB.id })
  }
  return [...pairs.values()]
})

/** Milliseconds after which the last 24 hours have moved on enough to be summarised anew at an unchanged price. */
const DAY_PRECISION = 5 * MINUTE

/** Changes whenever summaries may have: another pair, another price, newer history, a later day. */
const inputsAtom = atom((get) => {
  const prices = get(pricesAtom)?.prices
  const pairs = get(shownPairsAtom)
  const priceOf = (coin: CoinId) => {
    const price = prices?.[coin]
    return price && `${price.usd}@${Math.floor(price.provider_time / DAY_PRECISION)}`
  }
  const known = pairs.flatMap(({ coinA, coinB }) => [priceOf(coinA), priceOf(coinB)])
  return [get(historyUpdatedAtom), ...pairs.map(pairKey), ...known].join(' ')
})

const unknownSummary = (pair: PairIds): PairSummary => ({
  coinA: pair.coinA,
  coinB: pair.coinB,
  change24h: null,
  trend: null,
  sparkTimes: new Float64Array(0),
  spark: new Float64Array(0),
})

const sameColumn = (a: Float64Array, b: Float64Array): boolean =>
  a.length === b.length && a.every((value, index) => Object.is(value, b[index]))

const sameSummary = (a: PairSummary, b: PairSummary): boolean =>
  a.change24h === b.change24h &&
  a.trend === b.trend &&
  sameColumn(a.sparkTimes, b.sparkTimes) &&
  sameColumn(a.spark, b.spark)

/** `known` with the new answers; an equal summary keeps its identity, so that its card does not render. */
function mergeSummaries(known: ReadonlyMap<string, PairSummary>, answers: readonly PairSummary[]) {
  const merged = new Map(known)
  for (const answer of answers) {
    const before = known.get(pairKey(answer))
    if (before === undefined || !sameSummary(before, answer)) merged.set(pairKey(answer), answer)
  }
  return merged
}

/**
 * Keeps `summariesAtom` up to date from the web worker, one request at a time; changes meanwhile lead to one more request.
 * A failed request leaves the known summaries; a pair that never had one shows "n.a.". Returns the function that ends it.
 */
function keepSummaries(store: Store, services: Services): () => void {
  const state = { stopped: false, wanted: false, running: false }

  const askOnce = async (): Promise<void> => {
    const pairs = store.get(shownPairsAtom)
    if (pairs.length === 0) return
    try {
      const answers = await services.worker().summaries(pairs, services.commands.now())
      store.set(summariesAtom, mergeSummaries(store.get(summariesAtom), answers))
    } catch (error) {
      reportError(error)
      const known = store.get(summariesAtom)
      const missing = pairs.filter((pair) => !known.has(pairKey(pair)))
      if (missing.length > 0) store.set(summariesAtom, mergeSummaries(known, missing.map(unknownSummary)))
    }
  }

  const run = async (): Promise<void> => {
    state.wanted = true
    if (state.running) return
    state.running = true
    while (state.wanted && !state.stopped) {
      state.wanted = false
      await askOnce()
    }
    state.running = false
  }

  const start = () => void run()
  const unsubscribe = store.sub(inputsAtom, start)
  start()
  return () => {
    state.stopped = true
    unsubscribe()
  }
}
