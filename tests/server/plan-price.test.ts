import { afterEach, beforeEach, expect, test } from 'vitest'
import { config } from '../../src/contract/settings'
import { decimalAmount } from '../../server/adapters/payments/stripe'
import { PaymentsUnavailable } from '../../server/adapters/payments/payments'
import { knownPrice } from '../../server/services/billing/payment-provider'
import { HOUR } from '../../src/domain/granularity'
import { billingScene, type BillingScene } from './support/billing-scene'
import { fakePayments } from './support/fake-payments'
import { testClock } from './support/test-clock'

let scene: BillingScene
beforeEach(async () => {
  scene = await billingScene()
})
afterEach(() => scene.close())

const told = async () => config.parse((await scene.server.app.inject('/api/v1/config')).json()).billing.price
const asked = () => scene.stripe.calls.filter(({ path }) => path.startsWith('/v1/prices/')).length
const MONTHLY = { amount: '5.00', currency: 'USD', interval: 'month', interval_count: 1 }

test('/api/v1/config says what Premium costs at Stripe, which is asked once an hour', async () => {
  expect([await told(), await told(), asked()]).toEqual([MONTHLY, MONTHLY, 1])
  scene.server.clock.advance(HOUR - 1)
  expect([await told(), asked()]).toEqual([MONTHLY, 1])
  scene.server.clock.advance(1)
  expect(await told()).toEqual(MONTHLY)
  await expect.poll(asked).toBe(2)
})

test('/api/v1/config names no price while Stripe has never answered, and asks again after a minute', async () => {
  scene.stripe.fail({ status: 400 })
  expect(await told()).toBeUndefined()
  const before = asked()
  scene.stripe.fail(null)
  scene.server.clock.advance(59_999)
  expect([await told(), asked()]).toEqual([undefined, before])
  scene.server.clock.advance(1)
  expect(await told()).toEqual(MONTHLY)
})

test('a known price stands while the payment provider is away, and no request waits for it', async () => {
  const clock = testClock()
  const payments = fakePayments(clock)
  const price = knownPrice({ payments, clock })
  expect(await price()).toMatchObject({ amount: '5.00', currency: 'EUR' })
  let fail: (error: Error) => void = () => undefined
  payments.price = () => new Promise((_, reject) => (fail = reject))
  clock.advance(HOUR)
  expect(await price()).toMatchObject({ amount: '5.00' })
  fail(new PaymentsUnavailable('away'))
  expect(await price()).toMatchObject({ amount: '5.00' })
})

test.each([
  [500, 'USD', '5.00'],
  [5, 'EUR', '0.05'],
  [0, 'USD', '0.00'],
  [500, 'JPY', '500'],
  [5120, 'KWD', '5.120'],
  [123456789, 'GBP', '1234567.89'],
])('Stripe’s amount %i of %s is %s in the currency’s unit', (minor, currency, decimal) => {
  expect(decimalAmount(minor, currency)).toBe(decimal)
})
