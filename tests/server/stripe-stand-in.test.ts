import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Stripe } from 'stripe'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type StripeServer, startStripeServer } from '../support/stripe-server'
import { testClock } from './support/test-clock'

/** The stand-in as the official SDK sees it, since that is who will ask. */
const clock = testClock()
let server: StripeServer
let sdk: Stripe
const ask = (options: Stripe.StripeConfig = {}) => {
  const { STRIPE_SECRET_KEY, STRIPE_API_URL } = server.variables
  const { hostname: host, port } = new URL(STRIPE_API_URL)
  return new Stripe(STRIPE_SECRET_KEY, {
    host,
    port,
    protocol: 'http',
    maxNetworkRetries: 0,
    timeout: 2_000,
    telemetry: false,
    ...options,
  })
}
beforeEach(async () => {
  server = await startStripeServer({ clock })
  sdk = ask()
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
const visit = async (url: string, form?: Record<string, string>) => {
  const answer = await fetch(url, {
    redirect: 'manual',
    ...(form && { method: 'POST', body: new URLSearchParams(form) }),
  })
  return { status: answer.status, to: answer.headers.get('location'), html: await answer.text() }
}
const types = () => server.account.events.map(({ type }) => type)

describe('Stripe stand-in customer', () => {
  test('the Stripe stand-in’s checkout page redirects to the cancel or success URL, and paying makes a subscription active', async () => {
    const { id: customer } = await sdk.customers.create({ email: 'ann@example.com', metadata: { user_id: 'user' } })
    const { id, url } = await sdk.checkout.sessions.create(order(customer))
    expect((await visit(url!)).html).toMatch(/Premium.*>Pay<.*>Cancel</)
    expect(await visit(url!, { do: 'cancel' })).toMatchObject({
      status: 303,
      to: 'http://localhost:8080/checkout-canceled',
    })
    expect((await sdk.subscriptions.list({ customer, status: 'all' })).data).toEqual([])
    expect(await visit(url!, { do: 'pay' })).toMatchObject({
      status: 303,
      to: 'http://localhost:8080/checkout-success',
    })
    expect((await visit(url!)).html).toContain('This page is over')

    const [subscription] = (await sdk.subscriptions.list({ customer })).data
    expect(subscription).toMatchObject({ customer, status: 'active', metadata: { user_id: 'user' } })
    expect(subscription?.items.data[0]?.current_period_start).toBe(clock() / 1000)
    expect(server.account.session(id)).toMatchObject({ status: 'complete', subscription: subscription?.id, url: null })
    expect(types()).toEqual([
      'customer.created',
      'customer.subscription.created',
      'invoice.paid',
      'checkout.session.completed',
    ])
  })

  test('canceling in the Stripe stand-in’s portal ends the subscription at once', async () => {
    const { id: customer } = server.account.createCustomer()
    const { id } = server.account.subscribe(customer)
    const { url } = await sdk.billingPortal.sessions.create({ customer, return_url: 'http://localhost:8080/settings' })
    expect((await visit(url)).html).toMatch(
      /Cancel subscription.*href="http:\/\/localhost:8080\/settings">Back to the app/,
    )
    await visit(url, {})
    expect((await visit(url)).html).toContain('No subscription')
    expect(server.account.subscription(id)?.status).toBe('canceled')
    expect((await sdk.subscriptions.list({ customer })).data).toEqual([])
    expect((await sdk.subscriptions.list({ customer, status: 'all' })).data).toHaveLength(1)
    expect(types().at(-1)).toBe('customer.subscription.deleted')
  })

  test('a deleted customer of the Stripe stand-in keeps canceled subscriptions listed and takes no checkout', async () => {
    const { id: customer } = server.account.createCustomer()
    server.account.subscribe(customer)
    expect(await sdk.customers.del(customer)).toEqual(expect.objectContaining({ id: customer, deleted: true }))
    expect(types().slice(-2)).toEqual(['customer.subscription.deleted', 'customer.deleted'])
    await expect(sdk.customers.del(customer)).rejects.toMatchObject({ statusCode: 404, code: 'resource_missing' })
    expect((await sdk.subscriptions.list({ customer, status: 'all' })).data[0]?.status).toBe('canceled')
    await expect(sdk.checkout.sessions.create(order(customer))).rejects.toMatchObject({
      statusCode: 400,
      code: 'resource_missing',
      param: 'customer',
    })
    await expect(sdk.subscriptions.list({ customer: 'cus_nobody' })).rejects.toMatchObject({ code: 'resource_missing' })
  })
})

test('the Stripe stand-in lists subscriptions in pages, newest first', async () => {
  const { id: customer } = server.account.createCustomer()
  const made = Array.from({ length: 25 }, () => server.account.subscribe(customer).id)
  const found: string[] = []
  for await (const { id } of sdk.subscriptions.list({ customer, limit: 10 })) found.push(id)
  expect(found).toEqual(made.toReversed())
  expect(server.calls.map(({ params }) => params['starting_after'])).toEqual([undefined, made[15], made[5]])
})

test('the Stripe stand-in lists open checkout sessions only, and an expired session can be neither paid nor expired again', async () => {
  const { id: customer } = server.account.createCustomer()
  const first = await sdk.checkout.sessions.create(order(customer))
  await sdk.checkout.sessions.expire(first.id)
  const second = await sdk.checkout.sessions.create(order(customer))
  const open = await sdk.checkout.sessions.list({ customer, status: 'open' })
  expect(open.data.map(({ id }) => id)).toEqual([second.id])
  await expect(sdk.checkout.sessions.expire(first.id)).rejects.toMatchObject({ statusCode: 400 })
  expect((await visit(first.url!, { do: 'pay' })).html).toContain('This page is over')
  expect(() => server.account.pay(first.id)).toThrow('is expired')
  expect(server.account.subscriptionsOf(customer)).toEqual([])
})

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
  const stranger = new Stripe('sk_test_other', {
    host: '127.0.0.1',
    port: new URL(server.origin).port,
    protocol: 'http',
  })
  await expect(stranger.customers.create({})).rejects.toMatchObject({ statusCode: 401 })
})

describe('idempotency keys', () => {
  test('the Stripe stand-in runs a request once per idempotency key, and refuses the key with other parameters', async () => {
    const key = { idempotencyKey: 'customer-of-ann' }
    const first = await sdk.customers.create({ email: 'ann@example.com' }, key)
    expect((await sdk.customers.create({ email: 'ann@example.com' }, key)).id).toBe(first.id)
    await expect(sdk.customers.create({ email: 'bob@example.com' }, key)).rejects.toMatchObject({
      type: 'StripeIdempotencyError',
    })
    expect(server.account.customers()).toHaveLength(1)
  })

  test('the Stripe SDK’s retry after a lost answer creates the customer once in the Stripe stand-in', async () => {
    server.fail(() => (server.calls.length === 1 ? 'lose-answer' : null))
    await ask({ maxNetworkRetries: 2 }).customers.create({ email: 'ann@example.com' })
    expect(server.calls).toHaveLength(2)
    expect(server.account.customers()).toHaveLength(1)
  })
})

test.each<[string, Parameters<StripeServer['fail']>[0], object]>([
  ['status 500', { status: 500 }, { statusCode: 500 }],
  ['status 429', { status: 429, code: 'rate_limit', retryAfter: 1 }, { statusCode: 429, code: 'rate_limit' }],
  ['no answer', 'hang', { type: 'StripeConnectionError' }],
  ['a closed connection', 'hang-up', { type: 'StripeConnectionError' }],
])(
  'a fault of the Stripe stand-in reaches the SDK as an error and creates no customer: %s',
  async (_what, fault, error) => {
    server.fail(fault)
    await expect(ask({ timeout: 300 }).customers.create({})).rejects.toMatchObject(error)
    server.fail(null)
    expect(server.account.customers()).toEqual([])
    await expect(sdk.customers.create({})).resolves.toBeDefined()
  },
)

describe('webhook events', () => {
  /** Answers in turn; what is posted is checked by the SDK. */
  const received: string[] = []
  const answers: number[] = []
  let hook: ReturnType<typeof createServer>
  beforeEach(async () => {
    hook = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        const event = Stripe.webhooks.constructEvent(
          Buffer.concat(chunks),
          request.headers['stripe-signature'] ?? '',
          server.variables.STRIPE_WEBHOOK_SECRET,
          300,
          undefined,
          clock(),
        )
        received.push(event.id)
        response.writeHead(answers.shift() ?? 200).end()
      })
    })
    await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve))
  })
  afterEach(() => {
    hook.close()
    hook.closeAllConnections()
    received.length = 0
  })

  test('the Stripe stand-in holds events until a webhook URL is set, and posts each until the webhook answers 200', async () => {
    server.account.createCustomer()
    server.account.createCustomer()
    answers.push(503, 500)
    server.deliverTo(`http://127.0.0.1:${(hook.address() as AddressInfo).port}/`)
    await server.delivered()
    expect(new Set(received)).toEqual(new Set(server.account.events.map(({ id }) => id)))
    expect(received).toHaveLength(4)
    server.account.createCustomer()
    await server.delivered()
    expect(received).toHaveLength(5)
    expect(server.attempts(received[4]!)).toEqual([200])
  })

  test('the Stripe stand-in signs an event for the requested time and with the requested secret', () => {
    server.account.createCustomer()
    const [event] = server.account.events
    const read =
      ({ payload, signature }: ReturnType<StripeServer['sign']>) =>
      () =>
        Stripe.webhooks.constructEvent(
          payload,
          signature,
          server.variables.STRIPE_WEBHOOK_SECRET,
          300,
          undefined,
          clock(),
        )
    expect(read(server.sign(event!))()).toEqual(event)
    expect(read(server.sign(event!, { at: clock() - 300_000 }))).not.toThrow()
    expect(read(server.sign(event!, { at: clock() - 301_000 }))).toThrow('tolerance')
    expect(read(server.sign(event!, { secret: 'whsec_other' }))).toThrow('signature')
  })
})
