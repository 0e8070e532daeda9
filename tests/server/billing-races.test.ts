/** @module-tag both-engines */
import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import type { RemoteSubscription } from '../../server/adapters/payments/payments'
import { billing_customers, billing_events, subscriptions } from '../../server/db/schema/billing'
import { owners, users } from '../../server/db/schema/users'
import { BILLING_WEBHOOK } from '../../server/services/billing/payment-provider'
import { fakePayments, SIGNED } from './support/fake-payments'

import { testClock } from './support/test-clock'
import type { User } from './support/user'
import { withServer } from './support/for-file'

/* Events that may come between asking the provider and writing down what it said. */

const shop = fakePayments(testClock())
const server = withServer({ env: { FREE_MAX_WIDGETS: '2', PREMIUM_MAX_WIDGETS: '6' }, deps: { payments: shop } })
beforeEach(() => {
  shop.beforeAnswer = async () => undefined
})

interface Payer {
  readonly me: User
  readonly customer: string
}

async function payer(): Promise<Payer> {
  const me = await server.user()
  await me.ask('POST', '/subscriptions/create-checkout-session')
  const [row] = await server.rows(billing_customers, eq(billing_customers.user_id, me.id))
  return { me, customer: row!.customer_id }
}

async function post(customer: string, id = `evt_${randomUUID()}`): Promise<{ status: number; id: string }> {
  const payload = JSON.stringify({ id, type: 'customer.subscription.updated', customer })
  const headers = { 'content-type': 'application/json', 'stripe-signature': SIGNED }
  const { statusCode } = await server.app.inject({ method: 'POST', url: BILLING_WEBHOOK, headers, payload })
  return { status: statusCode, id }
}

const isPremium = async (id: string) => (await server.rows(users, eq(users.id, id)))[0]!.has_premium_access
async function versionOf(customer: string): Promise<number> {
  const [row] = await server.rows(billing_customers, eq(billing_customers.customer_id, customer))
  return row!.version
}
const isTaken = async (id: string) => (await server.rows(billing_events, eq(billing_events.id, id))).length === 1
const pays = (customer: string, status: string, change: Partial<RemoteSubscription> = {}) =>
  shop.put(customer, { id: `sub_of_${customer}`, status, ...change })

/** Once, while the provider's next answer is under way. */
function meanwhile(work: () => Promise<unknown>): void {
  shop.beforeAnswer = async () => {
    shop.beforeAnswer = async () => undefined
    await work()
  }
}

test('a provider answer that a newer answer has overtaken is not stored', async () => {
  const { me, customer } = await payer()
  pays(customer, 'active')
  meanwhile(async () => {
    pays(customer, 'canceled')
    expect((await post(customer)).status).toBe(200)
  })
  const late = await post(customer)
  expect([late.status, await isPremium(me.id), await isTaken(late.id)]).toEqual([200, false, true])
})

test('a billing event whose customer changes during every attempt gets 503, stores nothing and works when sent again', async () => {
  const { me, customer } = await payer()
  pays(customer, 'active')
  let asked = 0
  shop.beforeAnswer = async () => {
    await server.database.orm
      .update(billing_customers)
      .set({ version: ++asked + 1000 })
      .where(eq(billing_customers.customer_id, customer))
  }
  const first = await post(customer)
  expect([first.status, await isPremium(me.id), await isTaken(first.id), asked]).toEqual([503, false, false, 12])
  shop.beforeAnswer = async () => undefined
  expect((await post(customer, first.id)).status).toBe(200)
  expect(await isPremium(me.id)).toBe(true)
  expect(await versionOf(customer)).toBe(1013)
})

test('the same billing event posted twice at once takes effect once', async () => {
  const { customer } = await payer()
  pays(customer, 'active')
  const before = await versionOf(customer)
  let repetition: Promise<{ status: number }> = Promise.resolve({ status: 0 })
  const id = `evt_${randomUUID()}`
  meanwhile(async () => {
    repetition = post(customer, id)
    await repetition
  })
  expect([(await post(customer, id)).status, (await repetition).status]).toEqual([200, 200])
  expect(await versionOf(customer)).toBe(before + 1)
})

test('a billing event for an account deleted during the provider call is accepted, and no subscription is stored', async () => {
  const { me, customer } = await payer()
  pays(customer, 'active')
  meanwhile(async () => server.database.orm.delete(owners).where(eq(owners.id, me.id)))
  const { status, id } = await post(customer)
  expect([status, await isTaken(id)]).toEqual([200, true])
  expect(await server.rows(subscriptions, eq(subscriptions.user_id, me.id))).toEqual([])
})

test('a billing event whose effect cannot be stored is not recorded, and works when sent again', async () => {
  const { me, customer } = await payer()
  // No time that a database knows.
  pays(customer, 'active', { periodEnd: Number.NaN })
  const { status, id } = await post(customer)
  expect([status, await isTaken(id), await isPremium(me.id)]).toEqual([500, false, false])
  pays(customer, 'active')
  expect((await post(customer, id)).status).toBe(200)
  expect(await isPremium(me.id)).toBe(true)
})

test('tier changes that race widget changes cause no 5xx and leave all widgets of Premium users active and in order', async () => {
  const people = await Promise.all(Array.from({ length: 4 }, payer))
  const coins = ['ethereum', 'solana', 'cardano', 'ripple', 'dogecoin', 'litecoin']
  for (let round = 0; round < 6; round++) {
    const last = round === 5
    await Promise.all(
      people.map(async ({ me, customer }, i) => {
        pays(customer, last || (round + i) % 2 === 0 ? 'active' : 'unpaid')
        const ids = (await me.list()).map(({ id }) => id)
        const answers = await Promise.all([
          post(customer),
          me.create({ coin_a_id: 'bitcoin', coin_b_id: coins[round] }),
          me.reorder(ids.toReversed()),
          post(customer),
          ids[0] === undefined ? me.list() : me.update(ids[0], { high_threshold: round + 1 }),
          me.ask('GET', '/users/me'),
        ])
        for (const answer of answers) if ('status' in answer) expect(answer.status).toBeLessThan(500)
      }),
    )
  }
  for (const { me } of people) {
    const board = await me.list()
    expect(board.map(({ display_order }) => display_order)).toEqual(board.map((_, place) => place))
    expect([await isPremium(me.id), board.every(({ is_active }) => is_active)]).toEqual([true, true])
  }
})
