import { liveQuery } from 'dexie'
import { atom } from 'jotai'
import type { PairIds, RadarAnswer } from '../../../workers/api'
import type { Coin } from '../../contract/market'
import { readCoins } from '../../db/database'
import { type BoardView, coinView } from '../../db/view'
import { messageOf } from '../../domain/error-message'
import type { CoinId, OwnerId } from '../../domain/ids'
import { radarCoins } from '../../domain/tier-limits'
import { boardAtom, pricesAtom } from '../../state/live-data'
import type { Services, Store } from '../../state/services'
import { marketOf, type RadarMarket } from './radar-pairs'

/** Radar's newest answer, and the user that it is for. */
export type RadarData = { readonly owner: OwnerId } & (
  | { readonly kind: 'ready'; readonly market: RadarMarket }
  /** No daily closes are stored. */
  | { readonly kind: 'none' }
  | { readonly kind: 'failed'; readonly message: string }
)

/** The newest answer; kept between screens, so that coming back from a pair paints at once. */
export const radarAtom = atom<RadarData | undefined>(undefined)

const ownPairs = (board: BoardView): readonly PairIds[] =>
  board.widgets.map(({ coinA, coinB }) => ({ coinA: coinA.id, coinB: coinB.id }))

const ownCoins = (pairs: readonly PairIds[]): readonly CoinId[] => [
  ...new Set(pairs.flatMap(({ coinA, coinB }) => [coinA, coinB])),
]

/** Changes with the user, the tier and the own pairs: new statistics are wanted at once. */
const basisAtom = atom((get) => {
  const board = get(boardAtom)
  if (board === undefined) return null
  const pairs = ownPairs(board).map(({ coinA, coinB }) => `${coinA}/${coinB}`)
  return [board.owner, radarCoins(board.limits), ...pairs].join(' ')
})

/** Changes with the prices of the own coins. */
const ownPricesAtom = atom((get) => {
  const board = get(boardAtom)
  const prices = get(pricesAtom)?.prices
  return (
    board &&
    ownCoins(ownPairs(board))
      .map((coin) => prices?.[coin]?.usd)
      .join()
  )
})

/** Milliseconds between two requests for changed prices alone: a stream changes them every second. */
const PRICE_SPACING_MS = 20_000

/**
 * Keeps `radarAtom` up to date while Radar is open, one request at a time: another matrix and other pairs are asked for at
 * once, other prices with a spacing; a hidden page asks when the user looks again. Returns the function that ends it.
 */
export function keepRadar(store: Store, services: Pick<Services, 'worker' | 'commands'>): () => void {
  const { db, now } = services.commands
  const stopping = new AbortController()
  const { signal } = stopping
  let isWanted = false
  let isRunning = false
  let isOwed = false
  let isFollowing = false
  let stored: string | undefined
  /** Milliseconds of the last request. */
  let askedAt = -Infinity
  let pause: ReturnType<typeof setTimeout> | undefined

  const askOnce = async (): Promise<void> => {
    const board = store.get(boardAtom)
    if (board === undefined) return
    const { owner } = board
    const pairs = ownPairs(board)
    askedAt = now()
    try {
      const request = { ranked: radarCoins(board.limits), own: ownCoins(pairs) }
      const [answer, list] = await Promise.all([services.worker().radar(request), readCoins(db)])
      if (!signal.aborted) store.set(radarAtom, { owner, ...dataOf(answer, list?.coins ?? [], pairs) })
    } catch (error) {
      reportError(error)
      const known = store.get(radarAtom)
      // Figures that were true a moment ago stay.
      if (known?.kind === 'ready' && known.owner === owner) return
      if (!signal.aborted) store.set(radarAtom, { owner, kind: 'failed', message: messageOf(error) })
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
    const since = now() - askedAt
    // A clock that was set back makes no longer pause.
    if (since < 0 || since >= PRICE_SPACING_MS) void ask()
    else pause ??= setTimeout(() => void ask(), PRICE_SPACING_MS - since)
  }

  const matrix = liveQuery(async () => {
    const row = await db.daily_closes.get('usd')
    return row && [row.source, row.last_day, row.etag, row.fetched_at].join(' ')
  }).subscribe(
    (version) => {
      // The first is the matrix that the first request reads.
      if (isFollowing && version !== stored) void ask()
      isFollowing = true
      stored = version
    },
    (error: unknown) => reportError(error),
  )
  const unfollow = [store.sub(basisAtom, () => void ask()), store.sub(ownPricesAtom, askSpaced)]
  document.addEventListener('visibilitychange', () => isOwed && void ask(), { signal })
  void ask()
  return () => {
    stopping.abort()
    clearTimeout(pause)
    matrix.unsubscribe()
    for (const end of unfollow) end()
  }
}

function dataOf(answer: RadarAnswer, coins: readonly Coin[], own: readonly PairIds[]) {
  if (answer.kind === 'none') return answer
  const known = new Map(coins.map((coin) => [coin.id, coin]))
  const labels = answer.coins.map((id) => coinView(id, known.get(id)))
  return { kind: 'ready', market: marketOf(answer, labels, own) } as const
}
