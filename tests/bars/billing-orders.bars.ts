import { afterAll, beforeAll, expect, test } from 'vitest'
import { allAtOnce, oneAfterAnother, ORDERS } from '../server/support/billing-orders'
import { billingScene, type BillingScene } from '../server/support/billing-scene'

/** Every order of six webhook events, with repetitions, through the SDK and a stand-in of Stripe; on whichever database. */
let scene: BillingScene
beforeAll(async () => {
  scene = await billingScene()
})
afterAll(() => scene.close())

test('all 720 orders, one event after the other', async () => {
  for (let place = 0; place < ORDERS; place++) await oneAfterAnother(scene, place)
})

test('all 720 orders, ten events at once', async () => {
  const before = scene.stripe.calls.length
  for (let place = 0; place < ORDERS; place++) await allAtOnce(scene, place)
  console.log(`${ORDERS} times ten events at once: ${scene.stripe.calls.length - before} calls of Stripe's API`)
  expect((await scene.taken()).length).toBeGreaterThanOrEqual(2 * 6 * ORDERS)
})
