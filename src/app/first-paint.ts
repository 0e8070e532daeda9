import type { createStore } from 'jotai'
import type { LocalDatabase } from '../db/database'
import { readAccountView } from '../db/queries/account'
import { readBoard } from '../db/queries/board'
import { readMeta } from '../db/queries/meta'
import { readPrices } from '../db/queries/prices'
import { accountAtom } from '../state/account'
import { dashboardChoiceAtom } from '../state/dashboard-choice'
import { boardAtom, nowAtom, pricesAtom } from '../state/live-data'

/** Milliseconds the first paint waits at most; a slower database is worth a skeleton. */
const PATIENCE = 250
/** The same where the page has painted Welcome already (html-frame-script.js): a database that is made takes longer. */
const PATIENCE_OF_NEWCOMERS = 3_000

/**
 * Reads what the dashboard shows before anything is drawn: the first paint then has the cards in it, instead of
 * skeletons that give way to them a moment later. Ends in any case; a database that cannot be read is reported by
 * whoever needs it.
 * @param now milliseconds since 1970
 * @param isWelcomed true if the page has painted Welcome already
 */
export async function readFirstPaint(
  store: ReturnType<typeof createStore>,
  db: LocalDatabase,
  now: () => number,
  isWelcomed: boolean,
): Promise<void> {
  const read = Promise.all([readAccountView(db), readBoard(db), readPrices(db), readMeta(db, 'dashboard')]).then(
    ([account, board, prices, choice]) => {
      // The live queries may have been faster; theirs is never older.
      store.set(accountAtom, (known) => known ?? account)
      store.set(boardAtom, (known) => known ?? board)
      store.set(pricesAtom, (known) => known ?? prices)
      store.set(dashboardChoiceAtom, (known) => known ?? choice)
      store.set(nowAtom, now())
    },
  )
  await Promise.race([
    read.catch(() => undefined),
    new Promise((resolve) => {
      setTimeout(resolve, isWelcomed ? PATIENCE_OF_NEWCOMERS : PATIENCE)
    }),
  ])
}
