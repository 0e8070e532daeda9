import type { AlertRow } from '../../db/rows'
import { claimAlert } from '../../db/commands/claim-alert'
import type { LocalDatabase } from '../../db/database'
import { readPushBook } from '../../db/push-book'
import { alertNotification } from '../../domain/alert-notification'
import type { OwnerId } from '../../domain/ids'
import { pairTitle } from '../../domain/pair'
import type { Fired } from './check'

/** @param at milliseconds: when the crossing was seen */
export const alertRow = ({ eventId, widget, side, ratio, threshold }: Fired, owner: OwnerId, at: number): AlertRow => ({
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
export async function announce(db: LocalDatabase, row: AlertRow): Promise<void> {
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
  return Notification.permission === 'granted' && !(await readPushBook(db)).off
}
