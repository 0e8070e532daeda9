import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { config } from '../../src/contract/settings'
import { folderTransport, listOutboxMails } from '../../server/adapters/mail-transport'
import { loadEnv } from '../../server/env'
import { chooseIdentityProvider } from '../../server/services/google/sign-in'
import { deliverMails } from '../../server/services/mail/deliver'
import { chooseTransport } from '../../server/services/mail/choose-transport'
import { sandboxOf } from '../../server/services/sandbox/sandbox'
import { newEmail } from './support/accounts'
import { callback, type Get, setOut } from './support/google-browser'
import { testApp } from './support/test-app'
import { testClock } from './support/test-clock'
import { temporaryFolder, withServer } from './support/for-file'

const PUBLIC_URL = 'http://localhost:8080'
const REDIRECT = `${PUBLIC_URL}/auth/google/callback`
const folder = temporaryFolder()
const clock = testClock()
const source = { PUBLIC_URL, DATA_DIR: folder }
const env = loadEnv(source)
const sandbox = sandboxOf(env, clock)

const google = chooseIdentityProvider({ env, sandbox: sandbox?.google?.provider, clock })
const server = withServer({ env: source, deps: { sandbox, google, clock } })

const page = async (url: string) => {
  const answer = await server.app.inject(url)
  return { status: answer.statusCode, html: answer.payload, policy: String(answer.headers['content-security-policy']) }
}

const transport = chooseTransport(env, clock, sandbox?.mails)
const deliver = () => deliverMails({ env, database: server.database, transport, clock })

test('the sandbox shows a sent mail with a working verification link, on pages whose policy allows no script', async () => {
  expect((await page('/sandbox/mail')).html).toContain('No mail has been sent yet.')
  const email = newEmail()
  await server.register(email)
  await deliver()
  const list = await page('/sandbox/mail')
  const address = /href="(\/sandbox\/mail\/[^"]+)">Confirm your email address</.exec(list.html)?.[1] ?? ''
  expect(list.html).toContain(`to ${email}`)
  const mail = await page(address)
  const link = /href="http:\/\/localhost:8080\/verify-email\?token=([\w-]{43})"/.exec(mail.html)?.[1] ?? ''
  expect((await server.verify(link)).status).toBe(200)

  const html = await page(`${address}/html`)
  expect([mail.status, html.status]).toEqual([200, 200])
  expect(html.html).toContain(link)
  // It runs nothing, loads nothing, and stands in our own page alone.
  expect(html.policy).toBe("default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'")
  expect(mail.policy).toContain("default-src 'none'")
})

test('the sandbox mail pages show subject and text of a mail as written, with markup escaped', async () => {
  const subject = '<img src=x onerror=alert(1)> & "more"'
  const text = 'Look: https://ratio.example/?a=1&b="><script>alert(1)</script>'
  clock.advance(1)
  await transport.send({ to: '"<b>"@example.com', subject, text, html: '<head></head>' })
  const [newest] = await listOutboxMails(sandbox?.mails ?? '')
  const list = await page('/sandbox/mail')
  const mail = await page(`/sandbox/mail/${newest?.id}`)
  for (const { html } of [list, mail]) expect(html).not.toMatch(/<(script|img|b)[ >]/)
  expect(mail.html).toContain('&#60;script&#62;')
  expect(mail.html).toContain('<a href="https://ratio.example/?a=1&#38;b=">')
})

test('a sandbox mail that does not exist is answered 404', async () => {
  for (const id of ['nothing', '..%2f..%2fjwt-secret', '1768478400000-00000000-0000-4000-8000-000000000000']) {
    expect((await page(`/sandbox/mail/${id}`)).status, id).toBe(404)
  }
})

test('the sandbox mail folder keeps the newest 200 mails', async () => {
  const own = join(folder, 'own')
  const time = testClock()
  const busy = folderTransport(own, time)
  for (let i = 0; i < 205; i++) {
    await busy.send({ to: 'a@b.example', subject: `Mail ${i}`, text: '', html: '' })
    time.advance(1)
  }
  const subjects = (await listOutboxMails(own)).map(({ subject }) => subject)
  expect([subjects.length, subjects[0], subjects.at(-1)]).toEqual([200, 'Mail 204', 'Mail 5'])
  expect(readdirSync(own)).toHaveLength(200)
}, 20_000)

describe('sandbox Google sign-in', () => {
  /** A browser that says who it is, or declines. */
  const browser =
    (email: string | null, seen: string[] = [], fields: Readonly<Record<string, string>> = {}): Get =>
    async (url, headers) => {
      const { pathname, search } = new URL(url)
      let answer = await server.app.inject({ url: `${pathname}${search}`, headers })
      if (pathname.startsWith('/sandbox/google/account/')) {
        seen.push(answer.payload)
        const payload = new URLSearchParams(
          email === null ? { decision: 'cancel' } : { decision: 'continue', email, ...fields },
        )
        answer = await server.app.inject({
          method: 'POST',
          url: pathname,
          headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
          payload: payload.toString(),
        })
      }
      const cookies = [answer.headers['set-cookie'] ?? []].flat()
      return { status: answer.statusCode, location: answer.headers.location ?? null, cookies }
    }
  const google = async () => {
    const { google } = config.parse((await server.app.inject('/api/v1/config')).json())
    if (google === null) throw new Error('There is no sign-in with Google.')
    return google
  }
  const signIn = async (email: string, fields: Readonly<Record<string, string>> = {}) => {
    const { searchParams, kept } = await setOut(await google(), REDIRECT, browser(email, [], fields))
    return callback(server, { code: searchParams.get('code') ?? '', iss: searchParams.get('iss') ?? '', ...kept })
  }

  test('the sandbox Google sign-in lets in any email address, and the same address is the same user', async () => {
    const [first, again, other] = [
      await signIn('eve@example.com'),
      await signIn('EVE@example.com'),
      await signIn('bob@example.com'),
    ]
    expect([first.status, again.status, other.status]).toEqual([200, 200, 200])
    expect(first.body.user).toMatchObject({ email: 'eve@example.com', has_password: false })
    expect(again.body.user?.id).toBe(first.body.user?.id)
    expect(other.body.user?.id).not.toBe(first.body.user?.id)
  })

  test('the sandbox Google sign-in opens an account with the same address only where Google runs the mailbox', async () => {
    const email = await server.member()
    const elsewhere = await signIn(email, { elsewhere: 'on' })
    expect([elsewhere.status, elsewhere.body.error_code]).toEqual([403, 'GOOGLE_NOT_LINKED'])
    const workspace = await signIn(email)
    expect([workspace.status, workspace.body.user?.email]).toEqual([200, email])
    expect((await signIn(email, { elsewhere: 'on' })).status, 'linked since').toBe(200)
    expect((await signIn('new@example.com', { elsewhere: 'on' })).status, 'an address without an account').toBe(200)
  })

  test('a user who declines in the sandbox Google sign-in is redirected back with access_denied and the state', async () => {
    const back = await setOut(await google(), REDIRECT, browser(null))
    expect([back.searchParams.get('error'), back.searchParams.get('code')]).toEqual(['access_denied', null])
    expect(back.searchParams.get('state')).not.toBeNull()
  })

  test('the sandbox Google sign-in shows one page, with an email field and no script', async () => {
    const pages: string[] = []
    await setOut(await google(), REDIRECT, browser('eve@example.com', pages))
    expect(pages).toHaveLength(1)
    expect(pages[0]).toContain('<label for="email">Email</label>')
    expect(pages[0]).not.toContain('<script')
  })

  test('the sandbox Google sign-in refuses an unregistered redirect URI and a request without PKCE', async () => {
    const { authorization_url, client_id } = await google()
    const ask = async (change: Record<string, string>) => {
      const query = {
        client_id,
        redirect_uri: REDIRECT,
        response_type: 'code',
        scope: 'openid',
        code_challenge: 'a'.repeat(43),
        code_challenge_method: 'S256',
        ...change,
      }
      return server.app.inject(`${new URL(authorization_url).pathname}?${new URLSearchParams(query).toString()}`)
    }
    const elsewhere = await ask({ redirect_uri: 'https://evil.example/' })
    expect([elsewhere.statusCode, elsewhere.headers.location]).toEqual([400, undefined])
    expect(elsewhere.payload).toContain('invalid_redirect_uri')
    const plain = await ask({ code_challenge: '' })
    expect(new URL(plain.headers.location ?? '').searchParams.get('error')).toBe('invalid_request')
  })

  test('the sandbox Google page says that an unknown sign-in is over, and answers 422 to an invalid email address', async () => {
    const over = await page('/sandbox/google/account/gone')
    expect(over.html).toContain('This login is over')
    const post = (payload: string) =>
      server.app.inject({
        method: 'POST',
        url: '/sandbox/google/account/gone',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload,
      })
    expect((await post('decision=continue&email=nobody')).statusCode).toBe(422)
    expect((await post('decision=continue&email=a@b.example')).payload).toContain('This login is over')
  })
})

const production = {
  NODE_ENV: 'production',
  JWT_SECRET: 'Zq3vX8mB1kT7wL0sJ5nR2yP9hD6fG4cE',
  PUBLIC_URL: 'https://ratio.example',
  MARKET_DATA: 'simulated',
  SMTP_URL: 'smtp://mail.example',
}
const stripe = { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_1', STRIPE_PRICE_ID: 'price_1' }
const keys = { SMTP_URL: 'smtp://mail.example', GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'secret', ...stripe }

test('the sandbox stands in for each service without keys, except in production', () => {
  const parts = (variables: Record<string, string>) => {
    const made = sandboxOf(loadEnv(variables), clock)
    return made && [made.mails !== null, made.google !== null, made.billing !== null]
  }
  expect(parts({})).toEqual([true, true, true])
  expect(parts({ SMTP_URL: keys.SMTP_URL })).toEqual([false, true, true])
  expect(parts({ ...keys, SMTP_URL: '' })).toEqual([true, false, false])
  expect(parts({ ...keys, STRIPE_SECRET_KEY: '', STRIPE_WEBHOOK_SECRET: '', STRIPE_PRICE_ID: '' })).toEqual([
    false,
    false,
    true,
  ])
  expect(parts(keys)).toBeNull()
  expect(parts(production)).toBeNull()
})

test.each<[string, Record<string, string>]>([
  ['with the X-Forwarded-Host of a tunnel', { host: 'localhost:8080', 'x-forwarded-host': 'tunnel.example' }],
  ['with the X-Forwarded-For of a remote client', { host: 'localhost:8080', 'x-forwarded-for': '203.0.113.9' }],
  ['with an X-Forwarded-For of this machine', { host: 'localhost:8080', 'x-forwarded-for': '127.0.0.1' }],
  ['with X-Forwarded-Proto alone', { host: 'localhost:8080', 'x-forwarded-proto': 'https' }],
  ['with Forwarded', { host: 'localhost:8080', forwarded: 'for=127.0.0.1' }],
  ['with Via', { host: 'localhost:8080', via: '1.1 tunnel' }],
  ['with X-Real-IP', { host: '127.0.0.1:8080', 'x-real-ip': '203.0.113.9' }],
  ['with CF-Connecting-IP', { host: 'localhost:8080', 'cf-connecting-ip': '203.0.113.9' }],
  ['with True-Client-IP', { host: 'localhost:8080', 'true-client-ip': '203.0.113.9' }],
  ['that another site leads to', { host: 'localhost:8080', 'sec-fetch-site': 'cross-site' }],
])('sandbox pages answer 404, and the API 200, to a request %s', async (_how, headers) => {
  for (const url of [
    '/sandbox/mail',
    '/sandbox/google/.well-known/openid-configuration',
    '/sandbox/google/account/x',
    '/sandbox/billing/checkout/x',
    '/sandbox/billing/portal/x',
  ]) {
    expect((await server.app.inject({ url, headers })).statusCode, url).toBe(404)
    expect((await server.app.inject({ url, headers: { host: '127.0.0.1:8080' } })).statusCode, url).toBe(200)
  }
  expect((await server.app.inject({ url: '/api/v1/config', headers })).statusCode).toBe(200)
})

test('sandbox pages answer an address that is typed, a link of the app and a form of their own', async () => {
  const host = 'localhost:8080'
  for (const headers of [
    { host, 'sec-fetch-site': 'none' },
    { host, 'sec-fetch-site': 'same-origin' },
    { host, 'sec-fetch-site': 'same-origin', origin: 'null' },
    { host, origin: 'http://localhost:8080' },
  ]) {
    expect((await server.app.inject({ url: '/sandbox/mail', headers })).statusCode).toBe(200)
  }
})

test('sandbox pages answer 404 to a request from another machine', async () => {
  const answer = await server.app.inject({
    url: '/sandbox/mail',
    headers: { host: 'localhost:8080' },
    remoteAddress: '192.168.1.7',
  })
  expect(answer.statusCode).toBe(404)
})

test('a production server without a sandbox answers 404 on sandbox pages and has no Google sign-in', async () => {
  const real = await testApp({ database: server.database, env: production })
  for (const url of [
    '/sandbox/mail',
    '/sandbox/google/auth',
    '/sandbox/google/.well-known/openid-configuration',
    '/sandbox/billing/checkout/x',
  ]) {
    expect((await real.app.inject(url)).statusCode, url).toBe(404)
  }
  await real.close()
  expect(chooseIdentityProvider({ env: loadEnv(production), clock })).toBeNull()
})
