import { putAway, putOffRearming } from '../../db/commands/alerts'
import type { LocalDatabase } from '../../db/database'
import { type AlertData, type DigestData, REARM_LATER } from '../../domain/alert-notification'
import { chartPath, NOT_THE_APP } from '../../domain/app-paths'
import type { WidgetId } from '../../domain/ids'
import { type Snooze, SNOOZES } from '../../domain/snooze'
import { inTime } from '../in-time'
import type { PageRequest } from '../protocol'

/** Milliseconds for a page to show a chart by itself; a page that is still loading, or frozen, may not get the message. */
const SHOW_CHART_TIMEOUT_MS = 2_000

/**
 * Brings the app to the front, without loading an open page again, and shows a pair's chart in it.
 * @param widget null: the screen stays as it is, unless another is named
 */
async function openApp(clients: Clients, widget: WidgetId | null, screen: string | null): Promise<void> {
  const page = await bestPage(clients)
  const path = screen ?? (widget === null ? '/' : chartPath(widget))
  if (page === undefined) {
    await clients.openWindow(path)
    return
  }
  // A page that the browser does not bring to the front shows the chart all the same.
  await page.focus().catch((error: unknown) => reportError(error))
  if (widget === null ? screen === null : await showsChart(page, widget)) return
  // The user may have closed the window meanwhile.
  const shown = await page.navigate(path).catch((error: unknown) => reportError(error))
  if (shown == null) await clients.openWindow(path)
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

export const isAppVisible = async (clients: Clients): Promise<boolean> =>
  (await bestPage(clients))?.visibilityState === 'visible'

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

interface Ports {
  readonly db: LocalDatabase
  readonly clients: Clients
  /** Milliseconds. */
  readonly now: () => number
  /** Changes the pair, if it is one of the present owner. */
  readonly snooze: (widget: WidgetId, snooze: Snooze) => Promise<unknown>
}

/**
 * A snooze opens nothing. "Re-arm later" leaves the side disarmed and reminds on the Alerts page; every other click leads to the
 * pair's chart, to the list of alerts, or to the ways to reach the user. A browser lets a window be opened only for a moment after the click.
 * @param action of the button, '' for the text
 * @param data null: the notification is neutral
 */
export async function onNotificationClick(
  ports: Ports,
  action: string,
  data: AlertData | DigestData | null,
): Promise<void> {
  const alert = data?.event_id === undefined ? null : data
  const snooze = SNOOZES[action]?.(ports.now())
  if (snooze !== undefined && alert !== null) {
    await ports.snooze(alert.widget_id, snooze)
    return onNotificationClose(ports, data)
  }
  if (action === REARM_LATER) return alert === null ? undefined : putOffRearming(ports, alert.event_id)
  const screen = data === null || data.event_id !== undefined ? null : (data.path ?? '/alerts')
  const opened = openApp(ports.clients, await widgetOf(ports.db, alert), screen)
  await Promise.all([opened, onNotificationClose(ports, data)])
}

export const onNotificationClose = async (
  ports: Omit<Ports, 'clients' | 'snooze'>,
  data: AlertData | DigestData | null,
): Promise<void> =>
  data === null ? undefined : putAway(ports, data.event_id === undefined ? data.event_ids : [data.event_id])

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
