import { afterAll, beforeAll, expect, test } from 'vitest'
import { allAtOnce, oneAfterAnother, ORDERS } from '../server/support/billing-orders'
import { billingScene, type BillingScene } from '../server/support/billing-scene'

/** Every order of six webhook events, with repetitions, through the SDK and a stand-in of Stripe; on whichever database. */
let scene: BillingScene
beforeAll(async () => {
  scene = await billingScene()
})
afterAll(() => scene.close())

test('six Stripe events, sent one after the other in all 720 orders, give the expected subscriptions and tier', async () => {
  for (let place = 0; place < ORDERS; place++) await oneAfterAnother(scene, place)
})

test('ten Stripe events sent at once, in all 720 orders of six, give the expected subscriptions and tier', async () => {
  const before = scene.stripe.calls.length
  for (let place = 0; place < ORDERS; place++) await allAtOnce(scene, place)
  console.log(`${ORDERS} times ten events at once: ${scene.stripe.calls.length - before} calls of Stripe's API`)
  expect((await scene.taken()).length).toBeGreaterThanOrEqual(2 * 6 * ORDERS)
})
