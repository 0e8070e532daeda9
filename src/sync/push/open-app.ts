import { chartPath } from '../../domain/chart-path'
import type { WidgetId } from '../../domain/ids'
import { NOT_THE_APP } from '../app-paths'
import type { PageRequest } from '../page-message'

/** Milliseconds for a page to show a chart by itself; one that is still loading, or was frozen, may not have heard. */
const PATIENCE = 2_000

/**
 * Brings the app to the front, where it is open already without loading it again, and shows a pair's chart in it.
 * @param widget null: wherever it is
 */
export async function openApp(clients: Clients, widget: WidgetId | null): Promise<void> {
  const page = await bestPage(clients)
  if (page === undefined) {
    await clients.openWindow(widget === null ? '/' : chartPath(widget))
    return
  }
  // One that the browser does not bring to the front shows the chart all the same.
  await page.focus().catch((error: unknown) => reportError(error))
  if (widget === null || (await showsChart(page, widget))) return
  // A window that was about to be left is gone by now.
  const shown = await page.navigate(chartPath(widget)).catch((error: unknown) => reportError(error))
  if (shown == null) await clients.openWindow(chartPath(widget))
}

/** The window that somebody looks at, else one that can be seen, else any. */
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

/** Whether anything visible is the app. */
export async function isAppVisible(clients: Clients): Promise<boolean> {
  return (await bestPage(clients))?.visibilityState === 'visible'
}

function showsChart(page: Client, widget: WidgetId): Promise<boolean> {
  const { port1: port, port2: theirs } = new MessageChannel()
  const request: PageRequest = { type: 'open-chart', widget }
  return new Promise<boolean>((resolve) => {
    const timer = setTimeout(resolve, PATIENCE, false)
    port.addEventListener('message', () => {
      clearTimeout(timer)
      resolve(true)
    })
    port.start()
    page.postMessage(request, [theirs])
  }).finally(() => port.close())
}
