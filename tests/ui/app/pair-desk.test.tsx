import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { navigate } from 'wouter/use-browser-location'
import { Screens } from '../../../src/app/screens'
import { readMeta } from '../../../src/db/database'
import * as chartRuns from '../../../src/features/chart/use-chart'
import { cardFocusAtom } from '../../../src/state/card-slot'
import { dashboardChoiceAtom } from '../../../src/state/dashboard-choice'
import {
  seedCoins,
  seedLimit,
  seedPrices,
  seedWidgets,
  startLocalApp,
  type LocalApp,
  noticesOf,
} from '../support/local-app'
import { setWidth } from '../support/viewport'
import { SLOW } from '../support/slow'
import { goTo } from '../support/go-to'

beforeEach(() => setWidth(1440))

/** Three pairs as a list, at an address of the app. */
async function desk(
  address: (ids: readonly string[]) => string = () => '/',
  keys = true,
  enter: (app: LocalApp) => void = () => undefined,
) {
  const app = await startLocalApp()
  await seedCoins(app, 6)
  await seedLimit(app, 5)
  const ids = await seedWidgets(app, 3)
  await seedPrices(app, { 0: 10, 1: 5, 2: 5, 3: 10, 4: 7, 5: 7 })
  app.store.set(dashboardChoiceAtom, { view: 'list', order: 'hand', keys })
  history.replaceState(null, '', address(ids))
  enter(app)
  app.render(<Screens />)
  await screen.findByRole('table', { name: 'Pairs' }, SLOW)
  return { app, ids }
}
const chartOf = (pair: string) => screen.findByRole('region', { name: `${pair} Historical Ratio` }, SLOW)
const charts = () => screen.queryAllByRole('region', { name: /Historical Ratio$/ })
const shownRow = () => document.querySelector('[role="row"][aria-current="true"] a')?.textContent

test('the chart of the first pair stands beside the list, and another pair’s row opens that pair’s address beside it', async () => {
  const { ids } = await desk()
  await chartOf('BTC/ETH')
  expect(location.pathname).toBe('/')
  expect(document.title).toMatch(/^Dashboard/)
  await userEvent.click(screen.getByRole('link', { name: 'C4 / C5' }))
  await chartOf('C4/C5')
  expect(location.pathname).toBe(`/chart/${ids[2]}/7d`)
  expect([charts().length, shownRow()]).toEqual([1, 'C4 / C5'])
  await waitFor(() => expect(document.title).toMatch(/^C4\/C5/))
  await userEvent.click(screen.getByRole('link', { name: 'C2 / C3' }))
  await chartOf('C2/C3')
  goTo('/')
  await chartOf('BTC/ETH')
  expect(screen.getByRole('table', { name: 'Pairs' })).toBeDefined()
})

test('a chart’s address at a desk shows the list with that chart, and closing the chart leaves the list alone', async () => {
  await desk((ids) => `/chart/${ids[1]}/1m`)
  const chart = within(await chartOf('C2/C3'))
  expect((await chart.findByRole('button', { name: '1m' })).getAttribute('aria-pressed')).toBe('true')
  await userEvent.click(chart.getByRole('button', { name: 'Close chart' }))
  await waitFor(() => expect([location.pathname, charts().length]).toEqual(['/', 0]))
  await userEvent.click(screen.getByRole('link', { name: 'BTC / ETH' }))
  await chartOf('BTC/ETH')
})

test('"Cards" leads from a chart’s address to the cards of all pairs', async () => {
  await desk((ids) => `/chart/${ids[1]}/1m`)
  await chartOf('C2/C3')
  await userEvent.click(await screen.findByRole('button', { name: 'Cards' }, SLOW))
  expect(await screen.findAllByRole('article')).toHaveLength(3)
  expect([location.pathname, charts().length]).toEqual(['/', 0])
  expect(document.title).toMatch(/^Dashboard/)
})

test('the place of the chart says that it loads, and can be closed, before this device’s last choice is read', async () => {
  await desk(
    (ids) => `/chart/${ids[1]}`,
    true,
    ({ db }) => {
      const get = db.meta.get.bind(db.meta) as (key: unknown) => never
      // A read that takes for ever.
      const never = new Promise(() => undefined) as never
      vi.spyOn(db.meta, 'get').mockImplementation((key: unknown) => (key === 'chart_choices' ? never : get(key)))
    },
  )
  expect(await screen.findByText('Loading historical data for chart...')).toBeDefined()
  await userEvent.click(screen.getByRole('button', { name: 'Close chart' }))
  await waitFor(() => expect([location.pathname, charts().length]).toEqual(['/', 0]))
})

test('"Close chart" gives the focus to the row of the pair whose chart it was', async () => {
  await desk((ids) => `/chart/${ids[1]}/1m`)
  const chart = within(await chartOf('C2/C3'))
  await userEvent.click(chart.getByRole('button', { name: 'Close chart' }))
  await waitFor(() => expect(charts()).toEqual([]))
  await waitFor(() => expect(document.activeElement?.textContent).toBe('C2 / C3'))
})

test('a chart that was opened from Alerts closes to Alerts, and the list keeps a chart beside it', async () => {
  const { app } = await desk(
    (ids) => `/chart/${ids[1]}/1m`,
    true,
    () => history.pushState({ from: 'alerts' }, '', location.pathname),
  )
  const chart = within(await chartOf('C2/C3'))
  const back = vi.spyOn(history, 'back').mockImplementation(() => {
    history.replaceState(null, '', '/alerts')
    window.dispatchEvent(new PopStateEvent('popstate'))
  })
  await userEvent.click(chart.getByRole('button', { name: 'Close chart' }))
  expect(back).toHaveBeenCalledOnce()
  await waitFor(() => expect(screen.queryByRole('table', { name: 'Pairs' })).toBeNull())
  expect(app.store.get(cardFocusAtom)).toBeNull()
  act(() => navigate('/'))
  await chartOf('BTC/ETH')
})

test('a chart beside the list that cannot be drawn is closed, and a message says so', async () => {
  const printed = vi.spyOn(console, 'error').mockReturnValue() // React reports there what it caught.
  vi.spyOn(chartRuns, 'useChart').mockImplementation(() => {
    throw new Error('no such column')
  })
  const { app } = await desk()
  await waitFor(
    () =>
      expect(noticesOf(app)).toMatchObject([
        { kind: 'error', message: expect.stringMatching(/^This part of the app could not be loaded\./) as string },
      ]),
    SLOW,
  )
  expect(screen.getByRole('table', { name: 'Pairs' })).toBeDefined()
  expect(charts()).toEqual([])
  expect(screen.queryByText('Loading historical data for chart...')).toBeNull()
  expect(printed).toHaveBeenCalledOnce()
})

test('without an active pair a chart’s address shows the chart, and the dashboard is named as such', async () => {
  const { app, ids } = await desk()
  document.title = 'Alerts'
  act(() => navigate(`/chart/${ids[1]}/1m`))
  await chartOf('C2/C3')
  for (const id of ids) await app.db.widgets.update(id, { is_active: false })
  await waitFor(() => expect(screen.queryByRole('heading', { name: /^Active Widgets/ })).toBeNull())
  expect(screen.queryByRole('table', { name: 'Pairs' })).toBeNull()
  await chartOf('C2/C3')
  act(() => navigate('/'))
  await screen.findByRole('heading', { name: /^Inactive Widgets/ })
  expect(document.title).toMatch(/^Dashboard/)
})

test('below 1024 px a chart takes the place of the list', async () => {
  setWidth(800)
  const { ids } = await desk()
  expect(charts()).toEqual([])
  await userEvent.click(screen.getByRole('link', { name: 'C2 / C3' }))
  await chartOf('C2/C3')
  expect(location.pathname).toBe(`/chart/${ids[1]}/7d`)
  expect(screen.queryByRole('table', { name: 'Pairs' })).toBeNull()
})

test('the headings of the table sort it, and say how it is sorted', async () => {
  await desk()
  const names = () => screen.getAllByRole('rowheader').map((cell) => within(cell).getByRole('link').textContent)
  const heading = screen.getByRole('columnheader', { name: 'Pair' })
  await userEvent.click(within(heading).getByRole('button'))
  await userEvent.click(within(heading).getByRole('button'))
  expect(heading.getAttribute('aria-sort')).toBe('descending')
  expect(names()).toEqual(['C4 / C5', 'C2 / C3', 'BTC / ETH'])
  expect(screen.getByRole<HTMLSelectElement>('combobox', { name: 'Order' }).value).toBe('name-down')
})

test('while a row is moved by keys, Escape puts it back and neither closes the chart nor opens a dialog', async () => {
  await desk()
  await chartOf('BTC/ETH')
  await screen.findByRole('button', { name: 'Keyboard shortcuts' }, SLOW)
  const handle = screen.getByRole('button', { name: 'Actions for BTC / ETH' })
  const dragged = () => document.querySelector('[role="row"][data-dragging]')
  handle.focus()
  await waitFor(() => {
    // Before drag and drop has loaded, Space picks nothing up.
    if (dragged() === null) fireEvent.keyDown(handle, { key: ' ', code: 'Space' })
    expect(dragged()).not.toBeNull()
  })
  await userEvent.keyboard('?nj')
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(document.activeElement).toBe(handle)
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(dragged()).toBeNull())
  expect(charts()).toHaveLength(1)
  await userEvent.click(handle)
  expect(screen.getByRole('menu', { name: 'Actions for BTC / ETH' })).toBeDefined()
})

test('J and K walk the pairs with the focus, and the chart follows', async () => {
  const { ids } = await desk()
  await chartOf('BTC/ETH')
  await userEvent.keyboard('jj')
  expect(document.activeElement?.textContent).toBe('C4 / C5')
  await chartOf('C4/C5')
  expect(location.pathname).toBe(`/chart/${ids[2]}/7d`)
  await userEvent.keyboard('j')
  expect(document.activeElement?.textContent).toBe('C4 / C5')
  await userEvent.keyboard('k')
  await chartOf('C2/C3')
  expect(document.activeElement?.textContent).toBe('C2 / C3')
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(charts()).toEqual([]))
})

test('"/" leads to the search, where letters are text; "n" opens Create New Pair, over which no key acts', async () => {
  await desk()
  await screen.findByRole('button', { name: 'Keyboard shortcuts' }, SLOW)
  await userEvent.keyboard('/')
  const search = screen.getByRole<HTMLInputElement>('searchbox', { name: 'Search pairs' })
  expect(document.activeElement).toBe(search)
  await userEvent.keyboard('jn?')
  expect(search.value).toBe('jn?')
  await userEvent.keyboard('{Escape}n')
  expect(await screen.findByRole('dialog', { name: 'Create New Pair' }, SLOW)).toBeDefined()
  act(() => (document.activeElement as HTMLElement).blur())
  await userEvent.keyboard('?')
  expect(screen.queryByRole('dialog', { name: 'Keyboard shortcuts' })).toBeNull()
})

test('"?" lists the keys with a switch that takes the single keys away, also for the next start', async () => {
  const { app } = await desk()
  await screen.findByRole('button', { name: 'Keyboard shortcuts' }, SLOW)
  await userEvent.keyboard('{Shift>}?{/Shift}')
  const dialog = within(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' }, SLOW))
  await userEvent.click(dialog.getByRole('checkbox', { name: 'Use single keys as shortcuts on this device' }))
  await userEvent.click(dialog.getByRole('button', { name: 'Close' }))
  await waitFor(async () => expect((await readMeta(app.db, 'dashboard'))?.keys).toBe(false))
  await chartOf('BTC/ETH')
  await userEvent.keyboard('j/n?')
  expect(screen.queryByRole('dialog')).toBeNull()
  expect([location.pathname, document.activeElement?.tagName]).toEqual(['/', 'BODY'])
})

test.each(['{Control>}j{/Control}', '{Meta>}n{/Meta}', '{Alt>}/{/Alt}', '{Shift>}J{/Shift}'])(
  'keys with a modifier are left to the browser: %s',
  async (pressed) => {
    await desk()
    await screen.findByRole('button', { name: 'Keyboard shortcuts' }, SLOW)
    await userEvent.keyboard(pressed)
    expect(document.activeElement).toBe(document.body)
    expect(screen.queryByRole('dialog')).toBeNull()
  },
)
