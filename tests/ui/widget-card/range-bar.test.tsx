import { act, fireEvent, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { summariesAtom, pairKey } from '../../../src/state/live-data'
import { coinNumber, seedPrices, START, summaryOf } from '../support/local-app'
import { oneCard } from './one-card'
import { placed } from '../../support/placed'

const pair = pairKey({ coinA: coinNumber(0).id, coinB: coinNumber(1).id })

const standing = placed()
const words = 'Now 2.0000, 5% of 90 days below 1.0000, 95% of 90 days below 3.0000'

it('the range bar follows the ratio on the scale of 90 days, and describes in one sentence what is drawn', async () => {
  const { app, card, id } = await oneCard({ widget: { high_threshold: 2.5, low_threshold: 0.5 } })
  const bar = await card.findByRole('img')
  act(() => app.store.set(summariesAtom, new Map([[pair, { ...summaryOf(0, 1), standing }]])))
  await waitFor(() =>
    expect(bar.getAttribute('aria-label')).toBe(`${words}, low threshold 0.500000, high threshold 2.5000`),
  )
  const [, low, high, , now] = [...bar.children] as HTMLElement[]
  const places = () => [low, high, now].map((mark) => (mark!.hidden ? null : mark!.style.transform))
  expect(places()).toEqual(['translateX(0%)', 'translateX(70%)', 'translateX(50%)'])
  await seedPrices(app, { 0: 25, 1: 5 }, START + 1)
  await waitFor(() => expect(now!.style.transform).toBe('translateX(100%)'))
  await app.db.widgets.update(id, { high_threshold: null })
  await waitFor(() => expect(places()).toEqual(['translateX(0%)', null, 'translateX(100%)']))
})

it('the range bar shows the ratios at its ends and what it spans, at first the last day, and says all of it as a tooltip', async () => {
  const { app, card } = await oneCard({ widget: { high_threshold: 2.5, low_threshold: 1.5 } })
  act(() => app.store.set(summariesAtom, new Map([[pair, summaryOf(0, 1)]])))
  expect(await card.findByText('24h range')).toBeDefined()
  act(() => app.store.set(summariesAtom, new Map([[pair, { ...summaryOf(0, 1), standing }]])))
  const legend = (await card.findByText('90 days, 5 – 95%')).closest('p')
  expect([...(legend?.children ?? [])].map((part) => part.textContent)).toEqual([
    '1.0000',
    '90 days, 5 – 95%',
    '3.0000',
  ])
  fireEvent.pointerEnter(card.getByRole('img'))
  expect(card.getByRole('img').title).toContain(words)
  await seedPrices(app, { 0: 25, 1: 5 }, START + 1)
  expect(await card.findByText('now above')).toBeDefined()
})
