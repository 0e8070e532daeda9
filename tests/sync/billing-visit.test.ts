import { beforeEach, expect, test } from 'vitest'
import { HOUR } from '../../src/domain/granularity'
import type { SyncReason } from '../../src/domain/sync-reason'
import { fakePayments, type FakePayments } from '../server/support/fake-payments'
import { oneTab } from './support/one-tab'

let payments: FakePayments
const scene = oneTab(() => {
  payments = fakePayments(() => scene.server.clock())
  return { env: { FREE_MAX_WIDGETS: '1', PREMIUM_MAX_WIDGETS: '3' }, deps: { payments } }
})
const { view, later, logInHere } = scene

let customer: string
beforeEach(async () => {
  const email = await scene.server.member()
  const { id } = await scene.server.rowOf(email)
  customer = `cus_${id}`
  await logInHere(email)
})

const sync = (reason: SyncReason) => scene.tab.engine.sync(reason)
const leave = async (route: 'createCheckoutSession' | 'createPortalSession') =>
  expect(await scene.tab.engine.call(route, {})).toMatchObject({ ok: true })
const asked = (path: string): number => scene.browser.sent.filter((one) => one.path === path).length
const REFRESH = '/subscriptions/refresh'

/** Paid at the provider, of which no event arrives. */
async function buy(): Promise<void> {
  await sync('start')
  await leave('createCheckoutSession')
  payments.put(customer, { id: `sub_${customer}` })
  await sync('start')
}

test.each(['start', 'visible'] as const)(
  'back from the payment pages the next sync for the reason "%s" shows the tier of the provider, however lately the account was loaded',
  async (reason) => {
    await sync('start')
    expect(await view()).toMatchObject({ account: 'free' })
    await leave('createCheckoutSession')
    payments.put(customer, { id: `sub_${customer}` })
    await sync(reason)
    expect(await view()).toMatchObject({ account: 'premium', user: { has_billing_account: true } })

    await leave('createPortalSession')
    payments.put(customer, { id: `sub_${customer}`, status: 'canceled' })
    later(100)
    await sync(reason)
    expect(await view()).toMatchObject({ account: 'free', user: { has_billing_account: true } })
  },
)

test('after an hour a visit to the payment pages is over, and the account is loaded as before', async () => {
  await buy()
  later(HOUR)
  const before = asked(REFRESH)
  payments.put(customer, { id: `sub_${customer}`, status: 'canceled' })
  await sync('start')
  expect([asked(REFRESH), asked('/users/me') > 0]).toEqual([before, true])
  expect(await view()).toMatchObject({ account: 'premium' })
})

test('a server without the refresh of subscriptions, or whose provider is away, is asked for the account itself', async () => {
  await buy()
  const missing = { detail: 'There is no such call.', error_code: 'NO_SUCH_ROUTE' }
  scene.browser.setWay(({ path }) => (path === REFRESH ? Response.json(missing, { status: 404 }) : 'arrives'))
  const before = asked('/users/me')
  expect(await scene.call('me', {})).toMatchObject({ ok: true })
  expect(asked('/users/me')).toBe(before + 1)

  scene.browser.setWay(() => 'arrives')
  payments.down = true
  expect(await scene.call('me', {})).toMatchObject({ ok: true })
  expect(asked('/users/me')).toBe(before + 2)
  payments.down = false
})
