import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { smtpTransport } from '../../server/adapters/mail-transport'
import { pushHosts } from '../../server/adapters/push/push-hosts'
import { type PushSender, pushSender } from '../../server/adapters/push/push-sender'
import type { CheckoutAnswer } from '../../src/contract/billing'
import { HOUR } from '../../src/domain/granularity'
import { loadEnv } from '../../server/env'
import { createLogger, errorForLog } from '../../server/logger'
import { mail_requests } from '../../server/db/schema/mail'
import type { Payments } from '../../server/adapters/payments/payments'
import { BILLING_WEBHOOK, choosePayments } from '../../server/services/billing/payment-provider'
import { reconcile } from '../../server/services/billing/jobs'
import { chooseIdentityProvider } from '../../server/services/google/sign-in'
import { deliverMails } from '../../server/services/mail/deliver'
import { deliverAlerts } from '../../server/services/push/deliver'
import { vapidOf } from '../../server/services/push/vapid-keys'
import { type IdentityProvider, startIdentityProvider } from '../support/identity-provider'
import { linkIn, type Mailbox, startMailbox } from '../support/mailbox'
import type { SignedEvent } from '../support/stripe-delivery'
import { startStripeServer, type StripeServer } from '../support/stripe-server'
import { type PushReply, type PushService, startPushService } from '../support/push-service'
import { type WebhookSink, startWebhookSink } from '../support/webhook-sink'
import { bearer } from './support/accounts'
import { browserAt } from './support/browser'
import { useChannels } from './support/confidential-channels'
import { useDevicesAndPasskeys } from './support/confidential-passkeys'
import { recordCrossing } from './support/crossings'
import { callback, comeBack } from './support/google-browser'
import { secretsIn } from './support/secrets-in'
import { BOT_TOKEN, startTelegram, type TelegramStandIn } from './support/telegram-stand-in'
import { testApp, type TestApp } from './support/test-app'
import { TEST_VAPID } from './support/test-vapid'

/*
 * Every flow of accounts, well and badly ended, with the log at its most talkative; then everything that was secret in
 * them, or about a person, is looked for in the log.
 */

const PUBLIC_URL = 'http://localhost:8080'
const EMAIL = 'Confidential.Person@Example.com'
const PASSWORD = 'a password nobody may read'
const NEXT_PASSWORD = 'another password nobody may read'
const LAST_PASSWORD = 'a last password nobody may read'
const METRICS_TOKEN = 'of-the-one-who-scrapes-this-server'
const MESSAGE = 'These words of a person are for support alone.'

const written: string[] = []
const secrets = new Map<string, string>()
/** Remembers what must not be found, and gives it back. */
const secret = (what: string, value: string): string => {
  expect(value.length, what).toBeGreaterThan(7)
  secrets.set(what, value)
  return value
}

let mailbox: Mailbox
let provider: IdentityProvider
let service: PushService
let stripe: StripeServer
let sink: WebhookSink
let telegram: TelegramStandIn
let sender: PushSender
let server: TestApp
let payments: Payments | null
let deliver: () => Promise<void>
let deliverPushes: () => Promise<void>
beforeAll(async () => {
  mailbox = await startMailbox()
  provider = await startIdentityProvider([`${PUBLIC_URL}/auth/google/callback`])
  service = await startPushService()
  stripe = await startStripeServer({ clock: () => server.clock() })
  sink = await startWebhookSink()
  telegram = await startTelegram()
  const variables = {
    ...provider.variables,
    ...telegram.variables,
    WEBHOOK_ALLOWED_HOSTS: sink.host,
    ...stripe.variables,
    PUBLIC_URL,
    METRICS_TOKEN,
    PUSH_ALLOWED_HOSTS: service.host,
    JWT_SECRET: secret('JWT_SECRET', 'the key of all access tokens, which is kept'),
  }
  secret('GOOGLE_CLIENT_SECRET', provider.variables['GOOGLE_CLIENT_SECRET'] ?? '')
  const logger = createLogger({ NODE_ENV: 'test', LOG_LEVEL: 'trace' }, { write: (line) => void written.push(line) })
  for (const name of ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'] as const) secret(name, stripe.variables[name])
  const env = loadEnv(variables)
  const google = chooseIdentityProvider({ env, clock: Date.now, logger })
  payments = await choosePayments(env)
  server = await testApp({ env: variables, deps: { google, payments, logger } })
  sender = pushSender({ vapid: vapidOf(server.env), hosts: pushHosts([service.host]), clock: Date.now })
  deliverPushes = () =>
    deliverAlerts({ database: server.database, env: server.env, sender, clock: server.clock, logger })
  const url = new URL(mailbox.url)
  url.username = secret('SMTP user', 'mail-user-of-ours')
  url.password = secret('SMTP password', 'mail-password-of-ours')
  const transports = [smtpTransport(mailbox.url, 'a@b.example'), smtpTransport(url.href, 'a@b.example')]
  deliver = async () => {
    for (const transport of transports) {
      await deliverMails({ env: server.env, database: server.database, transport, clock: server.clock, logger })
      server.clock.advance(60_000)
    }
  }
})
afterAll(async () => {
  await server.close()
  sender.close()
  await Promise.all([mailbox, provider, service, stripe, sink, telegram].map((one) => one.stop()))
})

/** As long as it lasts, every statement about the table fails. */
async function without(table: string, work: () => Promise<void>): Promise<void> {
  const [from, to] = [sql.identifier(table), sql.identifier(`${table}_away`)]
  await server.database.orm.execute(sql`ALTER TABLE ${from} RENAME TO ${to}`)
  await work()
  await server.database.orm.execute(sql`ALTER TABLE ${to} RENAME TO ${from}`)
}

async function registerAndVerify(): Promise<void> {
  await without('mail_requests', async () => void (await server.register(EMAIL, PASSWORD)))
  const made = await server.register(EMAIL, PASSWORD)
  expect(made.status).toBe(201)
  const kept = secret('secret of the registration', made.body.registration_secret ?? '')
  expect((await server.register(EMAIL, PASSWORD)).status).toBe(409)
  expect((await server.logIn(EMAIL, PASSWORD)).status).toBe(403)
  mailbox.refuse(451)
  await deliver()
  mailbox.refuse(null)
  await deliver()
  const link = linkIn(await mailbox.next(EMAIL), '/verify-email')
  const token = secret('token of the verification link', link.searchParams.get('token') ?? '')
  await server.app.inject({ url: `${link.pathname}${link.search}`, headers: { accept: 'text/html' } })
  await without('mail_tokens', async () => void (await server.verify(token, { registration_secrets: [kept] })))
  expect((await server.verify(token, {})).status).toBe(403)
  expect((await server.verify(token, { password: PASSWORD })).status).toBe(200)
  expect((await server.verify(token, { registration_secrets: [kept] })).status).toBe(200)
}

async function signInAndGoOn(): Promise<string> {
  await server.logIn(EMAIL, secret('a wrong password', 'a wrong password, perhaps of elsewhere'))
  await without('sessions', async () => void (await server.logIn(EMAIL, PASSWORD)))
  await without('users', async () => void (await server.logIn(EMAIL, PASSWORD)))
  const { body } = await server.logIn(EMAIL, PASSWORD)
  secret('access token', body.access_token)
  secret('refresh token', body.refresh_token)
  await without('refresh_tokens', async () => void (await server.refresh(body.refresh_token)))
  const next = await server.refresh(body.refresh_token)
  secret('next access token', next.body.access_token)
  await server.refresh(secret('next refresh token', next.body.refresh_token))
  await server.me(body.access_token)
  await server.ask('GET', '/users/me', undefined, bearer(`${body.access_token}x`))
  await without('users', async () => void (await server.me(body.access_token)))
  return next.body.access_token
}

async function resetPassword(): Promise<void> {
  await server.post('/users/request-password-reset', { email: EMAIL })
  await server.post('/users/request-password-reset', {
    email: secret('an unknown address', 'stranger.of.all@example.com'),
  })
  await deliver()
  const token = linkIn(await mailbox.next(EMAIL), '/reset-password').searchParams.get('token') ?? ''
  secret('token of the reset link', token)
  await server.app.inject({ url: `/reset-password?token=${token}`, headers: { accept: 'text/html' } })
  await without('mail_requests', async () => void (await server.resetTo(token, NEXT_PASSWORD)))
  expect((await server.resetTo(token, NEXT_PASSWORD)).status).toBe(200)
}

async function signInWithGoogle(): Promise<void> {
  const { json } = await server.app.inject('/api/v1/config')
  const { google } = json<{ google: { client_id: string; authorization_url: string } }>()
  provider.signsIn({
    sub: secret('Google’s name for the person', 'sub-of-that-person'),
    email: EMAIL,
    email_verified: true,
    hd: 'example.com',
  })
  const answer = await comeBack(google, `${PUBLIC_URL}/auth/google/callback`)
  for (const what of ['code', 'code_verifier', 'nonce'] as const) secret(`Google’s ${what}`, answer[what])
  await server.app.inject({ url: `/auth/google/callback?code=${answer.code}`, headers: { accept: 'text/html' } })
  await callback(server, { ...answer, nonce: secret('a wrong nonce', 'n'.repeat(43)) })
  const again = await comeBack(google, `${PUBLIC_URL}/auth/google/callback`)
  const { status, body } = await callback(server, again)
  expect(status).toBe(200)
  await callback(server, { ...again, code: secret('second code', again.code) })
  await server.logOut(secret('refresh token of Google’s session', body.refresh_token))
}

async function writeToSupport(token: string): Promise<void> {
  const me = server.guest()
  secret('anonymous id', me.id)
  for (const headers of [await me.identity(), bearer(token)])
    await server.post('/feedback', { message: MESSAGE }, headers)
  await without(
    'feedback',
    async () => void (await server.post('/feedback', { message: MESSAGE }, await me.identity())),
  )
  await without('owners', async () => void (await me.create({ coin_a_id: 'bitcoin', coin_b_id: 'ethereum' })))
  await deliver()
}

/** Browsers whose push services answer in several ways, and what a database that fails says of them. */
async function beNotified(): Promise<void> {
  secret('VAPID_PRIVATE_KEY', TEST_VAPID.VAPID_PRIVATE_KEY)
  const me = server.guest()
  const widget = (await me.add('bitcoin', 'ethereum')).id
  await me.update(widget, { notifications_enabled: true })
  const replies: (PushReply | null)[] = [
    null,
    { status: 403 },
    { status: 404 },
    { status: 413 },
    { status: 503 },
    'hang-up',
  ]
  for (const [i, reply] of replies.entries()) {
    const browser = browserAt(service)
    secret(`endpoint ${i}`, new URL(browser.endpoint).pathname)
    secret(`public key ${i}`, browser.keys.p256dh)
    secret(`secret ${i}`, browser.keys.auth)
    await without('push_subscriptions', () => expect(browser.subscribe(me)).rejects.toThrow())
    await browser.subscribe(me)
    browser.reply(reply)
  }
  secret('a refused endpoint', '/an-endpoint-elsewhere')
  const { keys } = browserAt(service)
  await me.ask('POST', '/push/subscribe', {
    endpoint: 'https://push.example/an-endpoint-elsewhere',
    expirationTime: null,
    keys,
  })
  await recordCrossing(server.database, widget, server.clock())
  await without('owners', () => expect(deliverPushes()).rejects.toThrow())
  await deliverPushes()
  server.clock.advance(60_000)
  await deliverPushes()
}

/** Buying, on good days of Stripe's and on bad ones, and what it tells afterwards. */
async function buyPremium(): Promise<void> {
  const { body } = await server.logIn(EMAIL, NEXT_PASSWORD)
  const headers = bearer(body.access_token)
  const open = (what: 'checkout' | 'portal') =>
    server.post<CheckoutAnswer>(`/subscriptions/create-${what}-session`, {}, headers)
  const tell = async (signed: SignedEvent) => {
    secret('signature of an event', signed.signature)
    await server.app.inject({
      method: 'POST',
      url: BILLING_WEBHOOK,
      headers: { 'content-type': 'application/json', 'stripe-signature': signed.signature },
      payload: signed.payload,
    })
  }
  for (const fault of [{ status: 401 }, { status: 500 }, 'lose-answer'] as const) {
    stripe.fail(fault)
    await open('checkout')
  }
  stripe.fail(null)
  await without('billing_customers', async () => void (await open('checkout')))
  const page = await open('checkout')
  expect(page.status).toBe(200)
  const { url, session_id } = page.body
  secret('page of a checkout', new URL(url).pathname)
  stripe.account.pay(session_id)
  const event = stripe.account.events.at(-1)!
  await tell({ ...stripe.sign(event), payload: '{"of":"somebody else"}' })
  await without('subscriptions', () => tell(stripe.sign(event)))
  stripe.fail({ status: 500 })
  await tell(stripe.sign(event))
  stripe.fail(null)
  await tell(stripe.sign(event))
  const portal = await open('portal')
  expect(portal.status).toBe(200)
  secret('page of the portal', new URL(portal.body.url).pathname)
  const asked = {
    database: server.database,
    env: server.env,
    clock: server.clock,
    logger: server.app.log,
    payments: payments!,
  }
  server.clock.advance(25 * HOUR)
  stripe.fail({ status: 500 })
  await reconcile(asked, () => undefined)
  stripe.fail(null)
}

/** An operator looks for the person, and does something for them, on good days of the database's and on bad ones. */
async function beLookedAfter(): Promise<void> {
  const boss = await server.operator(secret('address of an operator', 'boss.of.all@example.com'))
  const search = () => boss.search(`?search=${encodeURIComponent(EMAIL)}`)
  const [found] = (await search()).body
  expect(found?.email).toBe(EMAIL)
  await without('owners', async () => void (await search()))
  await without('audit_log', async () => void (await boss.grant(found!.id)))
  expect((await boss.grant(found!.id)).status).toBe(200)
  expect((await boss.audit()).body.length).toBeGreaterThan(0)
}

async function changePassword(): Promise<void> {
  const { body } = await server.logIn(EMAIL, NEXT_PASSWORD)
  const change = (current_password: string, new_password: string) =>
    server.post('/users/me/change-password', { current_password, new_password }, bearer(body.access_token))
  await change(secret('a wrong current password', 'no password of this account'), LAST_PASSWORD)
  await without('security_events', async () => void (await change(NEXT_PASSWORD, LAST_PASSWORD)))
  expect((await change(NEXT_PASSWORD, LAST_PASSWORD)).status).toBe(200)
}

async function beScraped(): Promise<void> {
  const scrape = (token: string) =>
    server.app.inject({ url: '/metrics', remoteAddress: '203.0.113.9', headers: { authorization: `Bearer ${token}` } })
  expect((await scrape(METRICS_TOKEN)).statusCode).toBe(200)
  expect((await scrape(secret('a wrong metrics token', 'of-somebody-else-who-scrapes'))).statusCode).toBe(401)
  await without('alert_events', async () => void (await scrape(METRICS_TOKEN)))
}

async function leave(): Promise<void> {
  const { body } = await server.logIn(EMAIL, LAST_PASSWORD)
  const headers = bearer(secret('last access token', body.access_token))
  await server.ask('DELETE', '/users/me', { password: 'wrong password!' }, headers)
  await server.ask('DELETE', '/users/me', { password: LAST_PASSWORD }, headers)
  await deliver()
}

test('the trace log of account, mail, push and billing flows contains no secret and no personal data', async () => {
  secrets
    .set('password', PASSWORD)
    .set('new password', NEXT_PASSWORD)
    .set('changed password', LAST_PASSWORD)
    .set('METRICS_TOKEN', METRICS_TOKEN)
    .set('feedback', MESSAGE)
  secrets.set('address', EMAIL).set('address, normalised', EMAIL.toLowerCase())
  secrets.set('hashes of passwords', '$argon2')
  await registerAndVerify()
  const token = await signInAndGoOn()
  await writeToSupport(token)
  await beNotified()
  await resetPassword()
  await signInWithGoogle()
  await buyPremium()
  await beLookedAfter()
  await useDevicesAndPasskeys(server, { email: EMAIL, password: NEXT_PASSWORD, secret, without })
  await changePassword()
  await beScraped()
  await leave()
  expect(await server.rows(mail_requests)).toEqual([])

  const log = written.join('')
  // The log has the lines that it is there for.
  expect(log.match(/"msg":"request failed"/g)?.length).toBeGreaterThan(8)
  expect(log.match(/"msg":"mail sent"/g)?.length).toBeGreaterThan(4)
  expect(log).toContain('mail could not be sent yet')
  expect(log).toContain('sign-in with Google refused')
  for (const said of [
    'alert sent',
    'alert could not be sent yet',
    'alert given up',
    'subscription removed',
    'subscription put aside',
    'billing event',
    'the payment provider is not to be had',
    'a customer could not be asked about',
  ])
    expect(log).toContain(said)
  expect(log).toContain('"path":"/reset-password"')
  expect(log).toMatch(/Failed query: insert into ."mail_requests/)
  expect(secretsIn(log, secrets)).toEqual([])
}, 120_000)

test('the trace log of webhooks and chats contains no address, topic, chat, token or secret', async () => {
  secrets.set('TELEGRAM_BOT_TOKEN', BOT_TOKEN)
  await useChannels(server, { sink, telegram, logger: server.app.log, secret, without })
  const log = written.join('')
  for (const outcome of ['sent', 'answered 500', 'answered 302', 'ECONNRESET', 'answered 410', 'blocked'])
    expect(log).toContain(`"outcome":"${outcome}","msg":"alerts for a channel"`)
  expect(log).toMatch(/Failed query: insert into ."alert_channels/)
  expect(secretsIn(log, secrets)).toEqual([])
}, 60_000)

test('a logged database error contains statement, reason and stack, but no parameter value, be it of several lines', async () => {
  const failing = server.database.orm.execute(sql`SELECT ${'a secret value\nof two lines'}::uuid`)
  const logged = JSON.stringify(errorForLog(await failing.catch((error: unknown) => error)))
  expect(logged).toContain('Failed query: SELECT $1::uuid')
  expect(logged).toContain('invalid input syntax for type uuid')
  expect(logged).toContain('nothing-secret-in-logs.test.ts')
  expect(logged).not.toContain('a secret value')
})
