import { act, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { summariesAtom, pairKey } from '../../../src/state/live-data'
import { coinNumber, seedPrices, START, summaryOf } from '../support/local-app'
import { oneCard } from './one-card'

const pair = pairKey({ coinA: coinNumber(0).id, coinB: coinNumber(1).id })

it('the range bar follows the ratio between thresholds, and describes in one sentence what is drawn', async () => {
  const { app, card } = await oneCard({ widget: { high_threshold: 3, low_threshold: 1 } })
  const bar = await card.findByRole('img')
  await waitFor(() =>
    expect(bar.getAttribute('aria-label')).toBe('Now 2.0000, low threshold 1.0000, high threshold 3.0000'),
  )
  const now = bar.lastElementChild as HTMLElement
  expect(now.style.transform).toBe('translateX(50%)')
  await seedPrices(app, { 0: 25, 1: 5 }, START + 1)
  await waitFor(() => expect(now.style.transform).toBe('translateX(100%)'))
  expect(bar.getAttribute('aria-label')).toBe('Now 5.0000, low threshold 1.0000, high threshold 3.0000')
})

it('the range bar without thresholds is drawn quietly, between lowest and highest of the last day', async () => {
  const { app, card, id } = await oneCard()
  const bar = await card.findByRole('img')
  await waitFor(() => expect(bar.getAttribute('aria-label')).toBe('Now 2.0000'))
  const [, low, high, , now] = [...bar.children] as HTMLElement[]
  expect([low!.hidden, high!.hidden, now!.hidden]).toEqual([true, true, true])
  act(() => app.store.set(summariesAtom, new Map([[pair, summaryOf(0, 1)]])))
  await waitFor(() =>
    expect(bar.getAttribute('aria-label')).toBe(
      'Now 2.0000, lowest of the last day 1.0000, highest of the last day 3.0000',
    ),
  )
  expect([low!.hidden, high!.hidden, now!.hidden]).toEqual([false, false, false])
  expect(low!.hasAttribute('data-quiet')).toBe(true)
  await app.db.widgets.update(id, { low_threshold: 1.5 })
  await waitFor(() => expect(low!.hasAttribute('data-quiet')).toBe(false))
  expect(high!.hasAttribute('data-quiet')).toBe(true)
})

it('the range bar shows the ratios at its ends and what it spans, and says all of it as a tooltip', async () => {
  const { app, card, id } = await oneCard()
  act(() => app.store.set(summariesAtom, new Map([[pair, summaryOf(0, 1)]])))
  expect(await card.findByText('24h range')).toBeDefined()
  expect(card.getByText('now at 50%')).toBeDefined()
  expect(card.getByRole('img').title).toBe('Now 2.0000, lowest of the last day 1.0000, highest of the last day 3.0000')
  await app.db.widgets.update(id, { low_threshold: 1.5, high_threshold: 2.5 })
  const legend = (await card.findByText('Low – high threshold')).closest('p')
  expect([...(legend?.children ?? [])].map((part) => part.textContent)).toEqual([
    '1.5000',
    'Low – high thresholdnow at 50%',
    '2.5000',
  ])
  await seedPrices(app, { 0: 25, 1: 5 }, START + 1)
  expect(await card.findByText('now above')).toBeDefined()
})
