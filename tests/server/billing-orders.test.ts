import { expect, test } from 'vitest'
import { allAtOnce, oneAfterAnother, orderAt, ORDERS } from './support/billing-orders'
import { withBilling } from './support/for-file'

/** Of the orders, those that a run plays; the long runs play them all. */
const PLAYED = 20
const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000)
const places = Array.from({ length: PLAYED }, (_, i) => (seed + i * (ORDERS / PLAYED)) % ORDERS)

const scene = withBilling()

test('orderAt yields 720 different orders of six events', () => {
  const orders = Array.from({ length: ORDERS }, (_, place) => orderAt(place, 6).join(' '))
  expect(new Set(orders).size).toBe(6 * 5 * 4 * 3 * 2)
})

test(
  `six Stripe events in sampled orders, with repeats, always leave the subscriptions and tier of Stripe (seed ${seed})`,
  { tags: ['full'], timeout: 180_000 },
  async () => {
    for (const place of places) await oneAfterAnother(scene, place)
  },
)

test(
  `ten Stripe events posted at once leave the subscriptions and tier of Stripe (seed ${seed})`,
  { tags: ['full'], timeout: 180_000 },
  async () => {
    for (const place of places) await allAtOnce(scene, place)
  },
)
