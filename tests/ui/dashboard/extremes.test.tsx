import { act, screen, within } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { keepExtremes } from '../../../src/app/alerts/start-alerts'
import type { ChanceCount } from '../../../src/domain/chance-of-extremes'
import { readMeta } from '../../../src/db/database'
import type { PairStanding } from '../../../src/domain/standing'
import { dashboardChoiceAtom } from '../../../src/state/dashboard-choice'
import { FedDashboard } from '../support/fed'
import { seedCoins, seedLimit, seedPrices, seedWidgets, startLocalApp, summaryOf } from '../support/local-app'
import { placed } from '../../support/placed'

const standing = (percentile: number, z: number, days = 90): PairStanding =>
  placed({ days, percentile, z, extreme: percentile >= 0.95 ? 'high' : percentile <= 0.05 ? 'low' : null })

/** One pair for each place, the coins 2, 3, ... against coin 1. */
async function board(
  standings: readonly (PairStanding | null)[],
  { chance, closesAge = null }: { chance?: ChanceCount; closesAge?: number | null } = {},
) {
  const app = await startLocalApp({
    chance: () => Promise.resolve(chance ?? null),
    summaries: (wanted) =>
      Promise.resolve(
        wanted.map(({ coinA, coinB }) => ({
          ...summaryOf(0, 1, { standing: standings[Number(/\d+/.exec(coinA)![0]) - 2] ?? null, closesAge }),
          coinA,
          coinB,
        })),
      ),
  })
  await seedCoins(app, standings.length + 2)
  await seedLimit(app, 20)
  await seedWidgets(
    app,
    standings.map((_, index) => [index + 2, 1] as const),
  )
  await seedPrices(app, { 1: 2, ...Object.fromEntries(standings.map((_, index) => [index + 2, 10])) })
  app.render(<FedDashboard />)
  return app
}

it('the line above the pairs names those at an extreme, the most extreme first, and counts those not known', async () => {
  await board([standing(0.96, 1.8), standing(0.5, 0), standing(0, -2.2), null])
  const line = await screen.findByRole('group', { name: 'Extremes' })
  expect(line.querySelector('p')?.textContent).toBe('2 of 4 at an extreme of 90 days · 1 not known yet')
  const links = within(line).getAllByRole('link')
  expect(links.map((link) => link.textContent)).toEqual(['C4 / ETH low, lowest of 90 days', 'C2 / ETH high, 96th'])
  expect(links[0]!.title).toBe('Lowest of 90 days, 2.2 deviations below the average')
})

it.each([
  ['None of your 2 pairs is at an extreme of its 90 days', [standing(0.5, 0), standing(0.94, 1)]],
  ['Your pair is not at an extreme of its 90 days', [standing(0.5, 0)]],
])('the line above the pairs says "%s"', async (words, standings) => {
  await board(standings)
  expect(await screen.findByText(words)).toBeDefined()
})

it('the line says "none" only once all places are known', async () => {
  await board([standing(0.5, 0), standing(0.94, 1), null])
  expect(await screen.findByText('2 of 3 known, none at an extreme; 1 follow')).toBeDefined()
})

it('a pair beyond its threshold is named first, and once if it is at an extreme too', async () => {
  const app = await board([standing(0.96, 1.8), standing(0.99, 2.5), standing(0.5, 0), standing(0.5, 0)])
  const line = await screen.findByRole('group', { name: 'Extremes' })
  const widgetOf = async (coin: string) =>
    (await app.db.widgets.toArray()).find(({ coin_a_id }) => coin_a_id === coin)!.id
  const [extreme, middle] = [await widgetOf('coin-2'), await widgetOf('coin-4')]
  await act(async () => {
    await app.db.widgets.update(extreme, { high_threshold: 4, high_threshold_active: true })
    await app.db.widgets.update(middle, { low_threshold: 6, low_threshold_active: true })
  })
  await vi.waitFor(() =>
    expect(
      within(line)
        .getAllByRole('link')
        .map((link) => link.textContent),
    ).toEqual(['C2 / ETH crossed high, 96th', 'C4 / ETH crossed low', 'C3 / ETH high, 99th']),
  )
  expect(line.querySelector('p')?.textContent).toBe('2 of 4 at an extreme of 90 days')
  // A low threshold above all the days.
  await act(() =>
    app.db.widgets.update(extreme, { high_threshold: null, low_threshold: 6, low_threshold_active: true }),
  )
  await within(line).findByText('crossed low, yet high for its 90 days (96th)', { exact: false })
})

it('the line says beside its count what shuffled days put there, and more than chance only above their range', async () => {
  await board([standing(0.96, 1.8), standing(0.99, 2.5)], { chance: { median: 1, low: 0, high: 2 } })
  const line = await screen.findByRole('group', { name: 'Extremes' })
  const words = () => [...line.querySelectorAll('p')].map(({ textContent }) => textContent)
  await vi.waitFor(() => expect(words()).toEqual(['2 of 2 at an extreme of 90 days', 'by chance 1 (0 to 2)']))
})

it('above the range of shuffled days the line says that these are more than chance', async () => {
  await board([standing(0.96, 1.8), standing(0.99, 2.5)], { chance: { median: 0, low: 0, high: 1 } })
  expect(await screen.findByText('more than chance (0 to 1)')).toBeDefined()
})

it('of closes that are behind, the line names no extreme, and the card says how old they are or up to which day they go', async () => {
  await board([placed({ percentile: 0.99, z: 2, days: 87, closesTo: 20_410 }), null], { closesAge: 3 })
  expect(await screen.findByText('The daily closes are 3 days old: no extremes are named.')).toBeDefined()
  const card = (name: string) => within(screen.getByRole('article', { name }))
  expect(card('C2 / ETH').getByRole('link', { name: /99th percentile of 90 days.* to Nov 18/ })).toBeDefined()
  expect(card('C3 / ETH').getByRole('link', { name: 'closes are 3 days old' })).toBeDefined()
})

it('a card shows its place in 90 days, marked at an extreme, and says it in one sentence', async () => {
  await board([standing(0.97, 1.93), standing(0.3, -0.5, 62), null])
  await screen.findByRole('group', { name: 'Extremes' })
  const card = (name: string) => within(screen.getByRole('article', { name }))
  const high = await card('C2 / ETH').findByRole('link', { name: /97th percentile/ })
  expect(high.textContent).toBe('97th · +1.9σ in 90 days97th percentile of 90 days, 1.9 deviations above the average')
  expect(high.closest('p')?.dataset['extreme']).toBe('high')
  const middle = card('C3 / ETH').getByRole('link', { name: /30th percentile of 62 days/ })
  expect(middle.closest('p')?.dataset['extreme']).toBeUndefined()
  expect(card('C4 / ETH').queryByText(/90 days/)).toBeNull()
})

it('cards stand in the chosen order without handles to move them, and by hand again as before', async () => {
  const app = await board([standing(0.5, 0), standing(0.97, 1.9), standing(0.2, -1)])
  const titles = () => screen.getAllByRole('heading', { level: 3 }).map((heading) => heading.textContent)
  await screen.findByRole('group', { name: 'Extremes' })
  const byHand = ['C2 / ETH', 'C3 / ETH', 'C4 / ETH']
  expect(titles()).toEqual(byHand)
  act(() => app.store.set(dashboardChoiceAtom, { view: 'cards', order: 'extreme', keys: true }))
  await vi.waitFor(() => expect(titles()).toEqual(['C3 / ETH', 'C4 / ETH', 'C2 / ETH']))
  expect(screen.queryByRole('button', { name: 'Move pair' })).toBeNull()
  act(() => app.store.set(dashboardChoiceAtom, { view: 'cards', order: 'hand', keys: true }))
  await vi.waitFor(() => expect(titles()).toEqual(byHand))
  expect(screen.getAllByRole('button', { name: 'Move pair' })).toHaveLength(3)
  expect(await app.db.outbox.count()).toBe(0)
})

it('the number of pairs at an extreme is kept for the app badge', async () => {
  const app = await board([standing(0.96, 1.8), standing(0.5, 0), standing(0.01, -2.2)])
  await screen.findByRole('group', { name: 'Extremes' })
  keepExtremes(app.store, app.db)
  await vi.waitFor(async () => expect(await readMeta(app.db, 'extremes')).toMatchObject({ count: 2 }))
})
