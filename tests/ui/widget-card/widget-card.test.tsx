import { fireEvent, screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { updateWidget } from '../../../src/db/commands/update-widget'
import { Dashboard } from '../../../src/features/dashboard/dashboard'
import { WidgetCard } from '../../../src/features/widget-card/widget-card'
import { seedCoins, seedPrices, seedWidgets, START, startLocalApp } from '../support/local-app'
import { writeMeta } from '../../../src/db/queries/meta'
import { coinNumber } from '../support/local-app'

async function card(prices: Readonly<Record<number, number>>) {
  const app = await startLocalApp()
  await seedCoins(app, 2)
  const [id] = await seedWidgets(app, [[0, 1]])
  await seedPrices(app, prices)
  app.render(<Dashboard Card={WidgetCard} onOpenChart={() => undefined} />)
  const article = await screen.findByRole('article', { name: 'BTC / ETH' })
  return { app, id: id!, article, card: within(article) }
}

describe('figures of a card', () => {
  it('show very small and very large prices whole', async () => {
    const { card: shown } = await card({ 0: 0.0000000123, 1: 123_456.78 })
    expect(await shown.findByText('$1.23e-8')).toBeDefined()
    expect(shown.getByText('$123,456.78')).toBeDefined()
    expect(shown.getByText('9.9630e-14')).toBeDefined()
  })

  it('say "N/A" while a price is not known, and for a ratio to nothing', async () => {
    const { app, card: shown } = await card({ 0: 5 })
    expect(await shown.findByText('$5.0000')).toBeDefined()
    expect(shown.getByText('Current ratio').nextSibling?.textContent).toBe('N/A')
    await seedPrices(app, { 0: 5, 1: 0 })
    expect(await shown.findByText('$0.00')).toBeDefined()
    expect(shown.getByText('Current ratio').nextSibling?.textContent).toBe('N/A')
  })

  it('are marked for a moment when they change, and only then', async () => {
    const { app, card: shown } = await card({ 0: 10, 1: 5 })
    const ratio = await shown.findByText('2.0000')
    expect(ratio.className).not.toMatch(/rose|fell/)
    await seedPrices(app, { 0: 20, 1: 5 }, START + 1)
    expect((await shown.findByText('4.0000')).className).toMatch(/rose/)
    expect(shown.getByText('$5.0000').className).not.toMatch(/rose|fell/)
    await seedPrices(app, { 0: 15, 1: 5 }, START + 2)
    const fallen = await shown.findByText('3.0000')
    expect(fallen.className).toMatch(/fell/)
    fireEvent.animationEnd(fallen)
    expect(shown.getByText('3.0000').className).not.toMatch(/rose|fell/)
  })
})

describe('a coin without a picture', () => {
  it('is "N/A", also when its picture cannot be loaded', async () => {
    const app = await startLocalApp()
    await writeMeta(app.db, 'coins', {
      coins: [{ ...coinNumber(0), image: '/coins/bitcoin.svg' }, coinNumber(1)],
      fetched_at: START,
      etag: null,
    })
    await seedWidgets(app, [[0, 1]])
    app.render(<Dashboard Card={WidgetCard} onOpenChart={() => undefined} />)
    const article = await screen.findByRole('article', { name: 'BTC / ETH' })
    const missing = () => within(article).getAllByText('N/A', { selector: '[aria-hidden]' }).length
    expect(missing()).toBe(1)
    for (const picture of article.querySelectorAll('img')) fireEvent.error(picture)
    expect(missing()).toBe(2)
  })
})

describe('what waits', () => {
  it('is said on the card itself', async () => {
    const { app, id, card: shown } = await card({ 0: 10, 1: 5 })
    expect(shown.queryByText(/wait/)).toBeNull()
    await updateWidget(app.services.commands, id, { high_threshold: 3 })
    expect(await shown.findByText('1 change waits')).toBeDefined()
  })
})
