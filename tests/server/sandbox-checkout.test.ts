import { expect, test } from 'vitest'
import { checkoutAnswer, portalAnswer } from '../../src/contract/billing'
import type { User as Me } from '../../src/contract/session'
import { config } from '../../src/contract/settings'
import { loadEnv } from '../../server/env'
import { choosePayments } from '../../server/services/billing/payment-provider'
import { sandboxOf } from '../../server/services/sandbox/sandbox'

import { testClock } from './support/test-clock'
import type { User } from './support/user'
import { temporaryFolder, withServer } from './support/for-file'

const PUBLIC_URL = 'http://localhost:8080'
const folder = temporaryFolder()
const source = { PUBLIC_URL, DATA_DIR: folder, FREE_MAX_WIDGETS: '1' }
const clock = testClock()
/** Events take long to reach the webhook on a busy machine. */
const WEBHOOK_TIMEOUT = { timeout: 20_000 }

/** All as it is in a process that starts without keys, on the database of this test. */
const server = withServer(async () => {
  const env = loadEnv(source)
  const sandbox = sandboxOf(env, clock)
  const payments = await choosePayments(env, sandbox?.billing?.payments)
  return { env: source, deps: { sandbox, payments, clock } }
})

const open = async (url: string) => {
  expect(url.startsWith(`${PUBLIC_URL}/sandbox/billing/`)).toBe(true)
  const answer = await server.app.inject(url)
  return { html: answer.payload, policy: String(answer.headers['content-security-policy']) }
}
const press = async (url: string, decision: string) => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const answer = await server.app.inject({ method: 'POST', url, headers, payload: `decision=${decision}` })
  return { status: answer.statusCode, to: answer.headers.location, html: answer.payload }
}
const checkout = async (me: User) =>
  checkoutAnswer.parse((await me.ask('POST', '/subscriptions/create-checkout-session')).body)
const portal = async (me: User) =>
  portalAnswer.parse((await me.ask('POST', '/subscriptions/create-portal-session')).body)
const isPremium = async (me: User) => (await me.ask<Me>('GET', '/users/me')).body.has_premium_access
const activity = async (me: User) => (await me.list()).map(({ is_active }) => is_active)

test('/api/v1/config reports billing as available, as a sandbox, and with the price of its pages', async () => {
  const { billing } = config.parse((await server.app.inject('/api/v1/config')).json())
  const price = { amount: '5.00', currency: 'USD', interval: 'day', interval_count: 30 }
  expect(billing).toEqual({ available: true, sandbox: true, price })
})

test('a user who pays in the sandbox becomes Premium by webhook, and after canceling is free again with all widgets kept', async () => {
  const me = await server.user({ premium: false })
  await me.add('bitcoin', 'ethereum')
  const { url } = await checkout(me)
  const shown = await open(url)
  expect(shown.html).toMatch(/<h1>Premium<\/h1>[^]*5\.00 USD[^]*>Pay<[^]*>Cancel</)
  // It runs nothing, and sends its form to us alone.
  expect(shown.html).not.toContain('<script')
  expect(shown.policy).toContain("form-action 'self'")

  expect(await press(url, 'cancel')).toMatchObject({ status: 303, to: `${PUBLIC_URL}/checkout-canceled` })
  expect(await isPremium(me)).toBe(false)
  expect(await press(url, 'pay')).toMatchObject({ status: 303, to: `${PUBLIC_URL}/checkout-success` })
  await expect.poll(() => isPremium(me), WEBHOOK_TIMEOUT).toBe(true)
  expect(await press(url, 'pay'), 'pressed twice').toMatchObject({ status: 303, to: `${PUBLIC_URL}/checkout-success` })
  expect((await me.ask('POST', '/subscriptions/create-checkout-session')).status).toBe(409)
  await me.add('bitcoin', 'solana')
  expect(await activity(me)).toEqual([true, true])

  const { url: visit } = await portal(me)
  expect((await open(visit)).html).toMatch(
    /<h1>Billing<\/h1>[^]*Cancel subscription[^]*2026-01-15<\/time>: 5\.00 USD, paid[^]*href="http:\/\/localhost:8080\/settings">Back to the app</,
  )
  expect(await press(visit, 'cancel')).toMatchObject({ status: 303, to: new URL(visit).pathname })
  await expect.poll(() => isPremium(me), WEBHOOK_TIMEOUT).toBe(false)
  expect((await open(visit)).html).toContain('No subscription.')
  expect(await activity(me)).toEqual([true, false])
})

test('sandbox billing pages refuse unknown decisions, and answer 404 to proxied clients', async () => {
  const me = await server.user()
  const { url } = await checkout(me)
  expect((await press(url, 'steal')).status).toBe(422)
  const { url: visit } = await portal(me)
  expect((await press(visit, 'pay')).status).toBe(422)
  const headers = { host: 'localhost:8080', 'x-forwarded-for': '203.0.113.9' }
  for (const page of [url, visit]) {
    const form = { ...headers, 'content-type': 'application/x-www-form-urlencoded' }
    const asked = { url: new URL(page).pathname, payload: 'decision=pay' }
    expect((await server.app.inject({ url: asked.url, headers })).statusCode).toBe(404)
    expect((await server.app.inject({ method: 'POST', ...asked, headers: form })).statusCode).toBe(404)
  }
  expect(await isPremium(me)).toBe(false)
})
