import { expect, test } from 'vitest'
import { checkNewPair } from '../../src/domain/new-pair'
import { pairLabel, pairTitle } from '../../src/domain/pair'

const limits = (max_widgets: number) => ({ max_widgets, max_checkpoints_per_widget: 1 })
const btcEth = { coinA: 'bitcoin', coinB: 'ethereum' }

test('the label and the heading of a pair are upper case', () => {
  expect(pairLabel('btc', 'Eth')).toBe('BTC/ETH')
  expect(pairTitle({ coinA: { symbol: 'btc' }, coinB: { symbol: 'Eth' } })).toBe('BTC / ETH')
})

test('a new pair may be added, and so may its reverse', () => {
  expect(checkNewPair({ ...btcEth, label: 'BTC/ETH', existing: [], limits: limits(1) })).toBeNull()
  const reverse = { coinA: 'ethereum', coinB: 'bitcoin', label: 'ETH/BTC', existing: [btcEth], limits: limits(2) }
  expect(checkNewPair(reverse)).toBeNull()
})

test('the same ordered pair and a pair of one coin with itself are refused', () => {
  expect(checkNewPair({ ...btcEth, label: 'BTC/ETH', existing: [btcEth], limits: limits(5) })).toBe(
    'The exact pair BTC/ETH already exists.',
  )
  const same = { coinA: 'bitcoin', coinB: 'bitcoin', label: 'BTC/BTC', existing: [btcEth], limits: limits(5) }
  expect(checkNewPair(same)).toBe('Base and Quote cryptocurrencies cannot be the same.')
})

test.each([
  [2, 'Maximum number of widgets (2) reached for your account tier.'],
  [3, 'Maximum number of widgets (3) reached for your account tier.'],
  [4, 'Maximum number of widgets (4) reached for your account tier. Upgrade to add more widgets.'],
])('at a limit of %i widgets no further pair may be added', (max, sentence) => {
  const existing = Array.from({ length: max }, (_, i) => ({ coinA: 'bitcoin', coinB: `coin-${i}` }))
  expect(checkNewPair({ ...btcEth, label: 'BTC/ETH', existing, limits: limits(max) })).toBe(sentence)
  expect(checkNewPair({ ...btcEth, label: 'BTC/ETH', existing: existing.slice(1), limits: limits(max) })).toBeNull()
})
