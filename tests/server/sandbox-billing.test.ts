import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { DAY } from '../../src/domain/granularity'
import { UnknownCustomer } from '../../server/adapters/payments/payments'
import { type SandboxBilling, sandboxBilling, type SignedPost } from '../../server/services/sandbox/billing/billing'
import { testClock } from './support/test-clock'

const ORIGIN = 'http://localhost:8080'
const ORDER = { userId: 'ann', successUrl: `${ORIGIN}/checkout-success`, cancelUrl: `${ORIGIN}/checkout-canceled` }
const ANN = { id: 'ann', email: 'ann@example.com', replaces: null }

/** Work in the background may take long on a busy machine. */
const WEBHOOK_TIMEOUT = { timeout: 20_000 }

let folder: string
let clock: ReturnType<typeof testClock>
let billing: SandboxBilling
/** As a process that starts: what an earlier one knew is in the folder alone. */
const start = () => sandboxBilling(folder, ORIGIN, clock)
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ratio-customers-'))
  clock = testClock()
  billing = start()
})
afterEach(async () => {
  await billing.stop()
  rmSync(folder, { recursive: true })
})

const idOf = (url: string) => url.split('/').at(-1) ?? ''
const subscribed = async () => {
  const customer = await billing.payments.createCustomer(ANN)
  const { id } = await billing.payments.createCheckout({ customer, ...ORDER })
  billing.pay(id)
  return customer
}
const statuses = async (customer: string) =>
  (await billing.payments.subscriptionsOf(customer)).map(({ status }) => status)

test('the sandbox creates one customer per user, and a new customer when asked to replace the old', async () => {
  const first = await billing.payments.createCustomer(ANN)
  expect(await billing.payments.createCustomer(ANN)).toBe(first)
  expect(await billing.payments.createCustomer({ ...ANN, id: 'bob' })).not.toBe(first)
  expect(await billing.payments.createCustomer({ ...ANN, replaces: first })).not.toBe(first)
})

test('two concurrent sandbox checkouts of a customer share one page, and paying there twice makes one subscription', async () => {
  const customer = await billing.payments.createCustomer(ANN)
  const [one, two] = await Promise.all([
    billing.payments.createCheckout({ customer, ...ORDER }),
    billing.payments.createCheckout({ customer, ...ORDER }),
  ])
  expect(two).toEqual(one)
  expect(one.url).toBe(`${ORIGIN}/sandbox/billing/checkout/${one.id}`)
  expect(await statuses(customer)).toEqual([])
  expect(billing.pay(one.id)).toMatchObject({ successUrl: ORDER.successUrl })
  expect(billing.pay(one.id), 'pressed twice').toMatchObject({ successUrl: ORDER.successUrl })
  expect(billing.checkout(one.id)).toBeNull()
  expect(await statuses(customer)).toEqual(['active'])
  expect((await billing.payments.createCheckout({ customer, ...ORDER })).id).not.toBe(one.id)
})

test('a sandbox checkout page closes after a day and then takes no payment', async () => {
  const customer = await billing.payments.createCustomer(ANN)
  const { id } = await billing.payments.createCheckout({ customer, ...ORDER })
  clock.advance(DAY - 1)
  expect(billing.checkout(id)).not.toBeNull()
  clock.advance(1)
  expect(billing.pay(id)).toBeNull()
  expect(await statuses(customer)).toEqual([])
})

test('canceling in the sandbox portal ends the subscription at once, and the customer can subscribe again', async () => {
  const customer = await subscribed()
  const { url } = await billing.payments.createPortal({ customer, returnUrl: `${ORIGIN}/settings` })
  clock.advance(1000)
  billing.cancel(idOf(url))
  const [ended] = await billing.payments.subscriptionsOf(customer)
  expect(ended).toMatchObject({ status: 'canceled', periodEnd: clock() })
  const { id } = await billing.payments.createCheckout({ customer, ...ORDER })
  billing.pay(id)
  expect(await statuses(customer)).toEqual(['canceled', 'active'])
})

test('a sandbox subscription renews every 30 days, with an invoice for each period that passed unobserved', async () => {
  const customer = await subscribed()
  const began = clock()
  clock.advance(95 * DAY)
  expect(await billing.payments.subscriptionsOf(customer)).toMatchObject([
    { periodStart: began + 90 * DAY, periodEnd: began + 120 * DAY },
  ])
  const { url } = await billing.payments.createPortal({ customer, returnUrl: ORIGIN })
  const invoices = billing.visitor(idOf(url))?.customer.invoices.map(({ paidAt }) => (paidAt - began) / DAY)
  expect(invoices).toEqual([0, 30, 60, 90])
})

test('a removed sandbox customer has a canceled subscription and no portal, can buy nothing, and can be removed again', async () => {
  const customer = await subscribed()
  const { url } = await billing.payments.createPortal({ customer, returnUrl: ORIGIN })
  await billing.payments.removeCustomer(customer)
  await billing.payments.removeCustomer(customer)
  await billing.payments.removeCustomer('cus_nobody')
  expect(await statuses(customer)).toEqual(['canceled'])
  expect(billing.visitor(idOf(url))).toBeNull()
  await expect(billing.payments.createCheckout({ customer, ...ORDER })).rejects.toThrow(UnknownCustomer)
  await expect(billing.payments.createPortal({ customer, returnUrl: ORIGIN })).rejects.toThrow(UnknownCustomer)
})

test.each(['', 'x', 'cs_', 'cs_x_y', '../cus', 'cs_..%2f_x', `cs_${'0'.repeat(24)}_x`])(
  'the sandbox billing id "%s" finds no checkout and no portal visitor',
  (id) => {
    expect([billing.checkout(id), billing.pay(id), billing.visitor(id)]).toEqual([null, null, null])
    expect(() => billing.cancel(id)).not.toThrow()
  },
)

test('reading a damaged sandbox customer file fails with an error that names the file', async () => {
  const customer = await subscribed()
  writeFileSync(join(folder, `${customer}.json`), '{}')
  await expect(billing.payments.subscriptionsOf(customer)).rejects.toThrow(
    `${customer}.json is no customer of the sandbox`,
  )
})

describe('sandbox billing events', () => {
  const failures: unknown[] = []
  const fails = (error: unknown) => void failures.push(error)
  const posted: { readonly id: string; readonly type: string }[] = []
  /** Takes each event, or answers with what is due. */
  const hook =
    (...answers: (number | null)[]) =>
    async ({ body }: SignedPost): Promise<number | null> => {
      const answer = answers.length > 0 ? answers.shift()! : 200
      if (answer === 200) posted.push(JSON.parse(body) as (typeof posted)[number])
      return answer
    }
  const types = () => posted.map(({ type }) => type)
  beforeEach(() => {
    posted.length = 0
    failures.length = 0
    return () => expect(failures.splice(0)).toEqual([])
  })

  test('sandbox billing events are delivered in order, each once, and the file of a removed customer is deleted', async () => {
    billing.deliverBy(hook(), fails)
    await subscribed()
    await expect.poll(types, WEBHOOK_TIMEOUT).toEqual(['customer.subscription.created', 'checkout.session.completed'])
    clock.advance(31 * DAY)
    const customer = await billing.payments.createCustomer(ANN)
    await expect.poll(types, WEBHOOK_TIMEOUT).toHaveLength(3)
    await billing.payments.removeCustomer(customer)
    await billing.payments.removeCustomer(customer)
    await expect
      .poll(types, WEBHOOK_TIMEOUT)
      .toEqual([
        'customer.subscription.created',
        'checkout.session.completed',
        'customer.subscription.updated',
        'customer.subscription.deleted',
        'customer.deleted',
      ])
    expect(new Set(posted.map(({ id }) => id)).size).toBe(5)
    // Of somebody who is gone nothing is kept.
    await expect.poll(() => readdirSync(folder), WEBHOOK_TIMEOUT).toEqual([])
  })

  test('the sandbox repeats a billing event until the webhook answers 200', async () => {
    billing.deliverBy(hook(503, null, 500), fails)
    await subscribed()
    await expect.poll(types, WEBHOOK_TIMEOUT).toEqual(['customer.subscription.created', 'checkout.session.completed'])
  })

  test('billing events that one sandbox process could not deliver are delivered by the next process', async () => {
    const customer = await subscribed()
    await billing.stop()
    // A file that a process was writing when it died is not the one that it had written before.
    writeFileSync(join(folder, `${customer}.json.1`), '{')
    billing = start()
    expect(await statuses(customer)).toEqual(['active'])
    billing.deliverBy(hook(), fails)
    await expect.poll(types, WEBHOOK_TIMEOUT).toEqual(['customer.subscription.created', 'checkout.session.completed'])
    await billing.stop()
    billing = start()
    billing.deliverBy(hook(), fails)
    await billing.payments.removeCustomer(customer)
    await expect.poll(types, WEBHOOK_TIMEOUT).toHaveLength(4)
  })

  test('a damaged customer file holds up only that customer’s sandbox billing events, until the file is repaired', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const file = join(folder, `${await subscribed()}.json`)
    const text = readFileSync(file, 'utf8')
    // As a full disk may leave it: while the first event is taken.
    billing.deliverBy(async (post) => {
      if (posted.length === 0) writeFileSync(file, '')
      return hook()(post)
    }, fails)
    await expect.poll(() => failures, WEBHOOK_TIMEOUT).toHaveLength(1)
    const bob = await billing.payments.createCustomer({ ...ANN, id: 'bob' })
    billing.pay((await billing.payments.createCheckout({ customer: bob, ...ORDER })).id)
    await expect.poll(types, WEBHOOK_TIMEOUT).toHaveLength(3)
    vi.advanceTimersByTime(60_000)
    await expect.poll(() => failures, WEBHOOK_TIMEOUT).toHaveLength(3)
    expect(failures.splice(0).map(String)).toEqual(
      Array(3).fill(expect.stringContaining('is no customer of the sandbox')),
    )
    writeFileSync(file, text)
    vi.advanceTimersByTime(60_000)
    await expect.poll(types, WEBHOOK_TIMEOUT).toHaveLength(5)
  })

  test('a sandbox billing event is rejected if altered, signed by another process or more than five minutes old', async () => {
    const posts: SignedPost[] = []
    const collect = async (post: SignedPost) => {
      posts.push(post)
      return 200
    }
    const read = ({ body, signature }: SignedPost, by = billing) =>
      by.payments.readEvent(Buffer.from(body), signature, clock())
    expect(() => read({ body: '{}', signature: 't=1,v1=0' })).toThrow('not signed')
    billing.deliverBy(collect, fails)
    const customer = await subscribed()
    await expect.poll(() => posts.length, WEBHOOK_TIMEOUT).toBe(2)
    const other = start()
    other.deliverBy(collect, fails)
    await other.payments.removeCustomer(customer)
    await expect.poll(() => posts.length, WEBHOOK_TIMEOUT).toBe(4)
    await other.stop()
    const [post] = posts
    expect(read(post!)).toMatchObject({ type: 'customer.subscription.created', customer })
    expect(() => read({ ...post!, body: post!.body.replace('active', 'canceled') })).toThrow('not signed')
    expect(read(posts[3]!, other).type).toBe('customer.deleted')
    expect(() => read(post!, other)).toThrow('not signed')
    clock.advance(301_000)
    expect(() => read(post!)).toThrow('too long ago')
  })
})
