import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openIdProvider } from '../../server/adapters/identity-provider'
import { users } from '../../server/db/schema/users'
import { startIdentityProvider } from '../support/identity-provider'
import { callback } from './support/google-browser'
import { testApp } from './support/test-app'
import { testClock } from './support/test-clock'
import { forFile, withServer } from './support/for-file'

const PUBLIC_URL = 'http://localhost:8080'
const REDIRECT = `${PUBLIC_URL}/auth/google/callback`

const provider = forFile(
  () => startIdentityProvider([REDIRECT]),
  (one) => one.stop(),
)
const server = withServer({ env: { PUBLIC_URL } })
afterEach(() => server.reset())

describe('identity provider failures', () => {
  /** Answers discovery as the real one does, and every exchange of a code in this way. */
  let tokenAnswer: { status: number; type: string; body: string; challenge?: string }
  let asked = 0
  let up = true
  let failingProvider: Server
  let issuer: string
  beforeAll(async () => {
    const real = (await (await fetch(`${provider.issuer}/.well-known/openid-configuration`)).json()) as object
    failingProvider = createServer((request, response) => {
      asked += 1
      const metadata = JSON.stringify({ ...real, issuer, token_endpoint: `${issuer}/token` })
      const { status, type, body, challenge } =
        request.url === '/token' ? tokenAnswer : { status: 200, type: 'application/json', body: metadata }
      if (up)
        response
          .writeHead(status, { 'content-type': type, ...(challenge && { 'www-authenticate': challenge }) })
          .end(body)
      else request.socket.destroy()
    })
    await new Promise<void>((resolve) => failingProvider.listen(0, '127.0.0.1', resolve))
    issuer = `http://127.0.0.1:${(failingProvider.address() as AddressInfo).port}`
  })
  afterAll(() => new Promise((resolve) => failingProvider.close(resolve)))

  const clock = testClock()
  const failing = () => openIdProvider({ issuer, clientId: 'the-app', clientSecret: 'x', clock })
  const asking = async () => {
    const app = await testApp({ database: server.database, env: { PUBLIC_URL }, deps: { google: failing() } })
    const answer = {
      code: 'c',
      redirect_uri: REDIRECT,
      code_verifier: 'a'.repeat(43),
      nonce: 'b'.repeat(16),
      iss: issuer,
    }
    const said = await callback(app, answer)
    await app.close()
    return [said.status, said.body.error_code]
  }

  test.each([
    ['does not know us', { status: 401, type: 'application/json', body: '{"error":"invalid_client"}' }],
    [
      'does not take our secret',
      { status: 401, type: 'application/json', body: '{"error":"invalid_client"}', challenge: 'Basic realm="x"' },
    ],
    ['has an error', { status: 500, type: 'text/html', body: '<h1>Oops</h1>' }],
    ['answers in HTML', { status: 200, type: 'text/html', body: '<h1>Hello</h1>' }],
    ['answers half', { status: 200, type: 'application/json', body: '{"access_tok' }],
  ])('Google sign-in answers 503, not a refusal, when the provider %s', async (_what, answer) => {
    tokenAnswer = answer
    expect(await asking()).toEqual([503, 'IDENTITY_PROVIDER_UNAVAILABLE'])
  })

  test('Google sign-in is refused when the provider rejects the code or answers without an ID token', async () => {
    tokenAnswer = { status: 400, type: 'application/json', body: '{"error":"invalid_grant"}' }
    expect(await asking()).toEqual([401, 'GOOGLE_SIGN_IN_REFUSED'])
    tokenAnswer = { status: 200, type: 'application/json', body: '{"access_token":"a","token_type":"bearer"}' }
    expect(await asking()).toEqual([401, 'GOOGLE_SIGN_IN_REFUSED'])
    expect(await server.rows(users)).toEqual([])
  })

  test('an unreachable identity provider is not asked again for fifteen seconds, and callers do not wait for it', async () => {
    const away = failing()
    up = false
    asked = 0
    expect(await asking()).toEqual([503, 'IDENTITY_PROVIDER_UNAVAILABLE'])
    expect(await away.authorizationUrl()).toBeNull()
    const tries = asked
    for (let i = 0; i < 5; i++) expect(await away.authorizationUrl()).toBeNull()
    expect(asked).toBe(tries)
    up = true
    clock.advance(15_000)
    expect(await away.authorizationUrl()).toBe(`${provider.issuer}/auth`)
  })
})
