import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { updateWidget } from '../../../src/db/commands/widgets'
import { writeMeta } from '../../../src/db/database'
import { FedDashboard } from '../support/fed'
import { appWithPair } from '../support/app-with-pair'
import { priceRow, pricesRow } from '../../support/price-row'
import { coinNumber, seedPrices, seedWidgets, START, startLocalApp } from '../support/local-app'
import { descriptionOf, oneCard } from './one-card'

it('a card shows very small and very large prices and ratios whole', async () => {
  const { card } = await oneCard({ prices: { 0: 0.0000000123, 1: 123_456.78 } })
  expect(await card.findByText('$1.23e-8')).toBeDefined()
  expect(card.getByText('$123,456.78')).toBeDefined()
  expect(card.getByText('9.9630e-14')).toBeDefined()
})

it('a card shows "N/A" as ratio while a price is not known, and when the second price is 0', async () => {
  const { app, card } = await oneCard({ prices: { 0: 5 } })
  const ratio = card.getByRole('button', { name: 'Current ratio' })
  expect(await card.findByText('$5.0000')).toBeDefined()
  expect(ratio.textContent).toBe('N/A')
  await seedPrices(app, { 0: 5, 1: 0 })
  expect(await card.findByText('$0.00')).toBeDefined()
  expect(ratio.textContent).toBe('N/A')
})

it('a card marks a figure for a moment when the figure changes, and only then', async () => {
  const { app, card } = await oneCard()
  const ratio = await card.findByText('2.0000')
  expect(ratio.dataset.mark).toBeUndefined()
  await seedPrices(app, { 0: 20, 1: 5 }, START + 1)
  await card.findByText('4.0000')
  expect(ratio.dataset.mark).toBe('rose')
  expect(card.getByText('$20.00').dataset.mark).toBe('rose')
  expect(card.getByText('$5.0000').dataset.mark).toBeUndefined()
  await waitFor(() => expect(ratio.dataset.mark).toBeUndefined())
  await seedPrices(app, { 0: 15, 1: 5 }, START + 2)
  await card.findByText('3.0000')
  expect(ratio.dataset.mark).toBe('fell')
})

it('the ratio button of a card is described by the ratio that the card shows', async () => {
  const { app, card } = await oneCard()
  const ratio = card.getByRole('button', { name: 'Current ratio' })
  expect(descriptionOf(ratio)).toBe('2.0000')
  await seedPrices(app, { 0: 20, 1: 5 }, START + 1)
  await waitFor(() => expect(descriptionOf(ratio)).toBe('4.0000'))
})

it('a card says how old its prices are once they are older than ten minutes', async () => {
  const { app, card } = await oneCard()
  await card.findByText('2.0000')
  expect(card.queryByText(/ago$/)).toBeNull()
  await seedPrices(app, { 0: 10, 1: 5 }, START - 12 * 60_000)
  expect((await card.findByText('12 min ago')).textContent).toBe('Prices from 12 min ago')
})

it.each([
  [0, 'BTC'],
  [1, 'ETH'],
])('a card names the coin whose price alone is old, and calls no side armed (coin %i)', async (old, symbol) => {
  const { app, card } = await oneCard({ widget: { notifications_enabled: true, high_threshold: 90 } })
  await card.findByText('2.0000')
  const { prices, ...row } = pricesRow({ [coinNumber(0).id]: 10, [coinNumber(1).id]: 5 }, START)
  const price = priceRow({ ...prices[coinNumber(old).id], provider_time: START - 12 * 60_000 })
  await app.db.prices.put({ ...row, prices: { ...prices, [coinNumber(old).id]: price } })
  expect(await card.findByText(`${symbol} price is 12 min old`)).toBeDefined()
  const high = card.getByRole('button', { name: 'High threshold' })
  expect(descriptionOf(high)).toBe('90.0000, armed, not judged while a price is old')
  expect(within(high).getByText('Not judged')).toBeDefined()
  await app.db.prices.put({ ...row, prices })
  expect(await within(high).findByText('Armed')).toBeDefined()
  expect(card.queryByText(/min old$/)).toBeNull()
})

it('a card shows its coins by name, symbol and price, the first of the pair first', async () => {
  const { card } = await oneCard({ prices: { 0: 10, 1: 5 } })
  await card.findByText('$10.00')
  const rows = card.getAllByRole('listitem').map(({ textContent }) => textContent)
  expect(rows).toEqual(['N/ABitcoinBTC$10.00', 'N/AEthereumETH$5.0000'])
})

it('a coin without a picture shows "N/A", also when its picture cannot be loaded', async () => {
  const app = await startLocalApp()
  await writeMeta(app.db, 'coins', {
    coins: [{ ...coinNumber(0), image: '/coins/bitcoin.svg' }, coinNumber(1)],
    fetched_at: START,
    etag: null,
  })
  await seedWidgets(app, [[0, 1]])
  app.render(<FedDashboard />)
  const article = await screen.findByRole('article', { name: 'BTC / ETH' })
  const missing = () => within(article).getAllByText('N/A', { selector: 'li [aria-hidden]' }).length
  expect(missing()).toBe(1)
  for (const picture of article.querySelectorAll('img')) picture.dispatchEvent(new Event('error'))
  await waitFor(() => expect(missing()).toBe(2))
})

it('a card says how many changes of its pair wait', async () => {
  const { app, id, card } = await oneCard()
  expect(card.queryByText(/wait/)).toBeNull()
  await updateWidget(app.services.commands, id, { alerts: { high: { threshold: 3 } } })
  expect(await card.findByText('1 change waits')).toBeDefined()
})

it('the title of a card is a link to the chart, and a click opens the chart in place', async () => {
  const opened: string[] = []
  const { app, id } = await appWithPair()
  app.render(<FedDashboard onOpenChart={(widget) => opened.push(widget)} />)
  const link = await screen.findByRole('link', { name: 'BTC / ETH' })
  expect(link.getAttribute('href')).toBe(`/chart/${id}`)
  fireEvent.click(link)
  expect(opened).toEqual([id])
})

it('a click on the title of a card with Ctrl held is left to the browser', async () => {
  const opened: string[] = []
  const { app } = await appWithPair()
  app.render(<FedDashboard onOpenChart={(widget) => opened.push(widget)} />)
  expect(fireEvent.click(await screen.findByRole('link', { name: 'BTC / ETH' }), { ctrlKey: true })).toBe(true)
  expect(opened).toEqual([])
})
