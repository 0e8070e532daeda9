import { act, screen, waitFor } from '@testing-library/react'
import { memo, Profiler } from 'react'
import { expect, it } from 'vitest'
import type { WidgetRow } from '../../../src/db/rows'
import { FedDashboard } from '../support/fed'
import { WidgetCard } from '../../../src/features/widget-card/widget-card'
import type { CardSlot, ListSlot } from '../../../src/state/card-slot'
import { dashboardChoiceAtom } from '../../../src/state/dashboard-choice'
import { pricesAtom } from '../../../src/state/live-data'
import { List } from '../widget-card/list/list-app'
import { seedCoins, seedLimit, seedPrices, seedWidgets, START, startLocalApp, summaryOf } from '../support/local-app'

const CARDS = 50
const pairs = Array.from({ length: CARDS }, (_, index) => [2 + index, 1] as const)
const pricesWith = (changed: Readonly<Record<number, number>> = {}) => ({
  1: 2,
  ...Object.fromEntries(pairs.map(([a]) => [a, 100 + a])),
  ...changed,
})

/** Fifty cards, each against ethereum; commits inside each card are counted by title. */
async function fiftyCards(ofSeven: Partial<WidgetRow> = {}) {
  const rendered = new Map<string, number>()
  // A profiler also reports when only it was rendered, so it stands behind the same memo as the card.
  const CountedCard = memo((slot: CardSlot) => (
    <Profiler
      id={slot.widget.coinA.symbol}
      onRender={(symbol) => rendered.set(symbol, (rendered.get(symbol) ?? 0) + 1)}
    >
      <WidgetCard {...slot} />
    </Profiler>
  ))
  const asked: number[] = []
  const app = await startLocalApp({
    summaries: (wanted, now) => {
      asked.push(now)
      return Promise.resolve(wanted.map(({ coinA, coinB }) => ({ ...summaryOf(0, 1), coinA, coinB })))
    },
  })
  await seedCoins(app, CARDS + 2)
  await seedLimit(app, CARDS)
  await seedWidgets(app, pairs)
  await app.db.widgets.filter((row) => row.coin_a_id === 'coin-7').modify(ofSeven)
  await seedPrices(app, pricesWith())
  app.render(<FedDashboard Card={CountedCard} onOpenChart={noop} />)
  await waitFor(() => expect(screen.getAllByText('+1.23%').length).toBe(CARDS))
  // Sparklines come with code of their own, and are rendered in slices.
  await waitFor(() => expect(document.querySelectorAll('svg[data-direction]').length).toBe(CARDS))
  // The sentence below the thresholds comes with code of its own, and renders its card when it is there.
  if (ofSeven.high_threshold != null) await screen.findByText('Set, nobody is told:', { exact: false })
  // Effects of the first render, such as subscribing, count as its aftermath.
  await act(async () => {})
  const askedBefore = asked.length
  rendered.clear()
  return { app, rendered, asked: () => asked.length - askedBefore }
}
const noop = () => undefined

/** The titles of the cards in which anything changes from now on, whoever writes it. */
function changingCards(): ReadonlySet<string> {
  const changed = new Set<string>()
  const observer = new MutationObserver((records) => {
    for (const { target } of records) {
      const element = target instanceof Element ? target : target.parentElement
      const title = element?.closest('article')?.querySelector('h3')?.textContent
      if (title != null) changed.add(title)
    }
  })
  observer.observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true })
  return changed
}

it('a price poll writes into only the cards whose price changed, and renders no card', async () => {
  const { app, rendered, asked } = await fiftyCards()
  const changed = changingCards()
  app.setNow(START + 30_000)
  await seedPrices(app, pricesWith({ 7: 300, 9: 400 }), START + 30_000)
  await screen.findByText('$300.00')
  await waitFor(() => expect(asked()).toBeGreaterThan(0))
  await waitFor(() => expect([...changed].toSorted()).toEqual(['C7 / ETH', 'C9 / ETH']))
  expect(rendered.size).toBe(0)
})

it('a card renders when its ratio crosses a threshold, and no other card renders', async () => {
  const { app, rendered } = await fiftyCards({ high_threshold: 60 })
  await seedPrices(app, pricesWith({ 7: 119, 9: 400 }), START + 1)
  await screen.findByText('59.5000')
  expect([...rendered.keys()]).toEqual([])
  await seedPrices(app, pricesWith({ 7: 121, 9: 500 }), START + 2)
  await screen.findByText('Above high')
  expect([...rendered.keys()]).toEqual(['C7'])
})

it('no card renders when a price poll confirms known prices', async () => {
  const { app, rendered, asked } = await fiftyCards()
  await seedPrices(app, pricesWith(), START + 75_000)
  await waitFor(() => expect(app.store.get(pricesAtom)?.polled_at).toBe(START + 75_000))
  expect([asked(), rendered.size]).toEqual([0, 0])
  app.setNow(START + 300_000)
  // Five minutes on, the day that the summaries show is another one.
  await seedPrices(app, pricesWith(), START + 300_000)
  await waitFor(() => expect(asked()).toBeGreaterThan(0))
  expect(rendered.size).toBe(0)
})

it('only the card of a changed widget renders', async () => {
  const { app, rendered } = await fiftyCards()
  const [widget] = await app.db.widgets.filter((row) => row.coin_a_id === 'coin-7').toArray()
  await app.db.widgets.update(widget!.id, { high_threshold: 60 })
  await waitFor(() => expect(rendered.size).toBeGreaterThan(0))
  expect([...rendered.keys()]).toEqual(['C7'])
})

it('a price poll writes into only the rows of the list whose price changed, and renders no row', async () => {
  const rendered: string[] = []
  const app = await startLocalApp({
    summaries: (wanted) => Promise.resolve(wanted.map(({ coinA, coinB }) => ({ ...summaryOf(0, 1), coinA, coinB }))),
  })
  await seedCoins(app, CARDS + 2)
  await seedLimit(app, CARDS)
  await seedWidgets(app, pairs)
  await seedPrices(app, pricesWith())
  app.store.set(dashboardChoiceAtom, { view: 'list', order: 'rises', keys: true })
  const CountedList = (slot: ListSlot) => (
    <Profiler id="list" onRender={(id) => rendered.push(id)}>
      <List {...slot} />
    </Profiler>
  )
  app.render(<FedDashboard List={CountedList} onOpenChart={noop} />)
  await waitFor(() => expect(screen.getAllByText('+1.23%').length).toBe(CARDS))
  await act(async () => {})
  rendered.length = 0
  const changed = new Set<string>()
  const observer = new MutationObserver((records) => {
    for (const { target } of records) {
      const element = target instanceof Element ? target : target.parentElement
      changed.add(element?.closest('[role="row"]')?.querySelector('a')?.textContent ?? 'elsewhere')
    }
  })
  observer.observe(screen.getByRole('table'), { subtree: true, childList: true, characterData: true, attributes: true })
  await seedPrices(app, pricesWith({ 7: 300, 9: 400 }), START + 1)
  await screen.findByText('150.000')
  await waitFor(() => expect([...changed].toSorted()).toEqual(['C7 / ETH', 'C9 / ETH']))
  observer.disconnect()
  expect(rendered).toEqual([])
})
