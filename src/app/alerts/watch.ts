import { liveQuery } from 'dexie'
import type { createStore } from 'jotai'
import type { CommandContext } from '../../db/command'
import { readAlerts } from '../../db/queries/alerts'
import { readBoard } from '../../db/queries/board'
import { readPrices } from '../../db/queries/prices'
import type { AlertRow, PricesRow } from '../../db/rows'
import type { BoardView } from '../../db/view'
import { alertSentence } from '../../domain/alert-words'
import { localArmingAtom } from '../../state/local-arming'
import { showToastAtom } from '../../state/toasts'
import { alertRow, announce } from './announce'
import { checkBoard, type Told, toldOf } from './check'

/** Milliseconds between two looks at the thresholds. */
const STEP = 2_000

interface Known {
  board?: BoardView | undefined
  prices?: PricesRow | undefined
  told?: Told
}

/**
 * Looks at every pair with alerts as long as the page lives, whatever screen is shown, and tells of what has crossed. By
 * queries of its own: a screen's end with it. Returns the function that ends it.
 */
export function watchAlerts(
  store: ReturnType<typeof createStore>,
  { db, now }: Pick<CommandContext, 'db' | 'now'>,
): () => void {
  const known: Known = {}
  const tell = (row: AlertRow) =>
    announce(db, row).catch((error: unknown) => {
      reportError(error)
      // What could not be noted has no row for a toast to come from.
      store.set(showToastAtom, { type: 'alert', message: alertSentence(row) })
    })
  const look = () => {
    const { board, prices, told } = known
    if (board === undefined || told === undefined) return
    const at = now()
    const sight = {
      widgets: board.widgets,
      prices: prices?.prices ?? {},
      polledAt: prices?.polled_at ?? 0,
      told,
      now: at,
    }
    const { arming, fired } = checkBoard(store.get(localArmingAtom), sight)
    store.set(localArmingAtom, arming)
    for (const one of fired) void tell(alertRow(one, board.owner, at))
  }
  // At once when something has changed, since what is judged depends on what came first; by the clock as prices grow old.
  const follow = <T>(query: () => Promise<T>, put: (value: T) => void) =>
    liveQuery(query).subscribe({
      next(value) {
        put(value)
        look()
      },
      error: (error) => reportError(error),
    })
  const feeds = [
    follow(
      () => readBoard(db),
      (board) => (known.board = board),
    ),
    follow(
      () => readPrices(db),
      (prices) => (known.prices = prices),
    ),
    follow(
      () => readAlerts(db),
      (alerts) => (known.told = toldOf(alerts)),
    ),
  ]

  const clock = setInterval(look, STEP)

  return () => {
    for (const feed of feeds) feed.unsubscribe()
    clearInterval(clock)
  }
}
