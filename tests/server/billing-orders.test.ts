import { afterAll, beforeAll, expect, test } from 'vitest'
import { allAtOnce, oneAfterAnother, orderAt, ORDERS } from './support/billing-orders'
import { billingScene, type BillingScene } from './support/billing-scene'

/** Of the orders, those that a run plays; the long runs play them all. */
const PLAYED = 20
const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000)
const places = Array.from({ length: PLAYED }, (_, i) => (seed + i * (ORDERS / PLAYED)) % ORDERS)

let scene: BillingScene
beforeAll(async () => {
  scene = await billingScene()
})
afterAll(() => scene.close())

test('all orders of six events are different ones', () => {
  const orders = Array.from({ length: ORDERS }, (_, place) => orderAt(place, 6).join(' '))
  expect(new Set(orders).size).toBe(6 * 5 * 4 * 3 * 2)
})

test(`in whatever order six events arrive, and again: what is stored is what is so (seed ${seed})`, async () => {
  for (const place of places) await oneAfterAnother(scene, place)
}, 180_000)

test(`ten at once leave what is so (seed ${seed})`, async () => {
  for (const place of places) await allAtOnce(scene, place)
}, 180_000)
