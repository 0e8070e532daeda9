import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { AlertsPage } from '../../../src/features/alerts/alerts-page'
import { logCsv } from '../../../src/features/alerts/log-csv'
import type { AlertRow } from '../../../src/db/rows'
import { changeOwnerSyncState } from '../../../src/db/owner-sync-state'
import { writeMeta } from '../../../src/db/database'
import type { WidgetId } from '../../../src/domain/ids'
import {
  type LocalApp,
  seedCoins,
  seedPrices,
  seedWidgets,
  signIn,
  START,
  startLocalApp,
  noticesOf,
} from '../support/local-app'
import { catchReports } from '../support/reports'
import { alertRow, disarm, ownerOf } from './alert-rows'
import { fed } from '../support/fed'

const HOUR = 3_600_000
const DAY = 24 * HOUR

const page = fed(
  <AlertsPage chartLink={(widget) => ({ href: `/to-the-chart-of/${widget}`, state: { from: 'here' } })} />,
)
const log = () => screen.getByRole('region', { name: 'Last 90 days' })
const rows = () => within(log()).getAllByRole('listitem')
const row = async (text: string | RegExp) => (await within(log()).findByText(text)).closest('li')!

/** A page on which BTC / ETH stands, its high side as `disarm` leaves it. */
async function withPair() {
  const app = await startLocalApp()
  await seedCoins(app, 4)
  const [widget, other] = await seedWidgets(app, 2)
  await disarm(app, widget!)
  return { app, widget: widget!, other: other!, owner: await ownerOf(app) }
}

test('the alerts page is headed “Alerts History”, says that nothing has fired yet, and ends with “COMING SOON”', async () => {
  const app = await startLocalApp()
  await seedWidgets(app, [])
  app.render(page)
  expect(screen.getByRole('heading', { level: 1, name: 'Alerts History' })).toBeDefined()
  const soon = screen.getByText('COMING SOON')
  expect(await within(log()).findByText(/^Nothing has fired yet/)).toBeDefined()
  expect(log().compareDocumentPosition(soon)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
})

const note = () => within(log()).getByRole('status').textContent
const unreachable = (app: LocalApp) =>
  writeMeta(app.db, 'sync_state', {
    last_success_at: START,
    last_failure_at: START,
    problem: null,
    problems: {},
    unreachable_since: START,
  })
const pulledAt = async (app: LocalApp, at: number) => {
  const alerts_pull = { as_of: new Date(at).toISOString(), epochs: '', ahead: 0, at }
  await changeOwnerSyncState(app.db, await ownerOf(app), { alerts_pull })
}

test('the alert log is busy until it has been read', async () => {
  const app = await startLocalApp()
  app.render(page)
  expect(within(log()).getByLabelText('Loading alerts').getAttribute('aria-busy')).toBe('true')
  await waitFor(() => expect(within(log()).queryByLabelText('Loading alerts')).toBeNull())
})

test('the alert log of a user says that the server’s list is still loading, or offline that it is missing', async () => {
  const app = await startLocalApp()
  await signIn(app)
  await seedWidgets(app, [])
  app.render(page)
  await waitFor(() => expect(note()).toBe('Loading what your other devices saw…'))
  await unreachable(app)
  await waitFor(() => expect(note()).toMatch(/^Offline: only what this device saw is listed\./))
  await pulledAt(app, START - HOUR)
  await waitFor(() => expect(note()).toMatch(/^Offline: crossings as of \d\d:\d\d\.$/))
})

test('the alert log of a guest without crossings claims nothing about other devices', async () => {
  const app = await startLocalApp()
  await seedWidgets(app, [])
  app.render(page)
  await within(log()).findByText(/^Nothing has fired yet/)
  expect(note()).toBe('')
})

test('a thousand crossings are listed a hundred at a time; the first of the next hundred takes the focus', async () => {
  const { app, widget, owner } = await withPair()
  await app.db.alerts.bulkPut(
    Array.from({ length: 250 }, (_, n) => alertRow(owner, widget, { epoch: n, at: START - n * HOUR })),
  )
  app.render(page)
  await waitFor(() => expect(rows()).toHaveLength(100))
  await userEvent.click(within(log()).getByRole('button', { name: 'Show 100 more' }))
  expect(rows()).toHaveLength(200)
  expect(document.activeElement).toBe(rows()[100])
  await userEvent.click(within(log()).getByRole('button', { name: 'Show 50 more' }))
  expect(rows()).toHaveLength(250)
  expect(document.activeElement).toBe(rows()[200])
  expect(within(log()).queryByRole('button', { name: /more$/ })).toBeNull()
})

test('the alert log lists the user’s alerts by day, newest first: pair, side, ratio, threshold, time, channel', async () => {
  const { app, widget, other, owner } = await withPair()
  await app.db.alerts.bulkPut([
    alertRow(owner, widget, { at: START - 2 * DAY, by: 'app' }),
    alertRow(owner, widget, { epoch: 1, at: START - HOUR }),
    alertRow(owner, other, { side: 'low', pair: 'C2 / C3', at: START - DAY, ratio: 0.5, threshold: 0.75 }),
    alertRow('anon-1-somebody-else' as typeof owner, widget, { epoch: 7 }),
  ])
  app.render(page)
  await row('By push · re-arms by itself at 20.0000')
  const days = within(log()).getAllByRole('heading', { level: 3 })
  expect(days.map((day) => day.textContent)).toEqual(['Today', 'Yesterday', expect.stringMatching(/19/)])
  const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  expect(rows().map((one) => [...one.querySelectorAll('p, time')].map((line) => line.textContent))).toEqual([
    [
      'BTC / ETHNew',
      clock.format(START - HOUR),
      'Sell 21.5000 above 20.0000',
      'By push · re-arms by itself at 20.0000',
    ],
    ['C2 / C3New', clock.format(START - DAY), 'Buy 0.500000 below 0.750000', 'By push · alerts are off for this pair'],
    ['BTC / ETHNew', clock.format(START - 2 * DAY), 'Sell 21.5000 above 20.0000', 'In the app'],
  ])
})

test('a crossing whose ratio came back says when, with the day where it is another one', async () => {
  const { app, other, owner } = await withPair()
  const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  await app.db.alerts.bulkPut([
    alertRow(owner, other, { epoch: 2, at: START - HOUR, back_at: START - HOUR / 2 }),
    alertRow(owner, other, { epoch: 1, at: START - 3 * DAY, back_at: START - DAY, by: 'sync', quiet: true }),
    alertRow(owner, other, { epoch: 0, at: START - 4 * DAY, by: 'sync' }),
  ])
  app.render(page)
  await row(`By push · back at ${clock.format(START - HOUR / 2)} · alerts are off for this pair`)
  await row(/^Back at .*20.*, \d\d:\d\d$/)
  await row('In the app')
})

test('an alert in the log links to the chart of its pair; an alert of a removed pair has no link', async () => {
  const { app, widget, owner } = await withPair()
  await app.db.alerts.bulkPut([
    alertRow(owner, widget),
    alertRow(owner, 'removed' as WidgetId, { pair: 'XMR / ZEC', at: START - 1 }),
  ])
  app.render(page)
  await row('By push · pair removed')
  expect(within(log()).getAllByRole('link')).toHaveLength(1)
  await userEvent.click(within(log()).getByRole('link', { name: 'BTC / ETH' }))
  expect(location.pathname).toBe(`/to-the-chart-of/${widget}`)
  expect(history.state).toEqual({ from: 'here' })
})

test('an alert counts as seen once the log is visible, and stays marked “New” during that visit', async () => {
  const { app, widget, owner } = await withPair()
  const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  await app.db.alerts.put(alertRow(owner, widget))
  app.render(page)
  await row(/^By push/)
  expect(screen.getByText('New')).toBeDefined()
  expect((await app.db.alerts.toArray())[0]!.seen_at).toBeNull()

  visibility.mockReturnValue('visible')
  act(() => void document.dispatchEvent(new Event('visibilitychange')))
  await waitFor(async () => expect((await app.db.alerts.toArray())[0]!.seen_at).toBe(START))
  expect(screen.getByText('New')).toBeDefined()

  await app.db.alerts.put(alertRow(owner, widget, { epoch: 1, at: START + 1, seen_at: START - 1 }))
  await waitFor(() => expect(rows()).toHaveLength(2))
  expect(screen.getAllByText('New')).toHaveLength(1)
})

test('the alert log shows the present state of both sides of a pair, each at its own last alert', async () => {
  const { app, widget, owner } = await withPair()
  await app.db.alerts.bulkPut([alertRow(owner, widget), alertRow(owner, widget, { side: 'low', at: START + 1 })])
  await app.db.widgets.update(widget, { high_threshold: null, low_threshold: null })
  app.render(page)
  await waitFor(() => expect(rows()).toHaveLength(2))
  for (const entry of rows()) expect(entry.textContent).toContain('threshold removed')
})

test('the alert log shows the present state of a side only at the side’s last alert', async () => {
  const { app, widget, owner } = await withPair()
  await app.db.alerts.bulkPut([alertRow(owner, widget), alertRow(owner, widget, { epoch: 1, at: START + 1 })])
  app.render(page)
  await row(/re-arms by itself/)
  expect(rows()[1]!.textContent).not.toContain('arm')
  expect(within(rows()[1]!).queryByRole('button')).toBeNull()

  await app.db.widgets.update(widget, { high_threshold_active: true, high_epoch: 2 })
  await row('By push · armed at 20.0000')
  await app.db.widgets.update(widget, { high_threshold: null })
  await row('By push · threshold removed')
  expect(within(log()).queryByRole('button', { name: /^Re-arm/ })).toBeNull()
})

const outbox = async (app: Awaited<ReturnType<typeof withPair>>['app']) =>
  (await app.db.outbox.toArray()).map(({ kind, payload }) => ({ kind, payload }))

test('“Re-arm” arms the side at its old threshold when the ratio is back, and focuses the alert’s row', async () => {
  const { app, widget, owner } = await withPair()
  await seedPrices(app, { 0: 19, 1: 1 })
  await app.db.alerts.put(alertRow(owner, widget))
  app.render(page)
  await userEvent.click(await within(log()).findByRole('button', { name: 'Re-arm BTC / ETH' }))
  await row('By push · armed at 20.0000')
  await waitFor(() => expect(document.activeElement).toBe(within(log()).getByRole('link', { name: 'BTC / ETH' })))
  expect(within(log()).queryByRole('button', { name: /^Re-arm/ })).toBeNull()
  await waitFor(async () =>
    expect(await outbox(app)).toEqual([
      {
        kind: 'widget.update@1',
        payload: { widget, body: { high_threshold: 20, high_threshold_active: true } },
      },
    ]),
  )
  expect(app.syncs).toContain('command')
  expect(noticesOf(app)).toMatchObject([{ kind: 'success', message: 'High alert of BTC / ETH armed at 20.0000.' }])
})

test('“Re-arm” sets a threshold beyond the ratio while the ratio is still past the old threshold', async () => {
  const { app, widget, owner } = await withPair()
  await seedPrices(app, { 0: 22, 1: 1 })
  await app.db.alerts.put(alertRow(owner, widget))
  app.render(page)
  await userEvent.click(await within(log()).findByRole('button', { name: 'Re-arm at 23.1000 BTC / ETH' }))
  await row('By push · armed at 23.1000')
  await waitFor(async () =>
    expect(await outbox(app)).toMatchObject([
      { payload: { body: { high_threshold: 23.1, high_threshold_active: true } } },
    ]),
  )
})

test('an alert put off for re-arming leads the log, with its date, until the page is reopened after re-arming', async () => {
  const { app, widget, other, owner } = await withPair()
  await seedPrices(app, { 0: 19, 1: 1 })
  await app.db.alerts.bulkPut([
    alertRow(owner, widget, { at: START - 3 * DAY, rearm_later: true }),
    alertRow(owner, other, { pair: 'C2 / C3' }),
  ])
  const screenOf = app.render(page)
  await row('By push · re-arms by itself at 20.0000')
  const headings = () =>
    within(log())
      .getAllByRole('heading', { level: 3 })
      .map((one) => one.textContent)
  expect(headings()).toEqual(['Put off', 'Today'])
  expect(rows()[0]!.textContent).toMatch(/^BTC \/ ETHNew.*18.*:.*Sell/)
  await userEvent.click(within(log()).getByRole('button', { name: 'Re-arm BTC / ETH' }))
  await row('By push · armed at 20.0000')
  // It stays where it was pressed, and the focus with it, until the page is opened again.
  expect(headings()).toEqual(['Put off', 'Today'])
  expect(document.activeElement).toBe(within(rows()[0]!).getByRole('link', { name: 'BTC / ETH' }))
  screenOf.unmount()
  app.render(page)
  await waitFor(() => expect(headings()).toEqual(['Today', expect.stringMatching(/18/)]))
})

test('an alert in the log offers “Re-arm” only once the ratio of its pair is known', async () => {
  const { app, widget, owner } = await withPair()
  await app.db.alerts.put(alertRow(owner, widget))
  app.render(page)
  await row('By push · re-arms by itself at 20.0000')
  expect(within(log()).queryByRole('button', { name: /^Re-arm/ })).toBeNull()
  await seedPrices(app, { 0: 19, 1: 1 })
  expect(await within(log()).findByRole('button', { name: 'Re-arm BTC / ETH' })).toBeDefined()
})

test('a re-arm that cannot be stored on a full disk shows an error, and the side stays disarmed', async () => {
  const { app, widget, owner } = await withPair()
  await seedPrices(app, { 0: 19, 1: 1 })
  await app.db.alerts.put(alertRow(owner, widget))
  app.render(page)
  const button = await within(log()).findByRole('button', { name: 'Re-arm BTC / ETH' })
  vi.spyOn(app.db.outbox, 'add').mockRejectedValue(new Error('disk full'))
  const reports = catchReports()
  await userEvent.click(button)
  await waitFor(() =>
    expect(noticesOf(app)).toMatchObject([
      { kind: 'error', message: 'Failed to update BTC / ETH: disk full. Reverting change.' },
    ]),
  )
  expect(within(log()).getByRole('button', { name: 'Re-arm BTC / ETH' })).toBeDefined()
  expect(reports).toMatchObject([{ message: 'disk full' }])
})

test('a row says what became of its alert on every way, from the pull on and offline too, and the search and the file list the same', async () => {
  const { app, widget, owner } = await withPair()
  const push = { channel: 'push', name: 'Safari on iPhone' }
  const at = (hours: number) => START - hours * HOUR
  const fates: Partial<AlertRow>[] = [
    {
      at: at(5),
      deliveries: [
        { ...push, state: 'shown', at: at(5) },
        { channel: 'email', name: null, state: 'sent', at: at(5) },
        { channel: 'webhook', name: 'ntfy.sh', state: 'failed', at: at(4), reason: 'too-late' },
      ],
    },
    { at: at(6), deliveries: [{ ...push, state: 'sent', at: at(6), confirms: true }] },
    { at: at(7), deliveries: [{ ...push, name: null, state: 'sent', at: at(7) }] },
    { at: at(8), held_until: at(-1), deliveries: [{ ...push, state: 'held', at: null }] },
    { at: at(9), held_until: at(8), deliveries: [{ ...push, state: 'shown', at: at(8) }] },
    { at: at(10), not_sent: 'no-way' },
    { at: at(11), held_until: null },
    { at: at(12), not_sent: 'device-gone' },
    { at: at(96), deliveries: [{ ...push, state: 'waiting', at: null }] },
  ]
  const quiet = { quiet: true, seen_at: START, pair: '=C2 / C3' } as const
  await app.db.alerts.bulkPut(fates.map((fate, epoch) => alertRow(owner, widget, { epoch, ...quiet, ...fate })))
  app.render(page)
  await row(/^Shown on iPhone/)
  const told = rows().map((one) => one.querySelector('p:last-of-type')!.textContent)
  const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  const time = (hours: number) => clock.format(at(hours))
  expect(told.slice(1)).toEqual([
    `Sent to iPhone · Safari ${time(6)}, not shown`,
    `Sent to your device ${time(7)}`,
    `Held until ${time(-1)}`,
    `Held until ${time(8)} · shown on iPhone · Safari ${time(8)}`,
    'Not sent: notifications were off on every device, and no other way was set up · Ways to reach you',
    'Not sent: alerts were paused',
    'Not sent: the device had given up its notifications',
    expect.stringContaining('Sell'),
  ])
  expect(told[0]).toMatch(
    `Shown on iPhone · Safari ${time(5)} · Email sent ${time(5)} · not sent to Webhook ntfy.sh: it could not be reached in time`,
  )
  expect(screen.getByRole('link', { name: 'Ways to reach you' }).getAttribute('href')).toBe('/settings')
  const user = userEvent.setup()
  const search = screen.getByRole('searchbox', { name: 'Search by pair' })
  await user.type(search, 'btc/')
  expect(await within(log()).findByText('No alert of such a pair.')).toBeDefined()
  await user.clear(search)
  const off = alertRow(owner, widget, { kind: 'way_off', note: 'your email address', event_id: 'rule:9:1' })
  await act(() => app.db.alerts.put(off))
  await within(log()).findByText('Alerts no longer reach your email address')
  await user.type(search, 'c2/c3')
  expect(rows()).toHaveLength(fates.length)
  const csv = logCsv([alertRow(owner, widget, { ...quiet, ...fates[1] }), off], START)
  expect(csv.split('\n')).toEqual([
    'Time,Pair,Alert,Ratio,Level,Back at,Delivery',
    `${new Date(at(6)).toISOString()},"'=C2 / C3",high threshold,21.5,20,,"sent to iPhone · Safari ${time(6)}, not shown"`,
    `${new Date(off.at).toISOString()},,Alerts no longer reach your email address,,,,`,
    '',
  ])
})
