import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { readMeta, writeMeta } from '../../../src/db/database'
import { removeWidget } from '../../../src/db/commands/widgets'
import { FedDashboard } from '../support/fed'
import {
  type LocalApp,
  seedCoins,
  seedPrices,
  seedWidgets,
  setPremium,
  signIn,
  startLocalApp,
  noticesOf,
} from '../support/local-app'

const section = (title: 'Active' | 'Inactive') =>
  screen.queryByRole('region', { name: new RegExp(`^${title} Widgets`) })
const names = (title: 'Active' | 'Inactive') => {
  const region = section(title)
  const cards = region === null ? [] : within(region).queryAllByRole('article')
  return cards.map((card) => within(card).getByRole('heading').textContent)
}
const toasts = (app: LocalApp) => noticesOf(app).map(({ message }) => message)

/** Premium tracks all the pairs, free only so many. */
async function dashboard({
  premium,
  free = 2,
  pairs = 3,
}: {
  premium: boolean
  free?: number
  pairs?: Parameters<typeof seedWidgets>[1]
}) {
  const app = await startLocalApp()
  await signIn(app, { premium })
  const limits = (await readMeta(app.db, 'tier_limits'))!
  const { premium: most } = limits.limits
  await writeMeta(app.db, 'tier_limits', { ...limits, limits: { premium: most, free: { ...most, max_widgets: free } } })
  await seedCoins(app, 6)
  const ids = await seedWidgets(app, pairs)
  await seedPrices(app, { 0: 10, 1: 5, 2: 4, 3: 2, 4: 9, 5: 3 })
  app.render(<FedDashboard />)
  await screen.findAllByRole('article')
  return { app, ids }
}

it('a lower tier makes the pairs beyond its limit inactive, and a higher tier makes all active again in the same order', async () => {
  const { app } = await dashboard({ premium: true })
  expect([names('Active'), names('Inactive')]).toEqual([['BTC / ETH', 'C2 / C3', 'C4 / C5'], []])
  await setPremium(app, false)
  await waitFor(() => expect(names('Inactive')).toEqual(['C4 / C5']))
  expect(names('Active')).toEqual(['BTC / ETH', 'C2 / C3'])
  const upgrades = () => within(section('Inactive')!).queryAllByRole('button', { name: 'Upgrade' })
  await waitFor(() => expect(upgrades()).toHaveLength(2))
  await setPremium(app, true)
  await waitFor(() => expect(names('Active')).toEqual(['BTC / ETH', 'C2 / C3', 'C4 / C5']))
  expect(section('Inactive')).toBeNull()
  expect(toasts(app)).toEqual([])
})

it('before the tier limits are known, pairs stay active as the server says, and the notice names their number as the limit', async () => {
  const { app, ids } = await dashboard({ premium: false, free: 4 })
  const fourth = (await app.db.widgets.get(ids[2]!))!
  await app.db.widgets.put({
    ...fourth,
    id: 'a fourth' as never,
    coin_a_id: fourth.coin_b_id,
    coin_b_id: fourth.coin_a_id,
    display_order: 3,
    is_active: false,
  })
  await app.db.meta.delete('tier_limits')
  await waitFor(() => expect(names('Inactive')).toEqual(['C5 / C4']))
  expect(names('Active')).toHaveLength(3)
  expect(await within(section('Inactive')!).findByText(/^Your tier tracks 3 pairs\./)).toBeDefined()
})

const openHigh = async () => {
  const card = within(screen.getByRole('article', { name: 'C4 / C5' }))
  await userEvent.click(card.getByRole('button', { name: 'High threshold' }))
  await screen.findByRole('dialog', { name: 'C4 / C5 - High Alert' })
}
const closed = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())

it('the threshold dialog closes with a toast when its pair becomes inactive', async () => {
  const { app } = await dashboard({ premium: true })
  await openHigh()
  await setPremium(app, false)
  await closed()
  expect(toasts(app)).toEqual(['This pair is inactive now.'])
})

it('the threshold dialog closes with a toast when its pair is removed', async () => {
  const { app, ids } = await dashboard({ premium: true })
  await openHigh()
  await removeWidget(app.services.commands, ids[2]!)
  await closed()
  expect(toasts(app)).toEqual(['This pair is no longer on your dashboard.'])
})

it('the threshold dialog closes without a toast when the user cancels, and when the session passes to another owner', async () => {
  const { app } = await dashboard({ premium: true })
  await openHigh()
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  await closed()
  await openHigh()
  const session = (await app.db.session.get('current'))!
  await app.db.session.put({ ...session, owner: session.anonymous_id, tokens: null, user: null })
  await closed()
  expect(toasts(app)).toEqual([])
})

const slotOf = (card: string) => screen.getByRole('article', { name: card }).parentElement!
const pickUp = async (card: string) => {
  const handle = within(screen.getByRole('article', { name: card })).getByRole('button', { name: 'Move pair' })
  await waitFor(() => expect(document.querySelector('[id^="DndLiveRegion"]')).not.toBeNull())
  fireEvent.pointerDown(handle, { isPrimary: true, button: 0, clientX: 100, clientY: 100 })
  fireEvent.pointerMove(document, { clientX: 100, clientY: 140 })
  await waitFor(() => expect(slotOf(card).hasAttribute('data-dragging')).toBe(true))
}
const putDown = () => act(async () => void fireEvent.pointerUp(document, { clientX: 100, clientY: 140 }))

it('a dragged pair that becomes inactive stays among the inactive pairs, and its drop stores nothing', async () => {
  const { app } = await dashboard({
    premium: true,
    pairs: [
      [0, 1],
      [2, 3],
      [4, 5],
      [1, 2],
    ],
  })
  await pickUp('ETH / C2')
  await setPremium(app, false)
  await waitFor(() => expect(names('Inactive')).toEqual(['C4 / C5', 'ETH / C2']))
  await putDown()
  await act(() => new Promise((resolve) => setTimeout(resolve, 50)))
  expect([names('Active'), names('Inactive')]).toEqual([
    ['BTC / ETH', 'C2 / C3'],
    ['C4 / C5', 'ETH / C2'],
  ])
  expect(await app.db.outbox.count()).toBe(0)
})

it('the drag of a pair that becomes the only active pair ends at its place, and the drop stores nothing', async () => {
  const { app } = await dashboard({ premium: true, free: 1 })
  await pickUp('BTC / ETH')
  await setPremium(app, false)
  await waitFor(() => expect(names('Inactive')).toHaveLength(2))
  await waitFor(() => expect(slotOf('BTC / ETH').style.transform).toBe(''))
  expect(slotOf('BTC / ETH').hasAttribute('data-dragging')).toBe(false)
  await putDown()
  expect(await app.db.outbox.count()).toBe(0)
})
