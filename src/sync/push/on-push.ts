import { type AlertMessage, alertMessage, type DigestMessage, digestMessage } from '../../contract/alerts'
import { acceptPush, alertOfPush } from '../../db/answers/accept-alerts'
import type { LocalDatabase } from '../../db/database'
import type { AlertRow } from '../../db/rows'
import {
  type AlertNotification,
  alertNotification,
  digestNotification,
  neutralNotification,
} from '../../domain/alert-notification'
import { toError } from '../../domain/error-message'
import type { OwnerId } from '../../domain/ids'
import { inTime } from '../in-time'
import { base64url } from './device'

/** A push names its owner by SHA-256, base64url, so that the push service and the notification learn no id. */
export async function ownerHash(owner: OwnerId): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(owner))
  return base64url(new Uint8Array(digest))
}

/** Milliseconds for each step in the local database, which a tab with an older version may keep from opening. */
const PUSH_DATABASE_TIMEOUT_MS = 3_000
const NO_DATABASE = 'The local database did not answer a push in time.'

/**
 * Shows a notification for every push, as browsers demand (W3C Push API, userVisibleOnly), even if storing fails. A
 * crossing that a page has announced, or that fires in a pause, is shown without a sound; the notification of another owner's crossing, or of one
 * that cannot be read, is neutral.
 * @param text undefined: the push carried nothing
 * @param now milliseconds
 * @param confirm tells the server that the notification is shown
 */
export async function onPush(
  db: LocalDatabase,
  show: (notification: AlertNotification) => Promise<void>,
  text: string | undefined,
  now: number,
  confirm: (eventIds: readonly string[]) => Promise<void>,
): Promise<void> {
  const message = readMessage(text)
  if (message === null) {
    await show(neutralNotification('unreadable', now))
    return confirm([])
  }
  const { notification, failure } = await storePush(db, message, now)
  await show(notification)
  if (failure !== null) throw failure
  await confirm(alertsOf(message).map(({ event_id }) => event_id))
}

const alertsOf = (message: AlertMessage | DigestMessage) => (message.type === 'alert' ? [message] : message.alerts)

interface StoredPush {
  readonly notification: AlertNotification
  /** Why storing failed, or took too long; null: it is stored. */
  readonly failure: Error | null
}

/** Stores a push and returns its notification; never rejects. */
async function storePush(db: LocalDatabase, message: AlertMessage | DigestMessage, now: number): Promise<StoredPush> {
  const alerts = alertsOf(message)
  const { event_id, crossed_at } = alerts.at(-1)!
  const foreign = { notification: neutralNotification(event_id, Date.parse(crossed_at)), failure: null }
  let unstored = foreign.notification
  try {
    const owner = await inTime(ownerNow(db), PUSH_DATABASE_TIMEOUT_MS, NO_DATABASE)
    if (owner === undefined || (await ownerHash(owner)) !== message.owner) return foreign
    const shownAs = (rows: readonly AlertRow[], silent: boolean, canSnooze = false) =>
      message.type === 'digest'
        ? digestNotification(rows, message.count, silent)
        : alertNotification({ ...rows[0]!, since_checkpoint: message.since_checkpoint }, now, silent, canSnooze)
    unstored = shownAs(
      alerts.map((alert) => alertOfPush(alert, owner, 0)),
      false,
    )
    const accepted = await inTime(acceptPush(db, alerts, owner, now), PUSH_DATABASE_TIMEOUT_MS, NO_DATABASE)
    if (accepted === null) return foreign
    const { claims, paused, canSnooze } = accepted
    const silent = paused || claims.every(({ isFirst }) => !isFirst)
    const rows = claims.map(({ alert }) => alert)
    return { ...foreign, notification: shownAs(rows, silent, canSnooze) }
  } catch (error) {
    return { notification: unstored, failure: toError(error) }
  }
}

const ownerNow = async (db: LocalDatabase): Promise<OwnerId | undefined> => (await db.session.get('current'))?.owner

function readMessage(text: string | undefined): AlertMessage | DigestMessage | null {
  try {
    const message = JSON.parse(text ?? '')
    return message.type === 'digest' ? digestMessage.parse(message) : alertMessage.parse(message)
  } catch {
    return null
  }
}
