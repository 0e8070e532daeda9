import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openChartsOnRequest } from '../../../src/app/bridge/start-bridge'
import { SHOWN } from '../../../src/sync/protocol'

/** In the words of earlier versions; their worker then loads the chart's address. */
const OLD = { type: 'open-chart', widget: 'w' }

/** The worker at the other end: it says something with a port, and hears what comes back. */
let container: EventTarget
const say = (data: unknown) => {
  const answers: unknown[] = []
  const port = { postMessage: (answer: unknown) => answers.push(answer) }
  container.dispatchEvent(Object.assign(new Event('message'), { data, ports: [port] }))
  return answers
}

beforeEach(() => {
  container = new EventTarget()
  vi.stubGlobal('navigator', { serviceWorker: container })
  history.replaceState(null, '', '/')
  openChartsOnRequest()
})
afterEach(() => {
  history.replaceState(null, '', '/')
})

test('a clicked notification opens the chart by the router, and the service worker is answered', () => {
  const entries = history.length
  expect(say({ kind: 'open-chart', widget: 'temp-1' })).toEqual([SHOWN])
  expect([location.pathname, history.length]).toEqual(['/chart/temp-1', entries + 1])
  // Closing it goes back to where it was opened from.
  expect(history.state).toEqual({ from: 'dashboard' })
})

test('a clicked notification keeps the period of a chart that is shown already', () => {
  history.replaceState(null, '', '/chart/w/1y')
  expect(say({ kind: 'open-chart', widget: 'w' })).toEqual([SHOWN])
  expect(location.pathname).toBe('/chart/w/1y')
})

test('the page does not answer service worker messages that it does not know', () => {
  for (const data of [null, 'open-chart', { kind: 'open-chart' }, { kind: 'open-alerts', widget: 'w' }, OLD]) {
    expect(say(data)).toEqual([])
  }
  expect(location.pathname).toBe('/')
})
