import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import type { MarketSource } from '../../../src/contract/market'
import { addWidget } from '../../../src/db/commands/widgets'
import { writeMeta } from '../../../src/db/database'
import { Shell } from '../../../src/features/shell/shell'
import { openDialog } from '../support/open-dialog'
import { appWithPair } from '../support/app-with-pair'
import {
  coinNumber,
  seedCoins,
  seedLimit,
  signIn,
  START,
  startLocalApp,
  type LocalApp,
  noticesOf,
} from '../support/local-app'
import { setWidth } from '../support/viewport'
import { SLOW } from '../support/slow'
import { fed } from '../support/fed'

// The first import of a lazy part compiles it.
beforeEach(() => history.replaceState(null, '', '/'))

const page = fed(
  <Shell>
    <p>content</p>
  </Shell>,
)

const seedConfig = (app: LocalApp, source: MarketSource) =>
  writeMeta(app.db, 'config', {
    fetched_at: START,
    config: {
      version: '1.0.0',
      vapid_public_key: null,
      google: null,
      billing: { available: false, sandbox: true },
      market_data: {
        source,
        price_url: '/api/v3',
        attribution: { text: 'Data provided by Example', url: 'https://example.org/' },
      },
      support_email: 'help@example.org',
    },
  })

const linksAndButtons = (container: HTMLElement) =>
  [...container.querySelectorAll('a, button')].map((element) => element.textContent)

test('the sidebar from 768 px lists every screen and no other, and marks the current screen', async () => {
  setWidth(768)
  const app = await startLocalApp()
  app.render(page)
  const navigation = screen.getByRole('navigation', { name: 'Main' })
  expect(linksAndButtons(navigation)).toEqual([
    'Dashboard',
    'Add Pair',
    'Radar',
    'Alerts',
    'Status',
    'Settings',
    'Feedback',
  ])
  expect(screen.queryByRole('button', { name: 'Open menu' })).toBeNull()

  await userEvent.click(screen.getByRole('link', { name: 'Status' }))
  expect(location.pathname).toBe('/status')
  expect(screen.getByRole('link', { name: 'Status' }).getAttribute('aria-current')).toBe('page')
  expect(screen.getByRole('link', { name: 'Dashboard' }).getAttribute('aria-current')).toBeNull()
})

test('the sidebar marks Dashboard as current while a chart is open', async () => {
  setWidth(1440)
  history.replaceState(null, '', '/chart/some-widget/7d')
  const app = await startLocalApp()
  app.render(page)
  expect(screen.getByRole('link', { name: 'Dashboard' }).getAttribute('aria-current')).toBe('page')
})

test('under 768 px there are tabs and a menu drawer, which closes with Escape and gives the focus back', async () => {
  setWidth(767)
  const app = await startLocalApp()
  app.render(page)
  const tabs = screen.getByRole('navigation', { name: 'Tabs' })
  expect(linksAndButtons(tabs)).toEqual(['Dashboard', 'Add Pair', 'Radar', 'Alerts', 'Status'])

  const menu = screen.getByRole('button', { name: 'Open menu' })
  await userEvent.click(menu)
  const drawer = await screen.findByRole('dialog', { name: 'Menu' }, SLOW)
  expect(linksAndButtons(within(drawer).getByRole('navigation'))).toEqual([
    'Dashboard',
    'Add Pair',
    'Radar',
    'Alerts',
    'Status',
    'Settings',
    'Feedback',
  ])
  act(() => void drawer.dispatchEvent(new Event('cancel', { cancelable: true })))
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(document.activeElement).toBe(menu)
})

test('the menu drawer closes when the user follows a link in it', async () => {
  setWidth(360)
  const app = await startLocalApp()
  app.render(page)
  await userEvent.click(screen.getByRole('button', { name: 'Open menu' }))
  const drawer = await screen.findByRole('dialog', { name: 'Menu' }, SLOW)
  await userEvent.click(within(drawer).getByRole('link', { name: 'Settings' }))
  expect(location.pathname).toBe('/settings')
  expect(screen.queryByRole('dialog')).toBeNull()
})

test.each([
  [740, 'an upright phone turned sideways'],
  [844, 'a large phone held sideways'],
  [320, '400 % zoom'],
])('at a width of %i px in a low window the tabs stand in the upper bar beside the menu: %s', async (width) => {
  setWidth(width, 360)
  const app = await startLocalApp()
  app.render(page)
  const bar = within(screen.getByRole('banner'))
  expect(linksAndButtons(bar.getByRole('navigation', { name: 'Tabs' }))).toEqual([
    'Dashboard',
    'Add Pair',
    'Radar',
    'Alerts',
    'Status',
  ])
  expect(screen.getAllByRole('navigation')).toHaveLength(1)
  expect(bar.getByRole('button', { name: 'Open menu' })).toBeDefined()
  expect(bar.getByRole('button', { name: 'Account' })).toBeDefined()
})

test('the menu stays open while the phone is turned', async () => {
  setWidth(360, 740)
  const app = await startLocalApp()
  app.render(page)
  await userEvent.click(screen.getByRole('button', { name: 'Open menu' }))
  const drawer = await screen.findByRole('dialog', { name: 'Menu' }, SLOW)
  setWidth(740, 360)
  expect(screen.getByRole('dialog', { name: 'Menu' })).toBe(drawer)
})

test('a desktop window keeps its sidebar however low it is', async () => {
  setWidth(1440, 400)
  const app = await startLocalApp()
  app.render(page)
  expect(screen.getByRole('navigation', { name: 'Main' })).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Open menu' })).toBeNull()
})

test('Add Pair opens the dialog while the widget limit is not reached', async () => {
  setWidth(1440)
  const app = await startLocalApp()
  app.render(page)
  await userEvent.click(screen.getByRole('button', { name: 'Add Pair' }))
  expect(openDialog(app.store, 'add-pair')).toBeDefined()
})

test('Add Pair at the widget limit opens nothing, says why and offers the upgrade', async () => {
  setWidth(1440)
  const { app } = await appWithPair({ seed: (app) => seedLimit(app, 1) })
  app.render(page)
  await waitFor(() =>
    expect(screen.getByRole('button', { name: 'Add Pair' }).getAttribute('aria-disabled')).toBe('true'),
  )
  await userEvent.click(screen.getByRole('button', { name: 'Add Pair' }))
  expect(openDialog(app.store, 'add-pair')).toBeUndefined()
  const sentence = 'Maximum number of widgets (1) reached for your account tier.'
  expect(screen.getByRole('tooltip').textContent).toBe(sentence)
  const [toast] = noticesOf(app)
  expect(toast).toMatchObject({ kind: 'info', message: sentence, action: { label: 'Upgrade' } })
  act(() => toast!.action!.run())
  expect(openDialog(app.store, 'upgrade')).toBeDefined()
})

test('Add Pair at the highest widget limit offers no upgrade', async () => {
  setWidth(1440)
  const seed = async (app: LocalApp) => {
    await signIn(app)
    await seedLimit(app, 1)
  }
  const { app } = await appWithPair({ seed })
  app.render(page)
  await waitFor(() =>
    expect(screen.getByRole('button', { name: 'Add Pair' }).getAttribute('aria-disabled')).toBe('true'),
  )
  await userEvent.click(screen.getByRole('button', { name: 'Add Pair' }))
  expect(noticesOf(app).map(({ action }) => action)).toEqual([undefined])
})

test('the shell says at the top and in the footer that prices are simulated', async () => {
  setWidth(1440)
  const app = await startLocalApp()
  app.render(page)
  expect(screen.queryByText('Simulated prices')).toBeNull()
  await seedConfig(app, 'simulated')
  expect(await screen.findByText('Simulated prices')).toBeTruthy()
  await waitFor(() => expect(screen.getByRole('contentinfo').textContent).toContain('Prices are simulated'))
})

test('the footer credits real prices to their provider with a link', async () => {
  setWidth(360)
  const app = await startLocalApp()
  await seedConfig(app, 'coingecko')
  app.render(page)
  const credit = await screen.findByRole<HTMLAnchorElement>('link', { name: 'Data provided by Example' })
  expect(screen.getByRole('contentinfo').contains(credit)).toBe(true)
  expect(credit.href).toBe('https://example.org/')
  expect(screen.queryByText('Simulated prices')).toBeNull()
})

test('the status line says Offline without a network, and opens the list of waiting changes', async () => {
  setWidth(1440)
  const app = await startLocalApp()
  await seedCoins(app, 2)
  await addWidget(app.services.commands, { coinA: coinNumber(0).id, coinB: coinNumber(1).id })
  app.render(page)
  await screen.findByText('content')
  expect(screen.queryByText('Offline')).toBeNull()

  const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  act(() => void window.dispatchEvent(new Event('offline')))
  expect(await screen.findByText('Offline', {}, SLOW)).toBeTruthy()
  await userEvent.click(await screen.findByRole('button', { name: /^1 change waits since / }))
  expect(openDialog(app.store, 'changes')).toBeDefined()

  online.mockRestore()
  act(() => void window.dispatchEvent(new Event('online')))
  expect(screen.queryByText('Offline')).toBeNull()
})
