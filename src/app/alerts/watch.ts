import { liveQuery } from 'dexie'
import type { CommandContext } from '../../db/command'
import { claimAlert } from '../../db/commands/alerts'
import type { LocalDatabase } from '../../db/database'
import { readPushRegistration } from '../../db/push-registration'
import { readAlerts } from '../../db/queries/alerts'
import { type BoardView, readBoard } from '../../db/view'
import { readPrices } from '../../db/queries/meta'
import type { AlertRow, PricesRow } from '../../db/rows'
import { alertNotification, alertSentence } from '../../domain/alert-notification'
import type { OwnerId } from '../../domain/ids'
import { pairTitle } from '../../domain/pair'
import { localEpochsAtom } from '../../state/local-epochs'
import type { Store } from '../../state/services'
import { showToastAtom } from '../../state/toasts'
import { checkBoard, type FiredSide, type NewestEpochs, newestEpochs } from './check'

/** @param at milliseconds: when the crossing was seen */
const alertRow = ({ eventId, widget, side, ratio, threshold }: FiredSide, owner: OwnerId, at: number): AlertRow => ({
  event_id: eventId,
  owner,
  widget_id: widget.id,
  coin_a_id: widget.coinA.id,
  coin_b_id: widget.coinB.id,
  pair: pairTitle(widget),
  side,
  ratio,
  threshold,
  at,
  by: 'app',
  toasted: false,
  seen_at: null,
  rearm_later: false,
})

/**
 * Tells of a crossing that this page has seen, unless another tab or a push has told of it already. The toast is whoever's
 * page is looked at. Resolves when the notification is there, where there is to be one.
 * @throws where it could not be noted, such as with a full disk; it is shown all the same, by each tab under the same tag
 */
async function announce(db: LocalDatabase, row: AlertRow): Promise<void> {
  try {
    if (!(await claimAlert(db, row))) return
  } catch (error) {
    await notify(db, row)
    throw error
  }
  await notify(db, row)
}

async function notify(db: LocalDatabase, row: AlertRow): Promise<void> {
  if (!(await mayNotify(db))) return
  const registration = await navigator.serviceWorker.getRegistration()
  const { title, options } = alertNotification(row, row.at)
  await registration?.showNotification(title, options)
}

/** The browser permits it, and the user has not switched notifications off on this device. */
async function mayNotify(db: LocalDatabase): Promise<boolean> {
  if (!('serviceWorker' in navigator) || !('Notification' in window)) return false
  return Notification.permission === 'granted' && !(await readPushRegistration(db)).off
}

/** Milliseconds between two looks at the thresholds. */
const STEP = 2_000

interface Known {
  board?: BoardView | undefined
  prices?: PricesRow | undefined
  told?: NewestEpochs
}

/**
 * Looks at every pair with alerts as long as the page lives, whatever screen is shown, and tells of what has crossed. By
 * queries of its own: a screen's end with it. Returns the function that ends it.
 */
export function watchAlerts(store: Store, { db, now }: Pick<CommandContext, 'db' | 'now'>): () => void {
  const known: Known = {}
  const tell = (row: AlertRow) =>
    announce(db, row).catch((error: unknown) => {
      reportError(error)
      // A crossing that could not be stored has no row for a toast to come from.
      store.set(showToastAtom, { kind: 'alert', message: alertSentence(row) })
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
    const { epochs: arming, fired } = checkBoard(store.get(localEpochsAtom), sight)
    store.set(localEpochsAtom, arming)
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
      (alerts) => (known.told = newestEpochs(alerts)),
    ),
  ]

  const clock = setInterval(look, STEP)

  return () => {
    for (const feed of feeds) feed.unsubscribe()
    clearInterval(clock)
  }
}
