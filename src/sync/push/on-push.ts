import { type AlertMessage, alertMessage } from '../../contract/push'
import { acceptPush, alertOfPush } from '../../db/answers/accept-push'
import type { LocalDatabase } from '../../db/database'
import { type AlertNotification, alertNotification, neutralNotification } from '../../domain/alert-notification'
import { ownerHash } from './owner-hash'

/** What a push handler does to the outside. */
export interface Announcer {
  readonly show: (notification: AlertNotification) => Promise<void>
  /** Takes notifications of these tags away. */
  readonly close: (tags: readonly string[]) => Promise<void>
}

/** The tag of what cannot be read. */
const UNREADABLE = 'unreadable'

/**
 * Shows a notification for every push, as browsers demand (W3C Push API, userVisibleOnly). A crossing that a page has
 * announced is shown without a sound; one that is somebody else's, or cannot be read, tells nothing.
 * @param text undefined: the push carried nothing
 * @param now milliseconds
 */
export async function onPush(
  db: LocalDatabase,
  { show, close }: Announcer,
  text: string | undefined,
  now: number,
): Promise<void> {
  const message = readMessage(text)
  if (message === null) return show(neutralNotification(UNREADABLE, now))
  const owner = (await db.session.get('current'))?.owner
  if (owner === undefined || (await ownerHash(owner)) !== message.owner) {
    return show(neutralNotification(message.event_id, Date.parse(message.crossed_at)))
  }
  try {
    const claim = await acceptPush(db, message, owner)
    if (claim === null) return await show(neutralNotification(message.event_id, Date.parse(message.crossed_at)))
    await close(claim.formerNames)
    await show(alertNotification(claim.alert, now, !claim.isFirst))
  } catch (error) {
    // What cannot be stored is told all the same.
    await show(alertNotification(alertOfPush(message, owner), now))
    throw error
  }
}

function readMessage(text: string | undefined): AlertMessage | null {
  try {
    return alertMessage.parse(JSON.parse(text ?? ''))
  } catch {
    return null
  }
}
