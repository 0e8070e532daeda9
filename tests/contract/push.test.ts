import { expect, test } from 'vitest'
import { alertMessage } from '../../src/contract/alerts'

const message = {
  type: 'alert',
  event_id: '019afb2e-0000-7000-8000-000000000001:low:1',
  owner: 'a'.repeat(43),
  widget_id: '019afb2e-0000-7000-8000-000000000001',
  coin_a_id: 'bitcoin',
  coin_b_id: 'ethereum',
  pair: 'BTC / ETH',
  side: 'low',
  epoch: 1,
  ratio: 20,
  threshold: 25,
  crossed_at: '2026-01-02T03:04:05.000Z',
}

test('an alert message may carry the ratio 0 of a coin that fell to nothing, but no threshold of 0', () => {
  expect(alertMessage.parse({ ...message, ratio: 0 })).toEqual({ ...message, ratio: 0 })
  expect(alertMessage.safeParse({ ...message, ratio: -1 }).success).toBe(false)
  expect(alertMessage.safeParse({ ...message, threshold: 0 }).success).toBe(false)
})
