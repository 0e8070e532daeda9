import { type AlertMessage, alertMessage } from '../../contract/alerts'
import { acceptPush, alertOfPush } from '../../db/answers/accept-alerts'
import { putAway, putOffRearming } from '../../db/commands/alerts'
import type { LocalDatabase } from '../../db/database'
import {
  type AlertData,
  type AlertNotification,
  alertNotification,
  neutralNotification,
  REARM_LATER,
} from '../../domain/alert-notification'
import { toError } from '../../domain/error-message'
import type { OwnerId, WidgetId } from '../../domain/ids'
import { chartPath } from '../../domain/pair'
import { inTime } from '../in-time'
import type { PageRequest } from '../protocol'
import { base64url } from './device'

/** A push names its owner by SHA-256, base64url, so that the push service and the notification learn no id. */
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

/** Milliseconds for each step in the local database, which a tab with an older version may keep from opening. */
export const PUSH_DATABASE_TIMEOUT_MS = 3_000
const NO_DATABASE = 'The local database did not answer a push in time.'

/**
 * Shows a notification for every push, as browsers demand (W3C Push API, userVisibleOnly), even if storing fails. A
 * crossing that a page has announced is shown without a sound; the notification of another owner's crossing, or of one
 * that cannot be read, is neutral.
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
  if (message === null) return show(neutralNotification('unreadable', now))
  const { notification, formerNames, failure } = await storePush(db, message, now)
  await show(notification)
  await close(formerNames)
  if (failure !== null) throw failure
}

interface StoredPush {
  readonly notification: AlertNotification
  readonly formerNames: readonly string[]
  /** Why storing failed, or took too long; null: it is stored. */
  readonly failure: Error | null
}

/** Stores a push and returns its notification; never rejects. */
async function storePush(db: LocalDatabase, message: AlertMessage, now: number): Promise<StoredPush> {
  const crossedAt = Date.parse(message.crossed_at)
  const foreign = { notification: neutralNotification(message.event_id, crossedAt), formerNames: [], failure: null }
  let unstored = foreign.notification
  try {
    const owner = await inTime(ownerNow(db), PUSH_DATABASE_TIMEOUT_MS, NO_DATABASE)
    if (owner === undefined || (await ownerHash(owner)) !== message.owner) return foreign
    unstored = alertNotification(alertOfPush(message, owner, 0), now)
    const claim = await inTime(acceptPush(db, message, owner), PUSH_DATABASE_TIMEOUT_MS, NO_DATABASE)
    if (claim === null) return foreign
    const { alert, isFirst, formerNames } = claim
    return { ...foreign, notification: alertNotification(alert, now, !isFirst), formerNames }
  } catch (error) {
    return { notification: unstored, formerNames: [], failure: toError(error) }
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

/** Paths of the app's own origin that are not the app: the API, the server's state, the sandbox. */
export const NOT_THE_APP = /^\/(api|healthz|readyz|metrics|sandbox)\b/

/** Milliseconds for a page to show a chart by itself; a page that is still loading, or frozen, may not get the message. */
const SHOW_CHART_TIMEOUT_MS = 2_000

/**
 * Brings the app to the front, without loading an open page again, and shows a pair's chart in it.
 * @param widget null: the screen stays as it is
 */
async function openApp(clients: Clients, widget: WidgetId | null): Promise<void> {
  const page = await bestPage(clients)
  if (page === undefined) {
    await clients.openWindow(widget === null ? '/' : chartPath(widget))
    return
  }
  // A page that the browser does not bring to the front shows the chart all the same.
  await page.focus().catch((error: unknown) => reportError(error))
  if (widget === null || (await showsChart(page, widget))) return
  // The user may have closed the window meanwhile.
  const shown = await page.navigate(chartPath(widget)).catch((error: unknown) => reportError(error))
  if (shown == null) await clients.openWindow(chartPath(widget))
}

/** The focused window, else a visible one, else any. */
async function bestPage(clients: Clients): Promise<WindowClient | undefined> {
  const windows = await clients.matchAll({ type: 'window', includeUncontrolled: true })
  const pages = windows.filter(
    ({ url, frameType }) => frameType !== 'nested' && !NOT_THE_APP.test(new URL(url).pathname),
  )
  return (
    pages.find(({ focused }) => focused) ??
    pages.find(({ visibilityState }) => visibilityState === 'visible') ??
    pages[0]
  )
}

export async function isAppVisible(clients: Clients): Promise<boolean> {
  return (await bestPage(clients))?.visibilityState === 'visible'
}

function showsChart(page: Client, widget: WidgetId): Promise<boolean> {
  const { port1: port, port2: theirs } = new MessageChannel()
  const request: PageRequest = { kind: 'open-chart', widget }
  return new Promise<boolean>((resolve) => {
    const timer = setTimeout(resolve, SHOW_CHART_TIMEOUT_MS, false)
    port.addEventListener('message', () => {
      clearTimeout(timer)
      resolve(true)
    })
    port.start()
    page.postMessage(request, [theirs])
  }).finally(() => port.close())
}

/** Event of a notification: the user clicked its text or a button, or closed it. */
export type Gesture = { readonly kind: 'click'; readonly action: string } | { readonly kind: 'close' }

interface Ports {
  readonly db: LocalDatabase
  readonly clients: Clients
  /** Milliseconds. */
  readonly now: () => number
}

/**
 * Handles a click on a notification. "Re-arm later" leaves the side disarmed and reminds on the Alerts page; every other
 * click leads to the pair's chart. A browser lets a window be opened only for a moment after the click.
 * @param data null: the notification is neutral
 */
export async function onGesture(ports: Ports, gesture: Gesture, data: AlertData | null): Promise<void> {
  switch (gesture.kind) {
    case 'close':
      return data === null ? undefined : putAway(ports, data.event_id)
    case 'click':
      if (gesture.action === REARM_LATER) return data === null ? undefined : putOffRearming(ports, data.event_id)
      await Promise.all([
        openApp(ports.clients, await widgetOf(ports.db, data)),
        data === null ? undefined : putAway(ports, data.event_id),
      ])
  }
}

/** Firefox lets a window be opened within a second of the click. */
const CLICK_DATABASE_TIMEOUT_MS = 500

/** Null for the alert of another owner than the present one. */
async function widgetOf(db: LocalDatabase, data: AlertData | null): Promise<WidgetId | null> {
  if (data === null) return null
  try {
    const session = await inTime(
      db.session.get('current'),
      CLICK_DATABASE_TIMEOUT_MS,
      'The local database did not answer a click in time.',
    )
    return data.owner === session?.owner ? data.widget_id : null
  } catch (error) {
    reportError(error)
    // The page itself shows a pair to its owner alone.
    return data.widget_id
  }
}
