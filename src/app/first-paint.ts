import { type LocalDatabase, readMeta, readPrices } from '../db/database'
import { readAccountView } from '../db/account'
import { readBoard } from '../db/view'
import { accountAtom } from '../state/account'
import { dashboardChoiceAtom } from '../state/dashboard-choice'
import { boardAtom, nowAtom, pricesAtom } from '../state/live-data'
import type { Store } from '../state/services'

/** Milliseconds for which the first paint waits; with a slower database the user sees skeletons. */
const FIRST_PAINT_TIMEOUT_MS = 250
/** The same if the page has painted Welcome already (html-frame-script.js): the browser creates the database first. */
const WELCOME_TIMEOUT_MS = 3_000

/**
 * Reads the dashboard's data before the first paint, which then shows the cards instead of skeletons. Resolves in any
 * case; the live queries report a database that cannot be read.
 * @param now milliseconds since 1970
 * @param isWelcomed true if the page has painted Welcome already
 */
export async function readFirstPaint(
  store: Store,
  db: LocalDatabase,
  now: () => number,
  isWelcomed: boolean,
): Promise<void> {
  const read = Promise.all([readAccountView(db), readBoard(db), readPrices(db), readMeta(db, 'dashboard')]).then(
    ([account, board, prices, choice]) => {
      // The live queries may have been faster; their data is never older.
      store.set(accountAtom, (known) => known ?? account)
      store.set(boardAtom, (known) => known ?? board)
      store.set(pricesAtom, (known) => known ?? prices)
      store.set(dashboardChoiceAtom, (known) => known ?? choice)
      store.set(nowAtom, now())
    },
  )
  const limit = isWelcomed ? WELCOME_TIMEOUT_MS : FIRST_PAINT_TIMEOUT_MS
  await Promise.race([
    read.catch(() => undefined),
    // Not `withTimeLimit`, whose module no other code of the first route loads.
    new Promise((resolve) => {
      setTimeout(resolve, limit)
    }),
  ])
}
