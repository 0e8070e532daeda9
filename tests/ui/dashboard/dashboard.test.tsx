import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { addWidget } from '../../../src/db/commands/widgets'
import { readBoard } from '../../../src/db/board-rows'
import { writeMeta } from '../../../src/db/database'
import { FedDashboard } from '../support/fed'
import { boardAtom } from '../../../src/state/live-data'
import { openDialog } from '../support/open-dialog'
import { appWithPair } from '../support/app-with-pair'
import {
  coinNumber,
  noticesOf,
  seedCoins,
  seedLimit,
  seedPrices,
  seedWidgets,
  signIn,
  START,
  startLocalApp,
} from '../support/local-app'
import { catchReports } from '../support/reports'

const MINUTE = 60_000
const dashboard = <FedDashboard />
const articles = () => screen.getAllByRole('article').map((article) => article.getAttribute('aria-labelledby'))
const titles = () => articles().map((id) => document.getElementById(id ?? '')?.textContent)

it('a new guest sees Welcome at once, without skeletons and before any answer of the server, offline too', async () => {
  for (const onLine of [true, false]) {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(onLine)
    const app = await startLocalApp()
    app.store.set(boardAtom, await readBoard(app.db))
    const { container, unmount } = app.render(dashboard)
    // Before any effect or live query: the first paint.
    expect(container.querySelector('h1')?.textContent).toBe('Welcome! Compare any two coins.')
    expect(container.querySelector('[aria-busy]')).toBeNull()
    expect(screen.getByText("You haven't added any crypto pairs yet.")).toBeDefined()
    expect(screen.getByRole('button', { name: '+ Add Your First Pair' })).toBeDefined()
    unmount()
  }
})

it('the empty dashboard of a user shows skeletons until the server has said that there are no pairs', async () => {
  const app = await startLocalApp()
  await signIn(app)
  app.render(dashboard)
  expect(await screen.findByText('Loading your pairs')).toBeDefined()
  expect(screen.queryByText("You haven't added any crypto pairs yet.")).toBeNull()
  await seedWidgets(app, [])
  expect(await screen.findByText("You haven't added any crypto pairs yet.")).toBeDefined()
  expect(screen.getByRole('heading', { level: 1, name: /^Welcome/ })).toBeDefined()
})

it('the button of an empty dashboard opens Create New Pair', async () => {
  const app = await startLocalApp()
  await seedWidgets(app, [])
  app.render(dashboard)
  await userEvent.click(await screen.findByRole('button', { name: '+ Add Your First Pair' }))
  expect(openDialog(app.store, 'add-pair')).toBeDefined()
})

it('a user’s dashboard says that it waits for the first connection when that fails, and Try again asks for a sync', async () => {
  const app = await startLocalApp()
  await signIn(app)
  await writeMeta(app.db, 'sync_state', {
    last_success_at: null,
    last_failure_at: START,
    problem: null,
    problems: {},
    unreachable_since: START,
  })
  app.render(dashboard)
  expect(await screen.findByRole('heading', { name: 'Waiting for the first connection' })).toBeDefined()
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(app.syncs).toContain('command')
})

it('the dashboard shows the server’s message when the pairs could not be loaded', async () => {
  const app = await startLocalApp()
  await writeMeta(app.db, 'sync_state', {
    last_success_at: null,
    last_failure_at: START,
    problem: 'HTTP error! Status: 500',
    problems: { widgets: 'HTTP error! Status: 500' },
    unreachable_since: null,
  })
  app.render(dashboard)
  expect(await screen.findByRole('heading', { name: 'Could not load your pairs.' })).toBeDefined()
  expect(screen.getByText('HTTP error! Status: 500')).toBeDefined()
})

it('the dashboard says once that the pairs could not be loaded where the server gave no reason', async () => {
  const app = await startLocalApp()
  const problem = 'Could not load your pairs.'
  const state = { last_success_at: null, last_failure_at: START, problem, problems: { widgets: problem } }
  await writeMeta(app.db, 'sync_state', { ...state, unreachable_since: null })
  app.render(dashboard)
  expect(await screen.findByRole('heading', { name: problem })).toBeDefined()
  expect(screen.getAllByText(problem)).toHaveLength(1)
})

it('the dashboard reports pairs that the local database cannot read, and Try again reads the database again', async () => {
  const reports = catchReports()
  const app = await startLocalApp()
  await app.db.meta.put({ key: 'coins', value: 'not a list' } as never)
  app.render(dashboard)
  expect(await screen.findByRole('heading', { name: 'Could not load your pairs.' })).toBeDefined()
  expect(reports.length).toBeGreaterThan(0)
  await seedCoins(app, 2)
  await seedWidgets(app, [])
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText("You haven't added any crypto pairs yet.")).toBeDefined()
})

it('the dashboard shows each pair with its ratio and both prices', async () => {
  const app = await startLocalApp()
  await seedCoins(app, 4)
  await seedLimit(app, 5)
  await seedWidgets(app, 2)
  await seedPrices(app, { 0: 97_123.456, 1: 3_000, 2: 0.5, 3: 0.25 })
  app.render(dashboard)
  expect(await screen.findByRole('heading', { level: 1, name: 'My Ratio Widgets' })).toBeDefined()
  expect(await screen.findByRole('region', { name: /^Active Widgets/ })).toBeDefined()
  expect(screen.queryByRole('region', { name: /^Inactive Widgets/ })).toBeNull()
  const card = within(screen.getByRole('article', { name: 'BTC / ETH' }))
  expect(await card.findByText('32.3745')).toBeDefined()
  expect(card.getByText('$97,123.46')).toBeDefined()
  expect(card.getByText('$3,000.00')).toBeDefined()
  expect(within(screen.getByRole('article', { name: 'C2 / C3' })).getByText('2.0000')).toBeDefined()
  expect(screen.getByText('Live prices active')).toBeDefined()
})

it('the header and the cards say how old prices are that are older than ten minutes', async () => {
  const { app } = await appWithPair()
  await seedPrices(app, { 0: 10, 1: 5 }, START - 12 * MINUTE)
  app.render(dashboard)
  const card = within(await screen.findByRole('article', { name: 'BTC / ETH' }))
  expect(await card.findByText('12 min ago')).toBeDefined()
  expect(screen.getByText('Prices from 12 min ago')).toBeDefined()
  expect(screen.queryByText('Live prices active')).toBeNull()
  await seedPrices(app, { 0: 10, 1: 5 }, START)
  expect(await screen.findByText('Live prices active')).toBeDefined()
  expect(card.queryByText(/min ago/)).toBeNull()
})

it('the header calls prices live until two polls were missed, and says then how old they are', async () => {
  const { app } = await appWithPair()
  const polled = async (ago: number) => {
    await seedPrices(app, { 0: 10, 1: 5 }, START)
    await app.db.prices.update('usd', { polled_at: START - ago })
  }
  await polled(151_000)
  app.render(dashboard)
  expect(await screen.findByText('Live prices active')).toBeDefined()
  await polled(3 * MINUTE)
  expect(await screen.findByText('Prices from just now')).toBeDefined()
  expect(screen.queryByText('Live prices active')).toBeNull()
})

it('the header tells prices of a stream from prices that are asked for, and says how old the newest one is', async () => {
  const { app } = await appWithPair()
  await seedPrices(app, { 0: 10, 1: 5 }, START - 12_000)
  app.render(dashboard)
  const state = await screen.findByText('Live prices active')
  await waitFor(() => expect(state.textContent).toBe('Live prices active · 12 s ago, asked for every 75 s'))
  const { owner } = (await app.db.session.get('current'))!
  const stream = { kind: 'live', owner, prices: true, since: START - 60_000, heard_at: START } as const
  await writeMeta(app.db, 'stream', stream)
  await waitFor(() => expect(state.textContent).toBe('Live prices active · last price 12 s ago'))
  await seedPrices(app, { 0: 11, 1: 5 }, START - 2_000)
  await waitFor(() => expect(state.textContent).toBe('Live prices active · last price now'))
  await writeMeta(app.db, 'stream', { ...stream, heard_at: START - 5 * MINUTE })
  await waitFor(() => expect(state.textContent).toBe('Live prices active · now, asked for every 75 s'))
  // A stream that is being opened is there in a moment: until then no interval of polls is named.
  const opening = { kind: 'polling', reason: 'connecting', since: START, heard_at: null, polls_from: 0 } as const
  await writeMeta(app.db, 'stream', opening)
  await waitFor(() => expect(state.textContent).toBe('Live prices active · last price now'))
  await writeMeta(app.db, 'stream', { ...opening, reason: 'unsupported' })
  await waitFor(() => expect(state.textContent).toBe('Live prices active · now, asked for every 75 s'))
})

it('the header and its stream stay live while the record of the stream is newer than the screen’s clock', async () => {
  const { app } = await appWithPair()
  await seedPrices(app, { 0: 10, 1: 5 }, START)
  const { owner } = (await app.db.session.get('current'))!
  const heard = (ago: number) =>
    writeMeta(app.db, 'stream', { kind: 'live', owner, prices: true, since: START, heard_at: START - ago })
  await heard(-1_900)
  app.render(dashboard)
  const state = await screen.findByText('Live prices active')
  await waitFor(() => expect(state.textContent).toBe('Live prices active · last price now'))
  // Far ahead, it was written by a clock that was wrong.
  await heard(-MINUTE)
  await waitFor(() => expect(state.textContent).toBe('Live prices active · now, asked for every 75 s'))
})

it('the dashboard calls no price live without a network, however fresh the price is', async () => {
  const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  const app = await startLocalApp()
  await seedWidgets(app, [[0, 1]])
  await seedPrices(app, { 0: 10, 1: 5 }, START)
  app.render(dashboard)
  expect(await screen.findByText('No network, prices from just now')).toBeDefined()
  expect(screen.queryByText('Live prices active')).toBeNull()
  online.mockReturnValue(true)
  fireEvent(window, new Event('online'))
  expect(await screen.findByText('Live prices active')).toBeDefined()
})

it('the dashboard says that nothing answers about prices, with old ones and with none, although the browser is online', async () => {
  const { app } = await appWithPair()
  app.render(dashboard)
  expect(await screen.findByText('Waiting for live prices')).toBeDefined()
  const sync = { last_success_at: START, last_failure_at: START, problem: null, problems: {}, unreachable_since: null }
  await writeMeta(app.db, 'sync_state', { ...sync, unanswered: { prices: true } })
  expect(await screen.findByText('No answer, waiting for live prices')).toBeDefined()
  await seedPrices(app, { 0: 10, 1: 5 }, START - 12 * MINUTE)
  expect(await screen.findByText('No answer, prices from 12 min ago')).toBeDefined()
  await writeMeta(app.db, 'sync_state', { ...sync, unreachable_since: START - MINUTE })
  expect(await screen.findByText('No answer, prices from 12 min ago')).toBeDefined()
  await writeMeta(app.db, 'sync_state', sync)
  expect(await screen.findByText('Prices from 12 min ago')).toBeDefined()
})

it('the dashboard says when history last came from the server', async () => {
  const app = await startLocalApp()
  await seedWidgets(app, [[0, 1]])
  app.render(dashboard)
  expect(await screen.findByText('Historical cache last update: none yet')).toBeDefined()
  await app.db.history.put({
    id: 'bitcoin:hourly',
    coin_id: coinNumber(0).id,
    granularity: 'hourly',
    source: 'simulated',
    times: Float64Array.of(START),
    prices: Float64Array.of(1),
    server_until: START,
    fetch_timestamp: START - 5 * MINUTE,
  })
  expect(await screen.findByText('Historical cache last update: 5 min ago')).toBeDefined()
})

it('the card of a pair that the server has not answered yet shows "Saving..."', async () => {
  const app = await startLocalApp()
  await seedCoins(app, 4)
  await seedWidgets(app, [[2, 3]])
  app.render(dashboard)
  await screen.findByRole('article', { name: 'C2 / C3' })
  expect(screen.queryByText('Saving...')).toBeNull()
  await addWidget(app.services.commands, { coinA: coinNumber(0).id, coinB: coinNumber(1).id })
  const card = await screen.findByRole('article', { name: 'BTC / ETH' })
  expect(within(card).getByText('Saving...')).toBeDefined()
  expect(card.getAttribute('aria-busy')).toBe('true')
  expect(titles()).toEqual(['C2 / C3', 'BTC / ETH'])
})

it('a pair beyond the limit is said to be so, its section says why, and it has no chart button', async () => {
  const app = await startLocalApp()
  await seedCoins(app, 6)
  await seedLimit(app, 2)
  await seedPrices(app, { 0: 10, 1: 5, 2: 8, 3: 4, 4: 30, 5: 10 })
  await seedWidgets(app, 3)
  app.render(dashboard)
  const section = within(await screen.findByRole('region', { name: /^Inactive Widgets/ }))
  const card = within(section.getByRole('article', { name: 'C4 / C5' }))
  expect(await card.findByText('Limit Reached')).toBeDefined()
  expect(await section.findByText(/^Your tier tracks 2 pairs\./)).toBeDefined()
  expect(card.queryByRole('button', { name: 'Open chart' })).toBeNull()
  expect(card.getByRole('button', { name: 'Remove pair' })).toBeDefined()
})

it('the dashboard says that there are no active widgets when none of the pairs is active', async () => {
  const { app } = await appWithPair({ coins: 4, seed: (app) => seedLimit(app, 0) })
  app.render(dashboard)
  const active = within(await screen.findByRole('region', { name: /^Active Widgets/ }))
  expect(active.getByText('None of your widgets is active.')).toBeDefined()
  const inactive = within(screen.getByRole('region', { name: /^Inactive Widgets/ }))
  expect(inactive.getByRole('article', { name: 'BTC / ETH' })).toBeDefined()
})

it('Open chart on a card opens the chart of that card’s pair', async () => {
  const app = await startLocalApp()
  await seedCoins(app, 4)
  const [, second] = await seedWidgets(app, 2)
  const charts: string[] = []
  app.render(<FedDashboard onOpenChart={(id) => charts.push(id)} />)
  const card = within(await screen.findByRole('article', { name: 'C2 / C3' }))
  await userEvent.click(card.getByRole('button', { name: 'Open chart' }))
  expect(charts).toEqual([second])
})

const prepare = async () => {
  const app = await startLocalApp()
  await seedCoins(app, 4)
  await seedWidgets(app, 2)
  app.render(dashboard)
  const card = within(await screen.findByRole('article', { name: 'BTC / ETH' }))
  await userEvent.click(card.getByRole('button', { name: 'Remove pair' }))
  return { app, dialog: within(await screen.findByRole('alertdialog', { name: 'Confirm Deletion' })) }
}

it('Remove pair asks for confirmation, and Cancel keeps the pair', async () => {
  const { app, dialog } = await prepare()
  await userEvent.click(dialog.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  expect(titles()).toEqual(['BTC / ETH', 'C2 / C3'])
  expect(await app.db.outbox.count()).toBe(0)
})

it('a removed pair leaves the screen at once, and the focus moves to the next card; Undo takes the deletion out of the outbox and the focus back', async () => {
  const { app, dialog } = await prepare()
  await userEvent.click(dialog.getByRole('button', { name: 'Remove' }))
  await waitFor(() => expect(titles()).toEqual(['C2 / C3']))
  await waitFor(async () =>
    expect((await app.db.outbox.toArray()).map((entry) => entry.kind)).toEqual(['widget.delete@1']),
  )
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('article', { name: 'C2 / C3' })))
  const [notice] = noticesOf(app)
  expect(notice).toMatchObject({ message: 'BTC / ETH removed.', action: { label: 'Undo' } })
  expect(app.syncs).toContain('command')

  notice!.action!.run()
  await waitFor(() => expect(titles()).toEqual(['BTC / ETH', 'C2 / C3']))
  expect(await app.db.outbox.count()).toBe(0)
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('article', { name: 'BTC / ETH' })))
})
