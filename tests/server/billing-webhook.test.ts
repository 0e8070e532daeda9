import { Registry } from 'prom-client'
import { afterEach, expect, test } from 'vitest'
import { MINUTE } from '../../src/domain/granularity'
import { BILLING_WEBHOOK } from '../../server/services/billing/payment-provider'
import type { StripeEvent } from '../support/stripe-objects'
import type { Buyer } from './support/billing-scene'
import { fakePayments, SIGNED } from './support/fake-payments'
import { allAtOnce, oneAfterAnother, orderAt, ORDERS } from './support/billing-orders'
import { withBilling } from './support/for-file'
import { testApp } from './support/test-app'

const scene = withBilling()
afterEach(() => scene.stripe.fail(null))

const COINS = ['ethereum', 'solana', 'cardano', 'ripple']

/** A user with as many pairs as Premium allows, of which two are active. */
async function buyerWithPairs(): Promise<Buyer> {
  const buyer = await scene.buyer()
  const { account } = scene.stripe
  const first = account.subscribe(buyer.customer)
  await scene.post(newest())
  for (const coin of COINS) await buyer.me.add('bitcoin', coin)
  account.cancel(first.id)
  await scene.post(newest())
  expect(await buyer.activity()).toEqual([true, true, false, false])
  return buyer
}

const newest = (): StripeEvent => scene.stripe.account.events.at(-1)!
const OK = { status: 200, code: null }
const NOT_SIGNED = { status: 400, code: 'INVALID_SIGNATURE' }

test('a paid subscription gives Premium and activates all widgets; its end takes Premium away and removes no widget', async () => {
  const buyer = await buyerWithPairs()
  const { id } = scene.stripe.account.subscribe(buyer.customer)
  expect(await scene.post(newest())).toEqual(OK)
  expect([await buyer.isPremium(), await buyer.activity()]).toEqual([true, [true, true, true, true]])
  const row = (await buyer.rows()).get(id)
  const item = scene.stripe.account.subscription(id)!.items.data[0]!
  expect(row).toMatchObject({
    status: 'active',
    cancel_at_period_end: false,
    current_period_start: new Date(1000 * item.current_period_start),
    current_period_end: new Date(1000 * item.current_period_end),
  })
  scene.stripe.account.cancel(id)
  expect(await scene.post(newest())).toEqual(OK)
  expect([await buyer.isPremium(), await buyer.activity()]).toEqual([false, [true, true, false, false]])
  expect((await buyer.rows()).get(id)?.status).toBe('canceled')
})

test.each([
  ['active', true],
  ['trialing', true],
  ['past_due', true],
  ['incomplete', false],
  ['incomplete_expired', false],
  ['unpaid', false],
  ['paused', false],
  ['canceled', false],
  ['a status that is new', false],
])('a Stripe subscription whose status is %s gives Premium: %s', async (status, premium) => {
  const buyer = await scene.buyer()
  scene.stripe.account.subscribe(buyer.customer, { status })
  expect(await scene.post(newest())).toEqual(OK)
  expect(await buyer.isPremium()).toBe(premium)
})

test('an active subscription keeps Premium beside a canceled subscription, and cancel_at_period_end is stored', async () => {
  const buyer = await scene.buyer()
  const { account } = scene.stripe
  const [one, other] = [account.subscribe(buyer.customer), account.subscribe(buyer.customer)]
  account.cancel(one.id)
  account.change(other.id, { cancel_at_period_end: true })
  expect(await scene.post(newest())).toEqual(OK)
  const rows = await buyer.rows()
  expect([await buyer.isPremium(), rows.get(one.id)?.status, rows.get(other.id)?.cancel_at_period_end]).toEqual([
    true,
    'canceled',
    true,
  ])
})

test('all subscriptions of a customer count, also beyond the first page of Stripe’s list', async () => {
  const buyer = await scene.buyer()
  const { account } = scene.stripe
  // Stripe lists the newest first, a hundred to a page.
  const oldest = account.subscribe(buyer.customer)
  for (let i = 0; i < 120; i++) account.subscribe(buyer.customer, { status: 'canceled' })
  expect(await scene.post(newest())).toEqual(OK)
  const rows = await buyer.rows()
  expect([rows.size, rows.get(oldest.id)?.status, await buyer.isPremium()]).toEqual([121, 'active', true])
})

test('a Stripe event that is unsigned, altered, signed by others or signed over 300 s ago is refused without effect', async () => {
  const buyer = await scene.buyer()
  scene.stripe.account.subscribe(buyer.customer)
  const event = newest()
  const { payload, signature } = scene.stripe.sign(event)
  const asked = scene.stripe.calls.length
  const old = scene.stripe.sign(event, { at: scene.server.clock() - 301_000 })
  const bad = [
    { payload, signature: '' },
    { payload, signature: 'nonsense' },
    { payload, signature: signature.replace(/v1=.*/, 'v1=') },
    { payload, signature: signature.replace(/^t=\d+/, 't=9999999999') },
    { payload: payload.replace(buyer.customer, 'cus_of_somebody_else'), signature },
    { payload: `${payload} `, signature },
    scene.stripe.sign(event, { secret: 'whsec_of_somebody_else' }),
    old,
    // The right time over an old signature.
    { payload, signature: old.signature.replace(/^t=\d+/, /^t=\d+/.exec(signature)![0]) },
  ]
  for (const one of bad) expect(await scene.postSigned(one)).toEqual(NOT_SIGNED)
  expect([await buyer.isPremium(), (await buyer.rows()).size]).toEqual([false, 0])
  expect(await scene.taken()).not.toContain(event.id)
  expect(scene.stripe.calls.length).toBe(asked)
  // At 300 s it still counts.
  expect(await scene.postSigned(scene.stripe.sign(event, { at: scene.server.clock() - 300_000 }))).toEqual(OK)
  expect(await buyer.isPremium()).toBe(true)
})

test('a webhook signature covers the exact bytes: the same JSON in another format is refused', async () => {
  const buyer = await scene.buyer()
  scene.stripe.account.subscribe(buyer.customer)
  const event = newest()
  const spaced = JSON.stringify(event, null, 2)
  expect(await scene.postSigned(scene.stripe.sign(spaced))).toEqual(OK)
  expect(await buyer.isPremium()).toBe(true)
  const { signature } = scene.stripe.sign(spaced)
  expect(await scene.postSigned({ payload: JSON.stringify(event), signature })).toEqual(NOT_SIGNED)
})

test('the webhook refuses an unsigned empty request with 400 and a 512 KiB event with 413, and accepts a 400 kB event', async () => {
  const bare = await scene.server.app.inject({ method: 'POST', url: BILLING_WEBHOOK })
  expect([bare.statusCode, bare.json<{ error_code: string }>().error_code]).toEqual([400, 'INVALID_SIGNATURE'])
  const long = scene.stripe.sign(JSON.stringify({ filler: 'x'.repeat(512 * 1024) }))
  expect(await scene.postSigned(long)).toEqual({ status: 413, code: 'PAYLOAD_TOO_LARGE' })
  const buyer = await scene.buyer()
  scene.stripe.account.subscribe(buyer.customer)
  const event = newest()
  // Longer than other calls may be.
  expect(
    await scene.post({ ...event, data: { object: { ...event.data.object, lines: 'x'.repeat(400_000) } } }),
  ).toEqual(OK)
  expect(await buyer.isPremium()).toBe(true)
})

test('a repeated Stripe event is answered without a call to Stripe and without effect, also while Stripe fails', async () => {
  const buyer = await scene.buyer()
  scene.stripe.account.subscribe(buyer.customer)
  const event = newest()
  await scene.post(event)
  const version = await buyer.version()
  const asked = scene.stripe.calls.length
  scene.stripe.fail({ status: 500 })
  for (let i = 0; i < 3; i++) expect(await scene.post(event)).toEqual(OK)
  expect([await buyer.version(), scene.stripe.calls.length]).toEqual([version, asked])
})

test('Stripe events about a customer unknown to the app are accepted without a call to Stripe', async () => {
  const { account } = scene.stripe
  const stranger = account.createCustomer({ email: 'stranger@example.com' })
  const made = newest()
  account.subscribe(stranger.id)
  const asked = scene.stripe.calls.length
  expect([await scene.post(made), await scene.post(newest())]).toEqual([OK, OK])
  expect(scene.stripe.calls.length).toBe(asked)
  expect(await scene.taken()).toEqual(expect.arrayContaining([made.id, newest().id]))
})

test.each([{ id: null }, { customer: 7 }, { customer: ['cus_1'] }, {}])(
  'a Stripe event of type invoice.upcoming is accepted whatever its object contains: %o',
  async (object) => {
    const id = `evt_${JSON.stringify(object)}`
    const event = JSON.stringify({ id, object: 'event', type: 'invoice.upcoming', data: { object } })
    expect(await scene.postSigned(scene.stripe.sign(event))).toEqual(OK)
    expect(await scene.taken()).toContain(id)
  },
)

test('while Stripe fails the webhook answers 503 and stores nothing, and the event takes effect when sent again', async () => {
  const buyer = await scene.buyer()
  scene.stripe.account.subscribe(buyer.customer)
  const event = newest()
  for (const fault of [{ status: 500 }, { status: 429 }, 'hang-up'] as const) {
    scene.stripe.fail(fault)
    expect(await scene.post(event), JSON.stringify(fault)).toEqual({ status: 503, code: 'BILLING_UNAVAILABLE' })
    expect([await buyer.isPremium(), (await scene.taken()).includes(event.id)]).toEqual([false, false])
  }
  scene.stripe.fail(null)
  expect(await scene.post(event)).toEqual(OK)
  expect(await buyer.isPremium()).toBe(true)
}, 60_000)

test('the webhook gives up on a Stripe that does not answer, and returns 503 BILLING_UNAVAILABLE', async () => {
  const buyer = await scene.buyer()
  scene.stripe.account.subscribe(buyer.customer)
  scene.stripe.fail('hang')
  expect(await scene.post(newest())).toEqual({ status: 503, code: 'BILLING_UNAVAILABLE' })
}, 60_000)

test('a customer.deleted event takes Premium away and cancels the stored subscription', async () => {
  const buyer = await scene.buyer()
  const { id } = scene.stripe.account.subscribe(buyer.customer)
  await scene.post(newest())
  scene.stripe.account.deleteCustomer(buyer.customer)
  expect(newest().type).toBe('customer.deleted')
  expect(await scene.post(newest())).toEqual(OK)
  expect([await buyer.isPremium(), (await buyer.rows()).get(id)?.status]).toEqual([false, 'canceled'])
})

test('a Stripe event that arrives three days late is accepted if its signature is fresh', async () => {
  const buyer = await scene.buyer()
  scene.stripe.account.subscribe(buyer.customer)
  const event = newest()
  scene.server.clock.advance(3 * 24 * 60 * MINUTE)
  expect(await scene.post(event)).toEqual(OK)
  expect(await buyer.isPremium()).toBe(true)
})

test('billing metrics count events by outcome: applied, known, unconcerned, forged and failed', async () => {
  const metrics = new Registry()
  const payments = fakePayments(scene.server.clock)
  const other = await testApp({ database: scene.server.database, deps: { payments, metrics } })
  const { customer } = await scene.buyer()
  const post = (id: string, about: string | null, signature = SIGNED) =>
    other.app.inject({
      method: 'POST',
      url: BILLING_WEBHOOK,
      headers: { 'content-type': 'application/json', 'stripe-signature': signature },
      payload: { id, type: 'invoice.paid', customer: about },
    })
  await post('evt_measured_1', customer)
  await post('evt_measured_1', customer)
  await post('evt_measured_2', null)
  await post('evt_measured_3', customer, 'nobody')
  payments.down = true
  await post('evt_measured_4', customer)
  await post('evt_measured_5', customer)
  const text = await metrics.metrics()
  const counted = ['applied', 'known', 'unconcerned', 'forged', 'failed'].map((outcome) =>
    Number(new RegExp(`billing_events_total\\{outcome="${outcome}"\\} (\\d+)`).exec(text)?.[1]),
  )
  expect(counted).toEqual([1, 1, 1, 1, 2])
  await other.close()
})

test('a server without a payment provider answers Stripe events with 503 BILLING_UNAVAILABLE', async () => {
  const other = await testApp({ database: scene.server.database })
  const { payload, signature } = scene.stripe.sign(newest())
  const answer = await other.app.inject({
    method: 'POST',
    url: BILLING_WEBHOOK,
    headers: { 'content-type': 'application/json', 'stripe-signature': signature },
    payload,
  })
  expect([answer.statusCode, answer.json<{ error_code: string }>().error_code]).toEqual([503, 'BILLING_UNAVAILABLE'])
  await other.close()
})

/** Of the orders, those that a run plays; the long runs play them all. */
const PLAYED = 20
const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000)
const places = Array.from({ length: PLAYED }, (_, i) => (seed + i * (ORDERS / PLAYED)) % ORDERS)

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
