import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { writeMeta } from '../../../src/db/database'
import { FedDashboard } from '../support/fed'
import { openDialog } from '../support/open-dialog'
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

const PAIRS = [
  [0, 1],
  [1, 0],
  [2, 3],
  [4, 5],
] as const

/** Two pairs more than the tier tracks. */
async function twoTooMany(account: (app: LocalApp) => Promise<unknown>, max = 1) {
  const app = await startLocalApp()
  await seedCoins(app, 6)
  await account(app)
  const limits = { max_widgets: max, max_checkpoints_per_widget: 1 }
  await writeMeta(app.db, 'tier_limits', { limits: { free: limits, premium: limits }, fetched_at: START })
  await seedWidgets(app, PAIRS.slice(0, max + 2))
  await seedPrices(app, { 0: 10, 1: 5, 2: 4, 3: 2, 4: 9, 5: 3 })
  app.render(<FedDashboard />)
  const inactive = await screen.findByRole('region', { name: /^Inactive Widgets/ })
  const section = within(inactive)
  const [first, second] = section.getAllByRole('article').map((article) => within(article))
  return { app, section, first: first!, second: second! }
}

it('a premium user’s first inactive pair is next in line, and no inactive pair offers an upgrade', async () => {
  const { section, first, second } = await twoTooMany(signIn)
  expect(await first.findByText('Limit Reached')).toBeDefined()
  expect(first.getByText('Next in line')).toBeDefined()
  expect(await second.findByText('Limit Reached')).toBeDefined()
  expect(second.queryByText('Next in line')).toBeNull()
  expect(
    await section.findByText(
      'Your tier tracks 1 pair. The first of these becomes active when you remove an active pair. Or make one active in place of another.',
    ),
  ).toBeDefined()
  expect(section.queryByRole('button', { name: /upgrade/i })).toBeNull()
})

it('a guest’s inactive pair leads to the login', async () => {
  const { app, second } = await twoTooMany(async () => undefined)
  expect(await second.findByText('Limit Reached')).toBeDefined()
  await userEvent.click(second.getByRole('button', { name: 'Log in to upgrade' }))
  expect(openDialog(app.store, 'auth')).toEqual({ kind: 'auth', view: 'login' })
})

it('a free user’s inactive pair leads to the upgrade', async () => {
  const { app, first } = await twoTooMany((one) => signIn(one, { premium: false }))
  await userEvent.click(await first.findByRole('button', { name: 'Upgrade' }))
  expect(openDialog(app.store, 'upgrade')).toBeDefined()
})

it('one sentence over all inactive pairs says why they are, with one button that leads to the upgrade', async () => {
  const { app, section } = await twoTooMany((one) => signIn(one, { premium: false }))
  const text = await section.findByText(/^Your tier tracks 1 pair\./)
  expect(section.getAllByText(/Your tier tracks/)).toEqual([text])
  await userEvent.click(within(text.parentElement!).getByRole('button', { name: 'Upgrade' }))
  expect(openDialog(app.store, 'upgrade')).toBeDefined()
})

it('an inactive pair has no switch, and its only buttons move, remove and activate the pair', async () => {
  const { first } = await twoTooMany(signIn)
  await first.findByRole('button', { name: 'Make active' })
  expect(first.queryByRole('switch')).toBeNull()
  expect(first.getAllByRole('button').map((button) => button.getAttribute('aria-label') ?? button.textContent)).toEqual(
    ['Move pair', 'Remove pair', 'Make active'],
  )
})

it('an inactive pair shows its ratio and its prices, and nothing in their place while a price is not known', async () => {
  const { app, second } = await twoTooMany(signIn)
  expect((await second.findByText('2.0000')).parentElement).toHaveProperty('hidden', false)
  expect(second.getAllByRole('listitem').map((item) => item.textContent)).toEqual(['C2 $4.0000', 'C3 $2.0000'])
  await seedPrices(app, { 2: 4 })
  await waitFor(() => expect(second.getAllByRole('listitem').map((item) => item.textContent)).toEqual(['C2 $4.0000']))
  expect(second.queryByText('2.0000')).toBeNull()
  expect(second.queryByText('N/A')).toBeNull()
})

const titles = (name: RegExp) =>
  within(screen.getByRole('region', { name }))
    .getAllByRole('article')
    .map((article) => within(article).getByRole('heading').textContent)

it('by keyboard, an inactive pair takes the place of the chosen active pair, its card has the focus, and the change waits', async () => {
  const { app, second } = await twoTooMany((one) => signIn(one, { premium: false }), 2)
  const user = userEvent.setup()
  const button = await second.findByRole('button', { name: 'Make active' })
  button.focus()
  await user.keyboard('{Enter}')
  const dialog = within(await screen.findByRole('dialog', { name: 'Make C4 / C5 active' }))
  const radios = dialog.getAllByRole('radio')
  expect(radios.map((radio) => [radio.closest('label')?.textContent, (radio as HTMLInputElement).checked])).toEqual([
    ['BTC / ETH2.0000', false],
    ['ETH / BTC0.500000', true],
  ])
  await user.click(radios[0]!)
  expect(dialog.getByRole('status').textContent).toBe(
    'BTC / ETH becomes inactive. It keeps its thresholds and checkpoints.',
  )
  await user.click(dialog.getByRole('button', { name: 'Make active' }))
  await waitFor(() => expect(titles(/^Active Widgets/)).toEqual(['C4 / C5', 'ETH / BTC']))
  expect(titles(/^Inactive Widgets/)).toEqual(['C2 / C3', 'BTC / ETH'])
  await waitFor(() =>
    expect(document.activeElement?.getAttribute('aria-labelledby')).toBe(
      screen.getByRole('heading', { name: 'C4 / C5' }).id,
    ),
  )
  const [entry] = await app.db.outbox.toArray()
  expect(entry).toMatchObject({ kind: 'layout.reorder@1', payload: { exchange: true }, not_before: 0 })
  expect(noticesOf(app).map(({ message }) => message)).toEqual(['C4 / C5 is active in place of BTC / ETH.'])
  expect(app.syncs).toContain('command')
})

it('an exchange is sent and said although the board cannot be read after it, and the failure is reported', async () => {
  const { app, first } = await twoTooMany(signIn)
  await userEvent.click(await first.findByRole('button', { name: 'Make active' }))
  const dialog = within(await screen.findByRole('dialog'))
  const reports = catchReports()
  // Not awaited: the dashboard would show the failure, and no dialog, before the click.
  const damaged = app.db.meta.put({ key: 'coins', value: 'not a list' } as never)
  fireEvent.click(dialog.getByRole('button', { name: 'Make active' }))
  await damaged
  await waitFor(() =>
    expect(noticesOf(app).map(({ message }) => message)).toEqual(['ETH / BTC is active in place of BTC / ETH.']),
  )
  expect(await app.db.outbox.count()).toBe(1)
  expect(app.syncs).toContain('command')
  expect(reports).not.toEqual([])
})

it('closing the dialog exchanges nothing, and an active pair with alerts says that they pause', async () => {
  const { app, first } = await twoTooMany(signIn)
  const { id } = (await app.db.widgets.toCollection().sortBy('display_order'))[0]!
  await app.db.widgets.update(id, { notifications_enabled: true })
  await userEvent.click(await first.findByRole('button', { name: 'Make active' }))
  const dialog = within(await screen.findByRole('dialog'))
  await waitFor(() =>
    expect(dialog.getByRole('status').textContent).toContain('its alerts pause until it is active again'),
  )
  expect(dialog.getByRole('img', { name: 'Alerts on' })).toBeDefined()
  await userEvent.click(dialog.getByRole('button', { name: 'Cancel' }))
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(await app.db.outbox.count()).toBe(0)
})
