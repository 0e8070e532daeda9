import { atom } from 'jotai'
import type { PairIds, RadarAnswer } from '../../../workers/api'
import type { Coin } from '../../contract/market'
import { readCoins } from '../../db/database'
import { type BoardView, coinView } from '../../db/view'
import { messageOf } from '../../domain/error-message'
import type { CoinId, OwnerId } from '../../domain/ids'
import { radarCoins } from '../../domain/tier-limits'
import { keepFresh } from '../../state/keep-fresh'
import { steadyAtom } from '../../state/keep-identity'
import { boardAtom, pricesAtom } from '../../state/live-data'
import type { Services, Store } from '../../state/services'
import { marketOf, type RadarMarket } from './radar-market'

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
const basisAtom = steadyAtom((get) => {
  const board = get(boardAtom)
  return board && [board.owner, radarCoins(board.limits), ...ownPairs(board)]
})

/** Changes with the prices of the own coins. */
const ownPricesAtom = steadyAtom((get) => {
  const board = get(boardAtom)
  const prices = get(pricesAtom)?.prices
  return board && ownCoins(ownPairs(board)).map((coin) => prices?.[coin]?.usd)
})

/**
 * Keeps `radarAtom` up to date while Radar is open: another matrix and other pairs are asked for at once, other prices with
 * a spacing. Returns the function that ends it.
 */
export function keepRadar(store: Store, services: Pick<Services, 'worker' | 'commands'>): () => void {
  const ask = async (signal: AbortSignal): Promise<void> => {
    const board = store.get(boardAtom)
    if (board === undefined) return
    const { owner } = board
    const pairs = ownPairs(board)
    try {
      const request = { ranked: radarCoins(board.limits), own: ownCoins(pairs) }
      const [answer, list] = await Promise.all([
        services.worker().radar(request, services.commands.now()),
        readCoins(services.commands.db),
      ])
      if (!signal.aborted) store.set(radarAtom, { owner, ...dataOf(answer, list?.coins ?? [], pairs) })
    } catch (error) {
      reportError(error)
      const known = store.get(radarAtom)
      // Figures that were true a moment ago stay.
      if (known?.kind === 'ready' && known.owner === owner) return
      if (!signal.aborted) store.set(radarAtom, { owner, kind: 'failed', message: messageOf(error) })
    }
  }
  return keepFresh(store, services.commands, { basis: basisAtom, prices: ownPricesAtom, ask })
}

function dataOf(answer: RadarAnswer, coins: readonly Coin[], own: readonly PairIds[]) {
  if (answer.kind === 'none') return answer
  const known = new Map(coins.map((coin) => [coin.id, coin]))
  const labels = answer.coins.map((id) => coinView(id, known.get(id)))
  return { kind: 'ready', market: marketOf(answer, labels, own) } as const
}
