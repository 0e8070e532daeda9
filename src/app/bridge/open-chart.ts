import { navigate } from 'wouter/use-browser-location'
import { readPageRequest, SHOWN } from '../../sync/page-message'
import { chartAddress, DASHBOARD, FROM_DASHBOARD, screenOf } from '../addresses'

/** Shows a chart when the service worker asks for it, because somebody has clicked a notification. */
export function openChartsOnRequest(): void {
  if (!('serviceWorker' in navigator)) return
  navigator.serviceWorker.addEventListener('message', ({ data, ports }) => {
    const request = readPageRequest(data)
    if (request === null) return
    const address = chartAddress(request.widget)
    const { pathname } = location
    // A chart that is shown already keeps its period.
    if (screenOf(pathname) !== screenOf(address)) {
      navigate(address, { state: pathname === DASHBOARD ? FROM_DASHBOARD : null })
    }
    ports[0]?.postMessage(SHOWN)
  })
}
