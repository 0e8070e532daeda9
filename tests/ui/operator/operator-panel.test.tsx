import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { changeOwnerSyncState } from '../../../src/db/owner-sync-state'
import type { CallFailure } from '../../../src/db/call'
import { OperatorPanel } from '../../../src/features/operator/operator-panel'
import { formatMoment } from '../../../src/domain/local-time'
import { type LocalApp, seedCoins, seedWidgets, signIn, START, startLocalApp } from '../support/local-app'
import { overviewOf } from './overviews'
import { fed } from '../support/fed'

/** Milliseconds between two requests of a visible panel. */
const REFRESH = 30_000

let online = true
let visible: DocumentVisibilityState = 'visible'
beforeEach(() => {
  online = true
  visible = 'visible'
  vi.spyOn(navigator, 'onLine', 'get').mockImplementation(() => online)
  vi.spyOn(document, 'visibilityState', 'get').mockImplementation(() => visible)
})
const turn = (event: 'online' | 'offline' | 'visibilitychange') =>
  act(() => void (event === 'visibilitychange' ? document : window).dispatchEvent(new Event(event)))

const page = fed(<OperatorPanel />)

async function open(overview = overviewOf()) {
  const app = await startLocalApp()
  await signIn(app)
  app.answerCall('overview', () => ({ ok: true, value: overview }))
  const { unmount } = app.render(page)
  await screen.findByRole('region', { name: 'Operations' })
  return { app, leave: unmount }
}
const panel = () => within(screen.getByRole('region', { name: 'Operations' }))
/** Lines of a subject. */
const facts = async (title: string) => {
  const group = within(await panel().findByRole('region', { name: title }))
  return Object.fromEntries(
    group.getAllByRole('term').map((term) => [term.textContent, term.nextElementSibling?.textContent]),
  )
}
const fails = (app: LocalApp, status: number, message: string) => {
  const failure: CallFailure = { ok: false, status, error_code: null, message }
  app.answerCall('overview', () => failure)
}
const asked = (app: LocalApp) => app.calls.filter(({ route }) => route === 'overview').length
const says = (words: string | RegExp) => vi.waitFor(() => expect(panel().getByText(words)).toBeDefined())
const MOMENT = formatMoment(START, START)

test('the Operations panel shows the server’s figures subject by subject', async () => {
  await open()
  expect(await facts('Market')).toEqual({
    'Newest price': '2 min ago',
    Source: 'CoinGecko',
    'Coins priced': '500',
    'Coins watched': '42',
    'Calls this month': '6,000 of 10,000',
  })
  expect(panel().getByRole('img', { name: '60% of the calls used, 68% of the month gone' })).toBeDefined()
  expect(await facts('Alerts, 24 h')).toEqual({
    Crossings: '31',
    Sent: '29',
    Undeliverable: '2',
    'Median delay': '1.3 s',
  })
  expect(await facts('Queues')).toEqual({
    Waiting: '10',
    Crossings: '1',
    Deliveries: '2',
    Mails: '3',
    'Billing removals': '4',
    'Late jobs': 'None',
    'Failing jobs': 'None',
  })
  expect(await facts('Accounts')).toEqual({
    Users: '1,234',
    Premium: '56',
    Guests: '789',
    Widgets: '4,321',
    'Armed sides': '17',
  })
  expect(await facts('Billing')).toEqual({
    Paying: '50',
    Granted: '6',
    Payments: 'Stripe',
    'Last event': '1 h ago',
  })
  expect(await facts('Storage')).toEqual({
    Database: '312.4 MB',
    Engine: 'Embedded',
    Version: '1.0.0',
    Log: '67.1 MB',
    'Disk free': '76.0 GB of 100.0 GB',
    'Last backup': '2 h ago',
  })
  expect(panel().getByText('All well')).toBeDefined()
  expect(panel().getByText(`Updated ${MOMENT}`)).toBeDefined()
})

test('the Operations panel says which figures the server does not have', async () => {
  await open(
    overviewOf({
      market: { source: 'simulated', newest_price_at: null, provider_calls: 0, provider_budget: null },
      alerts: { median_seconds: null },
      billing: { available: false, newest_event_at: null },
      storage: {
        engine: 'postgres',
        log_bytes: null,
        disk_bytes: null,
        disk_free_bytes: null,
        last_backup_at: null,
        backup_every_seconds: null,
      },
    }),
  )
  expect(await facts('Market')).toMatchObject({
    'Newest price': 'None',
    Source: 'Simulated prices',
    'Calls this month': '0',
  })
  expect(panel().queryByRole('img')).toBeNull()
  expect(await facts('Alerts, 24 h')).toMatchObject({ 'Median delay': '–' })
  expect(await facts('Billing')).toMatchObject({ Payments: 'Not set up', 'Last event': 'None yet' })
  expect(await facts('Storage')).toEqual({
    Database: '312.4 MB',
    Engine: 'PostgreSQL',
    Version: '1.0.0',
    'Last backup': 'None yet',
  })
})

test('the Operations panel leaves out the storage of a server of an earlier version, which does not tell', async () => {
  const { storage: _, ...earlier } = overviewOf()
  await open(earlier)
  await facts('Billing')
  expect(panel().queryByText('Storage')).toBeNull()
  expect(panel().getByText('All well')).toBeDefined()
})

test('the Operations panel says what to look at, in sentences and as a number', async () => {
  await open(overviewOf({ queues: { late_jobs: ['prices'] }, market: { newest_price_at: null } }))
  await says('2 to look at')
  expect(panel().getByText('Late: prices.')).toBeDefined()
  expect(panel().getByText('There are no prices.')).toBeDefined()
})

test('the Operations panel shows this device’s waiting changes, stored rows and last pull', async () => {
  const { app } = await open()
  await seedCoins(app, 4)
  await seedWidgets(app, [
    [0, 1],
    [1, 0],
  ])
  const session = (await app.db.session.get('current'))!
  await app.db.transaction('rw', app.db.owners, () =>
    changeOwnerSyncState(app.db, session.owner, { pulled_at: START - 5 * 60_000 }),
  )
  await waitFor(async () => expect(await facts('This device')).toMatchObject({ 'Last pull': '5 min ago' }))
  await waitFor(async () =>
    expect(await facts('This device')).toMatchObject({
      'Waiting changes': '0',
      Engine: 'None in this browser: the page does its work',
    }),
  )
  await waitFor(async () => expect(await facts('Rows on this device')).toMatchObject({ widgets: '2', session: '1' }))
  expect(Object.keys(await facts('Rows on this device'))).toHaveLength(app.db.tables.length)
})

async function timed() {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'],
    shouldAdvanceTime: true,
  })
  const opened = await open()
  await says(`Updated ${MOMENT}`)
  return opened
}
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

test('the Operations panel requests its figures again after the refresh interval while the page is visible', async () => {
  const { app } = await timed()
  expect(asked(app)).toBe(1)
  app.answerCall('overview', () => ({ ok: true, value: overviewOf({ accounts: { users: 1235 } }) }))
  await pass(REFRESH)
  await says('1,235')
  expect(asked(app)).toBe(2)
})

test('the Operations panel requests no figures while the page is hidden, and old ones again as soon as the page is visible', async () => {
  const { app } = await timed()
  visible = 'hidden'
  turn('visibilitychange')
  await pass(4 * REFRESH)
  expect(asked(app)).toBe(1)
  visible = 'visible'
  turn('visibilitychange')
  expect(asked(app)).toBe(1)
  visible = 'hidden'
  turn('visibilitychange')
  app.setNow(START + REFRESH)
  visible = 'visible'
  turn('visibilitychange')
  await vi.waitFor(() => expect(asked(app)).toBe(2))
})

test('the Operations panel requests no figures after it is unmounted', async () => {
  const { app, leave } = await timed()
  leave()
  await pass(4 * REFRESH)
  expect(asked(app)).toBe(1)
})

test('the Refresh figures button requests the figures of the Operations panel again', async () => {
  const { app } = await open()
  await says(`Updated ${MOMENT}`)
  await userEvent.click(screen.getByRole('button', { name: 'Refresh figures' }))
  await waitFor(() => expect(asked(app)).toBe(2))
})

test('the Operations panel shows the error with Try again when figures fail, and still shows this device’s own facts', async () => {
  const app = await startLocalApp()
  await signIn(app)
  fails(app, 500, 'The server is in trouble.')
  app.render(page)
  expect(await screen.findByText('The server is in trouble.')).toBeDefined()
  await waitFor(async () => expect(await facts('This device')).toMatchObject({ 'Waiting changes': '0' }))
  app.answerCall('overview', () => ({ ok: true, value: overviewOf() }))
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await facts('Accounts')).toMatchObject({ Users: '1,234' })
})

test('the Operations panel keeps the earlier figures, with their time, when a refresh fails or the device is offline', async () => {
  const { app } = await open()
  await says(`Updated ${MOMENT}`)
  fails(app, 500, 'The server is in trouble.')
  await userEvent.click(screen.getByRole('button', { name: 'Refresh figures' }))
  await says(`The server is in trouble. Figures of ${MOMENT}`)
  expect(await facts('Accounts')).toMatchObject({ Users: '1,234' })
  fails(app, 0, 'Failed to fetch')
  await userEvent.click(screen.getByRole('button', { name: 'Refresh figures' }))
  await says(`Offline: figures of ${MOMENT}`)
})

test('the Operations panel shows its figures as offline when the network goes, and requests none', async () => {
  const { app } = await open()
  await says(`Updated ${MOMENT}`)
  online = false
  turn('offline')
  await says(`Offline: figures of ${MOMENT}`)
  expect(panel().queryByText('All well')).toBeNull()
  expect(asked(app)).toBe(1)
})

test('the folded Operations panel still shows its summary, and a new panel is folded as the user left the old one', async () => {
  const { app, leave } = await open()
  const fold = () => screen.getByRole('button', { name: 'Operations' })
  await waitFor(() => expect(fold().getAttribute('aria-expanded')).toBe('true'))
  await userEvent.click(fold())
  await waitFor(() => expect(fold().getAttribute('aria-expanded')).toBe('false'))
  expect(panel().queryByRole('term')).toBeNull()
  await says('All well')

  leave()
  app.render(page)
  await says('All well')
  expect(fold().getAttribute('aria-expanded')).toBe('false')
  await userEvent.click(fold())
  await waitFor(() => expect(fold().getAttribute('aria-expanded')).toBe('true'))
  expect(await facts('Accounts')).toMatchObject({ Users: '1,234' })
})
