import { accountViewOf } from '../db/account'
import { type FirstRead, type FirstRows, readFirstRows } from '../db/first-rows'
import type { SessionRow } from '../db/rows'
import { snapshotOf } from '../db/snapshot'
import { boardOf } from '../db/view'
import { accountAtom } from '../state/account'
import { dashboardChoiceAtom } from '../state/dashboard-choice'
import { boardAtom, nowAtom, pricesAtom } from '../state/live-data'
import { pushDeclinedAtom, pushStateAtom } from '../state/push'
import { configAtom, tierLimitsAtom } from '../state/server-settings'
import type { Store } from '../state/services'
import { pushStateAtOnce } from './push/push-state'

/** Milliseconds for which the first paint waits; with a slower database the user sees skeletons. */
const FIRST_PAINT_TIMEOUT_MS = 250
/** The same if the page has painted Welcome already (html-frame-script.js): the browser looks for the database first. */
const WELCOME_TIMEOUT_MS = 3_000

interface FirstPaintOptions {
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Of the guest who is stored if this is the browser's first visit. */
  readonly guest: SessionRow
  /** The page has painted Welcome already. */
  readonly isWelcomed: boolean
  readonly read?: () => Promise<FirstRead>
}

/**
 * Reads the dashboard's data before the first paint, which then shows the cards instead of skeletons. Resolves in any
 * case; the live queries report a database that cannot be read.
 */
export async function readFirstPaint(
  store: Store,
  { now, guest, isWelcomed, read = readFirstRows }: FirstPaintOptions,
): Promise<void> {
  const show = async () => {
    const found = await read()
    if (found.kind !== 'other-version') put(store, found.kind === 'rows' ? found.rows : { ...NOTHING, session: guest })
    store.set(nowAtom, now())
  }
  await Promise.race([
    show().catch(reportError),
    // Not `withTimeLimit`, whose module no other code of the first route loads.
    new Promise((resolve) => {
      setTimeout(resolve, isWelcomed ? WELCOME_TIMEOUT_MS : FIRST_PAINT_TIMEOUT_MS)
    }),
  ])
}

const NOTHING: FirstRows = {
  session: undefined,
  owners: [],
  widgets: [],
  checkpoints: [],
  outbox: [],
  ids: [],
  prices: undefined,
  tiers: undefined,
  coins: undefined,
  policies: undefined,
  config: undefined,
  choice: undefined,
  push: undefined,
}

/** Data of a live query that was faster stay: they are never older. */
function put(store: Store, rows: FirstRows): void {
  const snapshot = snapshotOf(rows)
  if (snapshot !== undefined) {
    const { session, owner } = snapshot
    const syncState = rows.owners.find((one) => one.owner === owner)
    const account = accountViewOf({ session, syncState, policies: rows.policies?.policies ?? null })
    store.set(accountAtom, (known) => known ?? account)
    store.set(boardAtom, (known) => known ?? boardOf(snapshot))
  }
  store.set(pricesAtom, (known) => known ?? rows.prices)
  store.set(dashboardChoiceAtom, (known) => known ?? rows.choice)
  store.set(configAtom, (known) => known ?? rows.config?.config)
  store.set(tierLimitsAtom, (known) => known ?? rows.tiers?.limits)
  const off = rows.push?.off ?? false
  store.set(pushDeclinedAtom, (known) => known ?? off)
  store.set(pushStateAtom, (known) => known ?? pushStateAtOnce(store, off))
}
