import { type AlertMessage, alertMessage } from '../../contract/push'
import { acceptPush, alertOfPush } from '../../db/answers/accept-alerts'
import type { LocalDatabase } from '../../db/database'
import { type AlertNotification, alertNotification, neutralNotification } from '../../domain/alert-notification'
import { toError } from '../../domain/error-message'
import type { OwnerId } from '../../domain/ids'
import { inTime } from '../in-time'
import { base64url } from './device'

/** How a push names its owner: SHA-256, base64url. The push service and the notification learn no id. */
export async function ownerHash(owner: OwnerId): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(owner))
  return base64url(new Uint8Array(digest))
}

/** Effects of a push handler. */
export interface Announcer {
  readonly show: (notification: AlertNotification) => Promise<void>
  /** Takes notifications of these tags away. */
  readonly close: (tags: readonly string[]) => Promise<void>
}

/** The tag of what cannot be read. */
const UNREADABLE = 'unreadable'
/** Milliseconds for each step in the local database, which opens only when a tab with an older version lets it. */
export const DATABASE_TIMEOUT_MS = 3_000
const NO_DATABASE = 'The local database did not answer a push in time.'

/**
 * Shows a notification for every push, as browsers demand (W3C Push API, userVisibleOnly), whatever becomes of storing
 * it. A crossing that a page has announced is shown without a sound; one that is somebody else's, or cannot be read,
 * tells nothing.
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
  const { notification, formerNames, failure } = await bringHome(db, message, now)
  await show(notification)
  await close(formerNames)
  if (failure !== null) throw failure
}

interface Told {
  readonly notification: AlertNotification
  readonly formerNames: readonly string[]
  /** Why it could not be stored, or not in time; null: it is. */
  readonly failure: Error | null
}

/** Stores a push and says what is to be shown of it; never rejects. */
async function bringHome(db: LocalDatabase, message: AlertMessage, now: number): Promise<Told> {
  const neutral = neutralNotification(message.event_id, Date.parse(message.crossed_at))
  const told: Told = { notification: neutral, formerNames: [], failure: null }
  let unstored = neutral
  try {
    const owner = await inTime(ownerNow(db), DATABASE_TIMEOUT_MS, NO_DATABASE)
    if (owner === undefined || (await ownerHash(owner)) !== message.owner) return told
    unstored = alertNotification(alertOfPush(message, owner, 0), now)
    const claim = await inTime(acceptPush(db, message, owner), DATABASE_TIMEOUT_MS, NO_DATABASE)
    if (claim === null) return told
    const { alert, isFirst, formerNames } = claim
    return { ...told, notification: alertNotification(alert, now, !isFirst), formerNames }
  } catch (error) {
    const failure = toError(error)
    return { notification: unstored, formerNames: [], failure }
  }
}

const ownerNow = async (db: LocalDatabase): Promise<OwnerId | undefined> => (await db.session.get('current'))?.owner

function readMessage(text: string | undefined): AlertMessage | null {
  try {
    return alertMessage.parse(JSON.parse(text ?? ''))
  } catch {
    return null
  }
}
