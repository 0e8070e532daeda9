import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import type * as PairSheetModule from '../../../src/app/pair-sheet-route'
import { Screens } from '../../../src/app/screens'
import { openDialogAtom } from '../../../src/state/open-dialogs'
import { openDialog } from '../support/open-dialog'
import {
  seedCheckpoints,
  seedCoins,
  seedLimit,
  seedWidgets,
  signIn,
  startLocalApp,
  type LocalApp,
  noticesOf,
} from '../support/local-app'
import { setWidth } from '../support/viewport'
import { SLOW } from '../support/slow'
import { webManifest } from '../../../web-manifest'
import { goTo } from '../support/go-to'

const sheetCode = vi.hoisted(() => ({ isMissing: false }))
vi.mock('../../../src/app/pair-sheet-route', async (importOriginal) => {
  const { PairSheetRoute } = await importOriginal<typeof PairSheetModule>()
  return {
    get PairSheetRoute() {
      if (sheetCode.isMissing) throw new Error('Failed to fetch')
      return PairSheetRoute
    },
  }
})

beforeEach(() => setWidth(1440))

async function open(address: string): Promise<LocalApp> {
  history.replaceState(null, '', address)
  const app = await startLocalApp()
  await seedCoins(app, 4)
  app.render(<Screens />)
  return app
}
/** The address behind a shortcut of the installed app. */
const shortcut = (name: string): string => webManifest.shortcuts!.find((one) => one.name === name)!.url
const heading = (name: string) => screen.findByRole('heading', { level: 1, name }, SLOW)

test.each([
  ['/status', 'Status', 'Status · Crypto Ratio Tracker'],
  ['/settings', 'Settings', 'Settings · Crypto Ratio Tracker'],
  ['/alerts', 'Alerts History', 'Alerts · Crypto Ratio Tracker'],
  ['/no/such/page', 'There is no such page', 'Not found · Crypto Ratio Tracker'],
])('the address %s shows its screen and document title', async (address, name, title) => {
  await open(address)
  expect(await heading(name)).toBeTruthy()
  await waitFor(() => expect(document.title).toBe(title))
})

test('the page of an unknown address leads to the dashboard and to the alerts', async () => {
  await open('/no/such/page')
  await heading('There is no such page')
  const ways = within(screen.getByRole('main')).getAllByRole<HTMLAnchorElement>('link')
  expect(ways.map(({ pathname, textContent }) => [pathname, textContent])).toEqual([
    ['/', 'Go to the dashboard'],
    ['/alerts', 'Open alerts'],
  ])
})

test('the installed app’s shortcut Add pair opens Create New Pair and removes the query from the address', async () => {
  await open(shortcut('Add pair'))
  expect(await screen.findByRole('dialog', { name: 'Create New Pair' }, SLOW)).toBeTruthy()
  expect(location.href).toBe(new URL('/', location.href).href)
})

test('the installed app’s shortcut Add pair at the tier’s limit says so with a way to upgrade, and opens no dialog', async () => {
  history.replaceState(null, '', shortcut('Add pair'))
  const app = await startLocalApp()
  await seedCoins(app, 10)
  await seedLimit(app, 4)
  await seedWidgets(
    app,
    [0, 2, 4, 6].map((coin) => [coin, coin + 1] as const),
  )
  app.render(<Screens />)
  await waitFor(
    () =>
      expect(noticesOf(app)).toMatchObject([
        { message: expect.stringMatching(/Upgrade to add more widgets\.$/), action: { label: 'Upgrade' } },
      ]),
    SLOW,
  )
  act(() => noticesOf(app)[0]?.action?.run())
  expect(openDialog(app.store, 'upgrade')).toBeDefined()
  expect(screen.queryByRole('dialog', { name: 'Create New Pair' })).toBeNull()
  expect(location.href).toBe(new URL('/', location.href).href)
})

test('the installed app’s shortcut Status opens the status page', async () => {
  await open(shortcut('Status'))
  expect(await heading('Status')).toBeTruthy()
})

test('a pair sheet whose code could not be fetched is shown at the second visit', async () => {
  // React prints what the screen's error boundary caught.
  vi.spyOn(console, 'error').mockReturnValue()
  sheetCode.isMissing = true
  await open('/radar/c0/c1')
  expect(await heading('Something went wrong on this screen')).toBeDefined()
  sheetCode.isMissing = false
  goTo('/radar')
  await heading('Radar')
  goTo('/radar/c0/c1')
  await waitFor(() => expect(document.title).toBe('c0 / c1 · Crypto Ratio Tracker'), SLOW)
})

test('a change of screen focuses the content, scrolls to the top, and updates the document title', async () => {
  const scrollTo = vi.spyOn(window, 'scrollTo')
  await open('/status')
  await heading('Status')
  expect(document.activeElement).toBe(document.body)

  await userEvent.click(screen.getByRole('link', { name: 'Alerts' }))
  await heading('Alerts History')
  expect(document.activeElement).toBe(screen.getByRole('main'))
  expect(scrollTo).toHaveBeenCalledWith(0, 0)
  await waitFor(() => expect(document.title).toMatch(/^Alerts/))
})

test('a new screen starts at its top even after a step back within the screen before', async () => {
  await open('/status')
  await heading('Status')
  act(() => void window.dispatchEvent(new PopStateEvent('popstate')))
  const scrollTo = vi.spyOn(window, 'scrollTo')
  await userEvent.click(screen.getByRole('link', { name: 'Alerts' }))
  await heading('Alerts History')
  expect(scrollTo).toHaveBeenCalledWith(0, 0)
})

test('a step back to a screen leaves the scroll position to the browser', async () => {
  await open('/status')
  await heading('Status')
  await userEvent.click(screen.getByRole('link', { name: 'Alerts' }))
  await heading('Alerts History')
  const scrollTo = vi.spyOn(window, 'scrollTo')
  goTo('/status')
  await heading('Status')
  expect(scrollTo).not.toHaveBeenCalled()
})

async function managing() {
  const app = await open('/')
  await signIn(app)
  const [widget] = await seedWidgets(app, [[0, 1]])
  const [first, second] = await seedCheckpoints(app, widget!, [10, 20])
  await screen.findByRole('article', { name: 'BTC / ETH' }, SLOW)
  act(() => app.store.set(openDialogAtom, { kind: 'checkpoints', widget: widget! }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Manage Checkpoints' }, SLOW))
  return { app, dialog, first, second }
}

test('the Manage Checkpoints dialog closes with its screen, and commits its edits', async () => {
  const { app, dialog, first } = await managing()
  const deletions = await dialog.findAllByRole('button', { name: 'Delete' }, SLOW)
  await userEvent.click(deletions[0]!)
  goTo('/status')
  await heading('Status')
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(openDialog(app.store, 'checkpoints')).toBeUndefined()
  await waitFor(async () =>
    expect((await app.db.outbox.toArray()).map(({ payload }) => payload)).toMatchObject([{ checkpoint_ids: [first] }]),
  )
})

test('a chart has an address with its period, and closing the chart leads back to its card', async () => {
  const app = await open('/')
  const [, second] = await seedWidgets(app, 2)
  const card = await screen.findByRole('article', { name: 'C2 / C3' }, SLOW)
  await userEvent.click(within(card).getByRole('button', { name: 'Open chart' }))
  await screen.findByRole('region', { name: 'C2/C3 Historical Ratio' }, SLOW)
  await waitFor(() => expect(location.pathname).toBe(`/chart/${second}/7d`))
  await waitFor(() => expect(document.title).toBe('C2/C3 · Crypto Ratio Tracker'))

  await userEvent.click(screen.getByRole('button', { name: '1m' }))
  expect(location.pathname).toBe(`/chart/${second}/1m`)

  const back = vi.spyOn(history, 'back').mockImplementation(() => {
    history.replaceState(null, '', '/')
    window.dispatchEvent(new PopStateEvent('popstate'))
  })
  await userEvent.click(screen.getByRole('button', { name: 'Close chart' }))
  expect(back).toHaveBeenCalledOnce()
  const again = await screen.findByRole('article', { name: 'C2 / C3' })
  await waitFor(() => expect(again.contains(document.activeElement)).toBe(true))
})

test('a chart opened by its address closes to the dashboard, and shows 7d for an unknown period', async () => {
  const app = await open('/')
  const [first] = await seedWidgets(app, [[0, 1]])
  goTo(`/chart/${first}/nonsense`)
  await screen.findByRole('region', { name: 'BTC/ETH Historical Ratio' }, SLOW)
  expect(screen.getByRole('button', { name: '7d', pressed: true })).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Close chart' }))
  expect(location.pathname).toBe('/')
  expect(await screen.findByRole('article', { name: 'BTC / ETH' })).toBeTruthy()
})
