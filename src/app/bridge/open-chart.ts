import { readPageRequest, SHOWN } from '../../sync/page-message'
import { showChart } from '../show-chart'

/** Shows a chart when the service worker asks for it, because somebody has clicked a notification. */
export function openChartsOnRequest(): void {
  if (!('serviceWorker' in navigator)) return
  navigator.serviceWorker.addEventListener('message', ({ data, ports }) => {
    const request = readPageRequest(data)
    if (request === null) return
    showChart(request.widget)
    ports[0]?.postMessage(SHOWN)
  })
}
