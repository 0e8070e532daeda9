import { liveQuery } from 'dexie'
import { atom } from 'jotai'
import type { PairIds, PairSummary } from '../../workers/api'
import { MINUTE } from '../domain/granularity'
import type { CoinId } from '../domain/ids'
import type { PairStanding } from '../domain/standing'
import { boardAtom, historyUpdatedAtom, pairKey, pricesAtom, summariesAtom } from '../state/live-data'
import type { Services, Store } from '../state/services'

/** The pairs that show figures: inactive cards hide theirs. */
const shownPairsAtom = atom((get): readonly PairIds[] => {
  const pairs = new Map<string, PairIds>()
  for (const { coinA, coinB, isActive } of get(boardAtom)?.widgets ?? []) {
    if (isActive) pairs.set(pairKey({ coinA: coinA.id, coinB: coinB.id }), { coinA: coinA.id, coinB: coinB.id })
  }
  return [...pairs.values()]
})

/** Changes with the shown pairs, the coins that have a price, and the stored history: summaries are wanted at once. */
const basisAtom = atom((get) => {
  const prices = get(pricesAtom)?.prices
  const hasPrice = (coin: CoinId) => prices?.[coin] !== undefined
  const pairs = get(shownPairsAtom).map((pair) => [pairKey(pair), hasPrice(pair.coinA), hasPrice(pair.coinB)].join())
  return [get(historyUpdatedAtom), ...pairs].join(' ')
})

/** Milliseconds after which the last 24 hours have moved on enough to be summarised anew at an unchanged price. */
const DAY_PRECISION = 5 * MINUTE

/** Changes with the prices of the shown pairs, and as their day moves on. */
const shownPricesAtom = atom((get) => {
  const prices = get(pricesAtom)?.prices
  const priceOf = (coin: CoinId) => {
    const price = prices?.[coin]
    return price && `${price.usd}@${Math.floor(price.provider_time / DAY_PRECISION)}`
  }
  return get(shownPairsAtom)
    .flatMap(({ coinA, coinB }) => [priceOf(coinA), priceOf(coinB)])
    .join(' ')
})

const unknownSummary = (pair: PairIds): PairSummary => ({
  coinA: pair.coinA,
  coinB: pair.coinB,
  change24h: null,
  trend: null,
  sparkTimes: new Float64Array(0),
  spark: new Float64Array(0),
  standing: null,
})

const sameColumn = (a: Float64Array, b: Float64Array): boolean =>
  a.length === b.length && a.every((value, index) => Object.is(value, b[index]))

const sameStanding = (a: PairStanding | null, b: PairStanding | null): boolean =>
  a === null || b === null
    ? a === b
    : (Object.keys(a) as (keyof PairStanding)[]).every((figure) => Object.is(a[figure], b[figure]))

const sameSummary = (a: PairSummary, b: PairSummary): boolean =>
  a.change24h === b.change24h &&
  a.trend === b.trend &&
  sameStanding(a.standing, b.standing) &&
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
 * Milliseconds between two requests for changed prices alone. A stream changes prices every second, and the last day of
 * sixty pairs costs the web worker more than the second's prices cost the page.
 */
const SUMMARY_SPACING_MS = 20_000

/**
 * Keeps `summariesAtom` up to date from the web worker, one request at a time; changes meanwhile lead to one more request.
 * Another pair, newer history and newer daily closes are asked for at once, other prices with a spacing; a hidden page asks when it is seen
 * again. A failed request leaves the known summaries; a pair that never had one shows "n.a.". Returns the function that
 * ends it.
 */
export function keepSummaries(store: Store, services: Pick<Services, 'worker' | 'commands'>): () => void {
  const { now } = services.commands
  const stopping = new AbortController()
  const { signal } = stopping
  let isWanted = false
  let isRunning = false
  /** Milliseconds of the last request that was answered. */
  let answeredAt = -Infinity
  let pause: ReturnType<typeof setTimeout> | undefined
  let isOwed = false

  const askOnce = async (): Promise<void> => {
    const pairs = store.get(shownPairsAtom)
    if (pairs.length === 0) return
    const at = now()
    try {
      const answers = await services.worker().summaries(pairs, at)
      store.set(summariesAtom, mergeSummaries(store.get(summariesAtom), answers))
      answeredAt = at
    } catch (error) {
      reportError(error)
      const known = store.get(summariesAtom)
      const missing = pairs.filter((pair) => !known.has(pairKey(pair)))
      if (missing.length > 0) store.set(summariesAtom, mergeSummaries(known, missing.map(unknownSummary)))
    }
  }

  const ask = async (): Promise<void> => {
    clearTimeout(pause)
    pause = undefined
    isOwed = document.visibilityState !== 'visible'
    if (isOwed) return
    isWanted = true
    if (isRunning) return
    isRunning = true
    while (isWanted && !signal.aborted) {
      isWanted = false
      await askOnce()
    }
    isRunning = false
  }

  const askSpaced = (): void => {
    const since = now() - answeredAt
    // A clock that was set back makes no longer pause.
    if (since < 0 || since >= SUMMARY_SPACING_MS) void ask()
    else pause ??= setTimeout(() => void ask(), SUMMARY_SPACING_MS - since)
  }
  const becomeVisible = (): void => {
    if (isOwed) void ask()
  }

  // The first result is that of the stored closes, which the first request has read.
  let stored: string | null | undefined
  const closes = liveQuery(() =>
    services.commands.db.daily_closes
      .get('usd')
      .then((row) => (row === undefined ? null : `${row.etag} ${row.last_day}`)),
  ).subscribe({
    next: (version) => {
      if (stored !== undefined && stored !== version) void ask()
      stored = version
    },
    error: (error: unknown) => reportError(error),
  })

  const unfollow = [
    store.sub(basisAtom, () => void ask()),
    store.sub(shownPricesAtom, askSpaced),
    () => closes.unsubscribe(),
  ]
  document.addEventListener('visibilitychange', becomeVisible, { signal })
  void ask()
  return () => {
    stopping.abort()
    clearTimeout(pause)
    for (const end of unfollow) end()
  }
}
