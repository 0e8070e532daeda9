import { afterEach, expect, test } from 'vitest'
import type { ErrorBody } from '../../src/contract/errors'
import { type User as Me, user as userSchema } from '../../src/contract/session'
import { withBilling } from './support/for-file'
import type { Person } from './support/person'

const scene = withBilling()
afterEach(() => scene.stripe.fail(null))

const refresh = (me: Person) => me.ask<Me & ErrorBody>('POST', '/subscriptions/refresh')
const account = async (me: Person) => (await me.ask<Me>('GET', '/users/me')).body
const asked = () =>
  scene.stripe.calls.filter(({ method, path }) => method === 'GET' && path === '/v1/subscriptions').length

test('a refresh answers with the tier that Stripe knows, both ways, though no event has arrived', async () => {
  const { me, customer } = await scene.customer()
  const { id } = scene.stripe.account.subscribe(customer)
  expect(await account(me)).toMatchObject({ has_premium_access: false })
  const { status, body } = await refresh(me)
  expect([status, userSchema.parse(body).has_premium_access]).toEqual([200, true])
  scene.stripe.account.cancel(id)
  expect(await account(me)).toMatchObject({ has_premium_access: true })
  expect((await refresh(me)).body).toMatchObject({ has_premium_access: false })
  expect(await account(me)).toMatchObject({ has_premium_access: false })
})

test('a refresh of an account that never was at the checkout asks Stripe nothing', async () => {
  const me = await scene.server.user({ premium: true })
  const before = asked()
  expect(await refresh(me)).toMatchObject({ status: 200, body: { has_premium_access: true } })
  expect(asked()).toBe(before)
})

test('a refresh answers BILLING_UNAVAILABLE while Stripe fails, and the account stays as it was', async () => {
  const { me } = await scene.customer()
  scene.stripe.fail({ status: 500 })
  expect(await refresh(me)).toMatchObject({ status: 503, body: { error_code: 'BILLING_UNAVAILABLE' } })
  expect(await account(me)).toMatchObject({ has_premium_access: false })
})

test('has_billing_account is true from the first subscription that was bought, and false for a grant or an unpaid checkout', async () => {
  const grantee = await scene.server.user()
  expect((await (await scene.server.operator()).grant(grantee.id)).status).toBe(200)
  expect(await account(grantee)).toMatchObject({ has_premium_access: true, has_billing_account: false })

  const { me, customer } = await scene.buyer()
  expect(await account(me)).toMatchObject({ has_billing_account: false })
  const { id } = scene.stripe.account.subscribe(customer)
  expect((await refresh(me)).body).toMatchObject({ has_premium_access: true, has_billing_account: true })
  scene.stripe.account.cancel(id)
  expect((await refresh(me)).body).toMatchObject({ has_premium_access: false, has_billing_account: true })
})
