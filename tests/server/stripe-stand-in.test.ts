import { Stripe } from 'stripe'
import { beforeEach, expect, test } from 'vitest'
import { type StripeServer, startStripeServer } from '../support/stripe-server'
import { testClock } from './support/test-clock'

/** The stand-in as the official SDK sees it, since that is who will ask. */
const clock = testClock()
let server: StripeServer
let sdk: Stripe
const sdkWith = (key: string) =>
  new Stripe(key, { host: '127.0.0.1', port: new URL(server.origin).port, protocol: 'http', maxNetworkRetries: 0 })
beforeEach(async () => {
  server = await startStripeServer({ clock })
  sdk = sdkWith(server.variables.STRIPE_SECRET_KEY)
  return () => server.stop()
})

const order = (customer: string): Stripe.Checkout.SessionCreateParams => ({
  mode: 'subscription',
  customer,
  client_reference_id: 'user',
  line_items: [{ price: server.variables.STRIPE_PRICE_ID, quantity: 1 }],
  subscription_data: { metadata: { user_id: 'user' } },
  success_url: 'http://localhost:8080/checkout-success',
  cancel_url: 'http://localhost:8080/checkout-canceled',
})
const types = () => server.account.events.map(({ type }) => type)

test.each<[string, (sdk: Stripe, customer: string) => Promise<unknown>, object]>([
  [
    'an unknown parameter',
    (sdk) => sdk.customers.create({ colour: 'red' } as object),
    { code: 'parameter_unknown', param: 'colour' },
  ],
  [
    'a checkout without line items',
    (sdk, customer) => sdk.checkout.sessions.create({ ...order(customer), line_items: [] }),
    { code: 'parameter_missing' },
  ],
  [
    'a checkout of an unknown price',
    (sdk, customer) =>
      sdk.checkout.sessions.create({ ...order(customer), line_items: [{ price: 'price_x', quantity: 1 }] }),
    { code: 'resource_missing' },
  ],
  [
    'a return URL that is not absolute',
    (sdk, customer) => sdk.billingPortal.sessions.create({ customer, return_url: '/settings' }),
    { code: 'url_invalid' },
  ],
  ['a route that does not exist', (sdk) => sdk.products.list(), { statusCode: 404 }],
])('the Stripe stand-in refuses %s', async (_what, call, refusal) => {
  await expect(call(sdk, server.account.createCustomer().id)).rejects.toMatchObject(refusal)
  expect(types()).toEqual(['customer.created'])
})

test('the Stripe stand-in answers 401 to another API key', async () => {
  await expect(sdkWith('sk_test_other').customers.create({})).rejects.toMatchObject({ statusCode: 401 })
})

test('the Stripe stand-in runs a request once per idempotency key, and refuses the key with other parameters', async () => {
  const key = { idempotencyKey: 'customer-of-ann' }
  const first = await sdk.customers.create({ email: 'ann@example.com' }, key)
  expect((await sdk.customers.create({ email: 'ann@example.com' }, key)).id).toBe(first.id)
  await expect(sdk.customers.create({ email: 'bob@example.com' }, key)).rejects.toMatchObject({
    type: 'StripeIdempotencyError',
  })
  expect(server.account.customers()).toHaveLength(1)
})
