import { liveQuery } from 'dexie'
import type { Atom } from 'jotai'
import type { CommandContext } from '../../db/command'
import { claimAlert } from '../../db/commands/alerts'
import { type LocalDatabase, readPrices } from '../../db/database'
import { readPushRegistration } from '../../db/push-registration'
import { readAlerts } from '../../db/queries/alerts'
import type { BoardView } from '../../db/view'
import { readBoard } from '../../db/board-rows'
import type { AlertRow, PricesRow } from '../../db/rows'
import { alertNotification, alertSentence } from '../../domain/alert-notification'
import type { OwnerId } from '../../domain/ids'
import { pairTitle } from '../../domain/pair'
import { boardAtom, boardFeedsAtom, priceFeedsAtom, pricesAtom } from '../../state/live-data'
import { localEpochsAtom } from '../../state/local-epochs'
import type { Store } from '../../state/services'
import { showToastAtom } from '../../state/toasts'
import { whileVisible } from '../while-visible'
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
 * Notifies of a crossing that this page has seen, unless another tab or a push has claimed the crossing. The toast is shown by
 * the visible page. Resolves when the notification, if there is to be one, is shown.
 * @throws if the crossing could not be stored, such as with a full disk; each tab then notifies under the same tag
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

/** The browser permits notifications, and the user has not switched them off on this device. */
async function mayNotify(db: LocalDatabase): Promise<boolean> {
  if (!('serviceWorker' in navigator) || !('Notification' in window)) return false
  return Notification.permission === 'granted' && !(await readPushRegistration(db)).off
}

/** Milliseconds between two checks of a visible page by the clock, as prices grow too old. */
const CHECK_INTERVAL = 2_000

/**
 * Checks every pair with alerts as long as the page lives, on every screen, and announces crossings. The live queries are
 * its own while no screen feeds the same data: a screen's end with the screen. Returns the function that ends the checks.
 */
export function watchAlerts(store: Store, { db, now }: Pick<CommandContext, 'db' | 'now'>): () => void {
  let board: BoardView | undefined
  let prices: PricesRow | undefined
  let newest: NewestEpochs | undefined
  const check = () => {
    if (board === undefined || newest === undefined) return
    const at = now()
    const { owner, widgets } = board
    const { epochs, fired } = checkBoard(store.get(localEpochsAtom), {
      widgets,
      prices: prices?.prices ?? {},
      polledAt: prices?.polled_at ?? 0,
      newest,
      now: at,
    })
    store.set(localEpochsAtom, epochs)
    for (const side of fired) {
      const row = alertRow(side, owner, at)
      announce(db, row).catch((error: unknown) => {
        reportError(error)
        // A crossing that could not be stored has no row for a toast to come from.
        store.set(showToastAtom, { kind: 'alert', message: alertSentence(row) })
      })
    }
  }
  // A change is checked at once, since its order decides what fires.
  const checked =
    <T>(put: (value: T) => void) =>
    (value: T) => {
      put(value)
      check()
    }
  const putBoard = checked((value: BoardView | undefined) => (board = value))
  const putPrices = checked((value: PricesRow | undefined) => (prices = value))
  const ends = [
    followFeed(store, boardFeedsAtom, boardAtom, () => readBoard(db), putBoard),
    followFeed(store, priceFeedsAtom, pricesAtom, () => readPrices(db), putPrices),
    follow(
      () => readAlerts(db),
      checked((value) => (newest = newestEpochs(value))),
    ),
  ]
  // A hidden page has no clock. Prices, which other tabs and the service worker store, are still checked as they come.
  const endClock = whileVisible(() => {
    const clock = setInterval(check, CHECK_INTERVAL)
    return () => clearInterval(clock)
  })
  return () => {
    for (const end of ends) end()
    endClock()
  }
}

/** Calls back with each result of the query. Returns the function that ends it. */
function follow<T>(query: () => Promise<T>, put: (value: T) => void): () => void {
  const following = liveQuery(query).subscribe({ next: put, error: (error) => reportError(error) })
  return () => following.unsubscribe()
}

/**
 * Takes what a screen's feed reads, since a second read would delay what the screen shows, and follows the query itself
 * while no screen does. Returns the function that ends it.
 */
function followFeed<T>(
  store: Store,
  feedsAtom: Atom<number>,
  feed: Atom<T>,
  query: () => Promise<T>,
  put: (value: T) => void,
): () => void {
  let end = (): void => undefined
  let isKnown = false
  const take = (value: T) => {
    isKnown = value !== undefined
    put(value)
  }
  const choose = () => {
    end()
    if (store.get(feedsAtom) === 0) {
      end = follow(query, take)
      return
    }
    const takeNewest = () => take(store.get(feed))
    end = store.sub(feed, takeNewest)
    // A feed that begins still has what an earlier screen read last: older than what is known here.
    if (!isKnown) takeNewest()
  }
  choose()
  const unfollow = store.sub(feedsAtom, choose)
  return () => {
    unfollow()
    end()
  }
}
