import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { addWidget } from '../../../src/db/commands/widgets'
import { writeMeta } from '../../../src/db/database'
import type { MetaRows } from '../../../src/db/rows'
import type { OwnerId } from '../../../src/domain/ids'
import { StatusPage } from '../../../src/features/status/status-page'
import { coinNumber, seedCoins, seedPrices, START, startLocalApp, type LocalApp, noticesOf } from '../support/local-app'
import { fed } from '../support/fed'

const MINUTE = 60_000

const page = fed(<StatusPage />)
const line = (name: string) => screen.getByText(name, { selector: 'dt' }).nextElementSibling?.textContent
const says = (name: string, value: string | RegExp) =>
  waitFor(() => expect(line(name)).toMatch(typeof value === 'string' ? new RegExp(`^${value}$`) : value))
const synced = (app: LocalApp, state: Partial<MetaRows['sync_state']>) =>
  writeMeta(app.db, 'sync_state', {
    last_success_at: null,
    last_failure_at: null,
    problem: null,
    problems: {},
    unreachable_since: null,
    ...state,
  })

afterEach(() => {
  Reflect.deleteProperty(navigator, 'serviceWorker')
})

test('the status page shows the age of the live prices, the coin list and the price history', async () => {
  const app = await startLocalApp()
  app.setNow(START + 5 * MINUTE)
  await seedCoins(app, 4)
  await seedPrices(app, { 0: 1 }, START + 3 * MINUTE)
  app.render(page)
  await says('Live prices', /^2 min ago/)
  await says('Coin list', /^5 min ago/)
  expect(line('Price history')).toBe('Not yet')
})

test('the status page counts waiting and refused changes, and says when the server last answered', async () => {
  const app = await startLocalApp()
  await seedCoins(app, 4)
  await synced(app, { last_success_at: START - 10 * MINUTE })
  for (const [a, b] of [
    [0, 1],
    [2, 3],
  ] as const) {
    await addWidget(app.services.commands, { coinA: coinNumber(a).id, coinB: coinNumber(b).id })
  }
  const [first] = await app.db.outbox.toArray()
  await app.db.outbox.update(first!.seq!, { state: 'failed' })
  app.render(page)
  await says('Waiting changes', '1')
  expect(line('Refused changes')).toBe('1')
  expect(line('Connection')).toBe('Connected')
  expect(line('Last exchange')).toMatch(/^10 min ago/)

  await synced(app, { unreachable_since: START - MINUTE })
  await says('Connection', /^Offline: no answer since/)
  await synced(app, { problem: 'The server answered with 500.' })
  await says('Connection', 'The server answered with 500.')
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  act(() => void window.dispatchEvent(new Event('offline')))
  await says('Connection', 'Offline: no network')
})

const at = /\d\d:\d\d/.source
const polling = { kind: 'polling', since: START - MINUTE, heard_at: null, polls_from: 0 } as const

test.each([
  ['connecting', 'the live stream is being opened'],
  ['reconnecting', 'the live stream broke off and is being opened again'],
  ['unsupported', 'this server has no live stream'],
  ['held-back', 'a proxy holds the live stream back'],
  ['failing', 'the live stream cannot be opened'],
] as const)('says why the app polls: %s', async (reason, why) => {
  const app = await startLocalApp()
  await writeMeta(app.db, 'stream', { ...polling, reason })
  app.render(page)
  await says('Live updates', `Polling since ${at}: ${why}`)
})

test('says since when the app is live and when the stream was last heard, and what a record means that has grown old', async () => {
  const app = await startLocalApp()
  const { owner } = (await app.db.session.get('current'))!
  const live = { kind: 'live', owner, prices: true, since: START - 10 * MINUTE, heard_at: START - 8_000 } as const
  await writeMeta(app.db, 'stream', live)
  app.render(page)
  await says('Live updates', `Live since ${at}, heard just now`)
  expect(line('Last exchange')).toMatch(/^just now/)
  await writeMeta(app.db, 'stream', { ...live, prices: false })
  await says('Live updates', `Live since ${at}, heard just now; prices are polled`)
  await writeMeta(app.db, 'stream', { ...live, heard_at: START - 5 * MINUTE })
  await says('Live updates', 'Polling: the live stream was last heard 5 min ago')
  await writeMeta(app.db, 'stream', { ...live, owner: 'user-2' as OwnerId })
  await says('Live updates', /^Polling/)
})

test('says that the app polls as long as no stream was ever asked for', async () => {
  const app = await startLocalApp()
  app.render(page)
  await says('Live updates', 'Polling')
})

test('Refresh data on the status page starts no sync, and says where data is loaded anew', async () => {
  const app = await startLocalApp()
  app.render(page)
  await userEvent.click(screen.getByRole('button', { name: 'Refresh data' }))
  expect(noticesOf(app)).toMatchObject([
    { kind: 'info', message: 'Data refreshes by itself. To load everything anew, use Settings > Clear Cache.' },
  ])
  expect(app.syncs).toEqual([])
})

/** A browser whose service worker is in this state. */
function browserWith(registration: object | undefined) {
  const serviceWorker = Object.assign(new EventTarget(), { getRegistration: async () => registration })
  Object.defineProperty(navigator, 'serviceWorker', { value: serviceWorker, configurable: true })
}
const workerSaying = (version: string) => ({
  postMessage: ({ type }: { type: string }, [port]: [MessagePort]) => type === 'VERSION' && port.postMessage(version),
})

test.each([
  ['no service workers at all', null, 'None in this browser: the page does its work'],
  ['none yet', undefined, 'Not active: the page does its work'],
  ['one of this version', { active: workerSaying('1.0.0'), waiting: null }, 'v1.0.0, active'],
  ['a newer one behind it', { active: workerSaying('0.9.0'), waiting: {} }, 'v0.9.0, active; a newer one waits'],
])('the status page names the state of the service worker: %s', async (_what, registration, sentence) => {
  if (registration !== null) browserWith(registration)
  const app = await startLocalApp()
  app.render(page)
  await waitFor(() => expect(line('Service worker')).toBe(sentence))
})

test('the status page notices a service worker that takes over later', async () => {
  browserWith(undefined)
  const app = await startLocalApp()
  app.render(page)
  await says('Service worker', 'Not active: the page does its work')
  const before = navigator.serviceWorker
  browserWith({ active: workerSaying('1.0.0'), waiting: null })
  act(() => void before.dispatchEvent(new Event('controllerchange')))
  await says('Service worker', 'v1.0.0, active')
})

test('the status page does not wait for a service worker that does not say its version', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  browserWith({ active: { postMessage: () => undefined }, waiting: null })
  const app = await startLocalApp()
  app.render(page)
  await act(() => vi.advanceTimersByTimeAsync(3_000))
  vi.useRealTimers()
  await says('Service worker', 'Active')
})

test('the status page shows the version of the app', async () => {
  const app = await startLocalApp()
  app.render(page)
  expect(line('App version')).toMatch(/^v/)
})
