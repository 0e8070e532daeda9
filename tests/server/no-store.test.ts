import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import type { PasskeyChallenge } from '../../src/contract/web-authn'
import { type RouteName, routes } from '../../src/contract/routes'
import type { TokenAnswer } from '../../src/contract/session'
import { type Authenticator, newAuthenticator } from '../support/authenticator'
import { bearer, newEmail, PASSWORD } from './support/accounts'
import { googleScene } from './support/google-scene'
import { addPasskey, firstStep } from './support/passkeys'
import type { Answered } from './support/person'
import { subscription } from './support/subscription'

const { server, signIn } = googleScene()

/** Members whose value lets somebody in, or is a step on the way. */
const SECRET = /token|secret|challenge|ticket|code/

/** True if an answer by this schema may hold a secret, at any depth. */
function holdsSecret(schema: z.ZodMiniType): boolean {
  const written = JSON.stringify(z.toJSONSchema(schema, { unrepresentable: 'any' }))
  return [...written.matchAll(/"(\w+)":\{/g)].some(([, member = '']) => SECRET.test(member))
}

const member = async () => server.session(await server.member())
const withPasskey = async () => {
  const session = await member()
  await addPasskey(server, session)
  return session
}
const as = ({ access_token }: TokenAnswer) => bearer(access_token)

async function registerByPasskey(key: Authenticator) {
  const email = newEmail()
  const { ticket, options } = (await server.post<PasskeyChallenge>('/auth/passkey/options', { email })).body
  const attestation = key.create({ challenge: options.challenge })
  return server.post('/users/register-passkey', { email, ticket, attestation })
}

/** A call of each such route that succeeds. */
const CALLS: Partial<Record<RouteName, () => Promise<Answered<unknown>>>> = {
  logIn: async () => server.logIn(await server.member()),
  googleCallback: () => signIn({ sub: 'g-1', email: newEmail(), email_verified: true }),
  refreshToken: async () => server.refresh((await member()).refresh_token),
  register: () => server.register(newEmail()),
  resetPassword: async () => server.resetTo(await server.link(await server.member(), 'reset-password'), PASSWORD),
  secondFactor: async () => {
    const email = await server.member()
    const { added } = await addPasskey(server, await server.session(email))
    const { ticket } = await firstStep(server, email)
    return server.post('/auth/passkey', { ticket, recovery_code: added.recovery_codes?.[0] })
  },
  passkeyOptions: async () => server.post('/auth/passkey/options', {}),
  logInByPasskey: async () => {
    const key = newAuthenticator(server.env.PUBLIC_URL, 'asks')
    await registerByPasskey(key)
    server.clock.advance(1)
    const { ticket, options } = (await server.post<PasskeyChallenge>('/auth/passkey/options', {})).body
    return server.post('/auth/passkey/login', { ticket, assertion: key.get({ challenge: options.challenge }) })
  },
  registerByPasskey: () => registerByPasskey(newAuthenticator(server.env.PUBLIC_URL, 'asks')),
  confirmOptions: async () => server.post('/auth/confirm/options', {}, as(await withPasskey())),
  passkeys: async () => server.ask('GET', '/users/me/passkeys', undefined, as(await member())),
  addPasskeyOptions: async () => server.post('/users/me/passkeys/options', {}, as(await member())),
  addPasskey: async () => {
    const session = await member()
    const begun = await server.post<PasskeyChallenge>('/users/me/passkeys/options', {}, as(session))
    const { ticket, options } = begun.body
    const attestation = newAuthenticator(server.env.PUBLIC_URL).create({ challenge: options.challenge })
    return server.post('/users/me/passkeys', { ticket, name: 'My key', attestation }, as(session))
  },
  renewRecoveryCodes: async () => server.post('/users/me/recovery-codes', {}, as(await withPasskey())),
  subscribePush: async () =>
    server.post(
      '/push/subscribe',
      { ...subscription('https://fcm.googleapis.com/fcm/send/one'), receipts: true },
      as(await member()),
    ),
  myData: async () => server.ask('GET', '/me/data', undefined, as(await member())),
}

test('every route whose answer may hold a token, secret, challenge or code is among those that are asked here', () => {
  const names = Object.entries(routes).flatMap(([name, { answer }]) =>
    answer !== null && holdsSecret(answer) ? [name] : [],
  )
  expect(names.toSorted()).toEqual(Object.keys(CALLS).toSorted())
})

test.each(Object.entries(CALLS))('no cache keeps the answer of %s', async (_name, call) => {
  const { status, headers, body } = await call()
  expect([status, body]).toEqual([expect.toSatisfy((code: number) => code < 300), expect.anything()])
  expect(headers['cache-control']).toBe('no-store')
})
