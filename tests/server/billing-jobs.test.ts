import { Registry } from 'prom-client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DAY, HOUR, MINUTE } from '../../src/domain/granularity'
import { billing_customers, billing_events, billing_removals } from '../../server/db/schema/billing'
import { removeAccounts } from '../../server/services/accounts/account-deletion'
import { billingJobs, reconcile, removeCustomers } from '../../server/services/billing/jobs'
import { removeOutdated } from '../../server/services/retention'
import type { Buyer } from './support/billing-scene'
import { type FakePayments, fakePayments } from './support/fake-payments'
import { withBilling } from './support/for-file'

const scene = withBilling()
beforeEach(async () => {
  await scene.server.reset()
  await scene.server.database.orm.delete(billing_removals)
})
afterEach(() => scene.stripe.fail(null))

/** The jobs ask the stand-in through the SDK, as the app does, or a fake. */
const deps = (payments = scene.payments) => ({ ...scene.server, payments })
const removals = () => scene.server.rows(billing_removals)

async function reconciled(payments = scene.payments, signal?: AbortSignal): Promise<string[]> {
  const found: string[] = []
  await reconcile(deps(payments), (how) => found.push(how), signal)
  return found
}

async function deleteAccount({ me }: Buyer): Promise<void> {
  const asked = new Date(scene.server.clock() - 30 * DAY)
  await scene.server.setUser(me.id, { deletion_scheduled_at: asked })
  expect(await removeAccounts(scene.server.database, scene.server.clock())).toBe(1)
}

test('deleting an account deletes its customer at Stripe and cancels the subscription', async () => {
  const buyer = await scene.buyer()
  const { id } = scene.stripe.account.subscribe(buyer.customer)
  await deleteAccount(buyer)
  expect((await removals()).map(({ customer_id }) => customer_id)).toEqual([buyer.customer])
  await removeCustomers(deps())
  expect([scene.stripe.account.customer(buyer.customer), scene.stripe.account.subscription(id)?.status]).toEqual([
    'deleted',
    'canceled',
  ])
  expect(await removals()).toEqual([])
  // Stripe's events about it concern no account any more.
  for (const event of scene.stripe.account.events.slice(-2)) expect((await scene.post(event)).status).toBe(200)
})

test('the removal of a customer that Stripe has deleted already is completed', async () => {
  const buyer = await scene.buyer()
  await deleteAccount(buyer)
  scene.stripe.account.deleteCustomer(buyer.customer)
  await removeCustomers(deps())
  expect(await removals()).toEqual([])
})

test('customer removal is retried with growing pauses, at most six hours, while Stripe is down, and then succeeds', async () => {
  const buyer = await scene.buyer()
  await deleteAccount(buyer)
  const fake = fakePayments(scene.server.clock)
  fake.down = true
  const pauses: number[] = []
  for (let i = 0; i < 12; i++) {
    await removeCustomers(deps(fake))
    const [row] = await removals()
    expect(row?.attempts).toBe(i + 1)
    const pause = row!.next_attempt_at.getTime() - scene.server.clock()
    pauses.push(pause / MINUTE)
    scene.server.clock.advance(pause - 1)
    await removeCustomers(deps(fake))
    expect((await removals())[0]?.attempts).toBe(i + 1)
    scene.server.clock.advance(1)
  }
  expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 360, 360, 360])
  fake.down = false
  await removeCustomers(deps(fake))
  expect([await removals(), fake.calls.at(-1)]).toEqual([[], 'removeCustomer'])
})

test('the customer removal job stops after three failures while Stripe is down, and removes all customers later', async () => {
  const due = Array.from({ length: 8 }, (_, i) => ({
    customer_id: `cus_${i}`,
    next_attempt_at: new Date(scene.server.clock() - i),
  }))
  await scene.server.database.orm.insert(billing_removals).values(due)
  const fake = fakePayments(scene.server.clock)
  fake.down = true
  await removeCustomers(deps(fake))
  expect(fake.calls.length).toBe(3)
  fake.down = false
  await removeCustomers(deps(fake))
  scene.server.clock.advance(MINUTE)
  await removeCustomers(deps(fake))
  expect([await removals(), fake.calls.length]).toEqual([[], 3 + 8])
})

test('reconciliation applies a subscription whose event was lost, a day after the last look at the customer', async () => {
  const [lost, told] = [await scene.buyer(), await scene.buyer()]
  scene.stripe.account.subscribe(told.customer)
  await scene.post(scene.stripe.account.events.at(-1)!)
  scene.stripe.account.subscribe(lost.customer)
  expect(await reconciled()).toEqual([])
  scene.server.clock.advance(DAY)
  expect((await reconciled()).toSorted()).toEqual(['changed', 'same'])
  expect([await lost.isPremium(), await told.isPremium()]).toEqual([true, true])
  expect(await reconciled()).toEqual([])
})

test('an aborted reconciliation run is completed by the next run, which asks about no customer a second time', async () => {
  const fake = fakePayments(scene.server.clock)
  const buyers = await customersOf(fake, 6)
  const stop = new AbortController()
  fake.beforeAnswer = async () => {
    if (asked(fake).length === 2) stop.abort()
  }
  expect((await reconciled(fake, stop.signal)).length).toBe(2)
  fake.beforeAnswer = async () => undefined
  expect((await reconciled(fake)).length).toBe(4)
  expect(asked(fake).length).toBe(6)
  const rows = await scene.server.rows(billing_customers)
  expect(rows.map(({ synced_at }) => synced_at.getTime())).toEqual(buyers.map(() => scene.server.clock()))
})

test('reconciliation stops after three failures, then takes the other customers, and the failed ones a day later', async () => {
  const fake = fakePayments(scene.server.clock)
  await customersOf(fake, 8)
  fake.down = true
  expect(await reconciled(fake)).toEqual(['failed', 'failed', 'failed'])
  fake.down = false
  expect((await reconciled(fake)).length).toBe(5)
  // Those that failed come again a day later, as all do.
  scene.server.clock.advance(DAY)
  expect((await reconciled(fake)).length).toBe(8)
})

test('reconciliation paces its calls to the payment provider: four customers take more than 390 ms', async () => {
  const fake = fakePayments(scene.server.clock)
  await customersOf(fake, 4)
  const began = performance.now()
  await reconciled(fake)
  expect(performance.now() - began).toBeGreaterThan(390)
})

test('billing jobs need a payment provider, and billing events are kept for 90 days', async () => {
  const { database, clock, env } = scene.server
  const jobsOf = (payments: FakePayments | null) =>
    billingJobs({ database, clock, env, payments, metrics: new Registry() })
  expect(jobsOf(null)).toEqual([])
  expect(jobsOf(fakePayments(clock)).map(({ name, every }) => [name, every])).toEqual([
    ['remove-billing-customers', MINUTE],
    ['reconcile-billing', HOUR],
  ])
  const at = (days: number) => ({
    id: `evt_${days}`,
    type: 'invoice.paid',
    received_at: new Date(clock() - days * DAY),
  })
  await database.orm.insert(billing_events).values([at(89), at(91)])
  await removeOutdated(database, 'expire-billing-events', clock())
  const ids = await scene.taken()
  expect([ids.includes('evt_89'), ids.includes('evt_91')]).toEqual([true, false])
})

test('billing metrics count reconciliation results and waiting customer removals', async () => {
  const metrics = new Registry()
  const fake = fakePayments(scene.server.clock)
  const { database, clock, env } = scene.server
  const jobs = billingJobs({ database, clock, env, payments: fake, metrics })
  const [first] = await customersOf(fake, 2)
  fake.put(first!, { id: 'sub_1' })
  for (const job of jobs) if (job.name === 'reconcile-billing') await job.run(new AbortController().signal)
  await database.orm.insert(billing_removals).values({ customer_id: 'cus_x', next_attempt_at: new Date(clock()) })
  const text = await metrics.metrics()
  expect(text).toContain('billing_reconciled_total{found="same"} 1')
  expect(text).toContain('billing_reconciled_total{found="changed"} 1')
  expect(text).toContain('billing_removals_waiting 1')
})

const asked = (fake: FakePayments) => fake.calls.filter((call) => call === 'subscriptionsOf')

/** Customers who were not asked about for a day; what was asked of the fake before counts no more. */
async function customersOf(fake: FakePayments, count: number): Promise<string[]> {
  const buyers: string[] = []
  for (let i = 0; i < count; i++) buyers.push((await scene.buyer()).customer)
  scene.server.clock.advance(DAY)
  expect(fake.calls).toEqual([])
  return buyers
}
