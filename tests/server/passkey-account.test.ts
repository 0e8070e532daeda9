import { expect, test } from 'vitest'
import { DAY, MINUTE } from '../../src/domain/granularity'
import type { RegisterByPasskeyAnswer } from '../../src/contract/passkeys'
import type { PasskeyChallenge } from '../../src/contract/web-authn'
import type { ErrorBody } from '../../src/contract/errors'
import type { User } from '../../src/contract/session'
import { passkeys } from '../../server/db/schema/sessions'
import { security_events } from '../../server/db/schema/security-events'
import { type Authenticator, newAuthenticator } from '../support/authenticator'
import { bearer, newEmail, PASSWORD, type Tokens } from './support/accounts'
import { withServer } from './support/for-file'
import { addPasskey, passkeysOf } from './support/passkeys'
import { verdict } from './support/person'
import { googleScene } from './support/google-scene'

const PUBLIC_URL = 'http://localhost:8080'
const server = withServer({ env: { PUBLIC_URL } })
const scene = googleScene()

const begin = async (email?: string, on = server) =>
  (await on.post<PasskeyChallenge>('/auth/passkey/options', { ...(email !== undefined && { email }) })).body
const newKey = () => newAuthenticator(PUBLIC_URL, 'asks')

async function register(email = newEmail(), key = newKey(), on = server) {
  const { ticket, options } = await begin(email, on)
  const attestation = key.create({ challenge: options.challenge })
  const answer = await on.post<RegisterByPasskeyAnswer & ErrorBody>('/users/register-passkey', {
    email,
    ticket,
    attestation,
  })
  return { email, key, answer, token: answer.body.access_token, secret: answer.body.registration_secret }
}

/** The passkey's answer to a challenge. */
async function sign(key: Authenticator, on = server) {
  // Later than the use before.
  on.clock.advance(1)
  const { ticket, options } = await begin(undefined, on)
  return { ticket, assertion: key.get({ challenge: options.challenge, counter: 0 }) }
}

/** A way to present the answer to one challenge, as often as one likes. */
async function answered(key: Authenticator, on = server): Promise<() => Promise<Tokens>> {
  const signed = await sign(key, on)
  return () => on.post('/auth/passkey/login', signed)
}
const logIn = async (key: Authenticator, on = server) => (await answered(key, on))()
const verify = async ({ email, secret }: { readonly email: string; readonly secret: string }, on = server) =>
  on.post('/users/verify-email', {
    token: await on.link(email, 'verify-email'),
    registration_secrets: [secret],
  })
const REFUSED = [403, 'SECOND_FACTOR_REFUSED']

test('a passkey makes an account without a password, is in at once, and opens it again before and after the address is verified', async () => {
  const made = await register()
  expect([made.answer.status, made.answer.body.user]).toEqual([
    201,
    expect.objectContaining({
      email: made.email,
      has_password: false,
      has_passkeys: true,
      opens_by_passkey: true,
      email_verified: false,
    }),
  ])
  expect((await logIn(made.key)).body.user?.email_verified).toBe(false)
  expect((await verify(made)).status).toBe(200)
  const { status, body } = await logIn(made.key)
  expect([status, body.user?.email]).toEqual([200, made.email])
  const { id, owner_proven } = await server.rowOf(made.email)
  expect(owner_proven).toBe(true)
  const events = (await server.rows(security_events)).filter(({ user_id }) => user_id === id).map(({ kind }) => kind)
  expect(events.filter((kind) => kind === 'signed-in-passkey')).toHaveLength(3)
})

test('what begins with a passkey says nothing of accounts; a taken address is told as at a registration by password, and nothing is made', async () => {
  const [taken, free] = [await server.member(), newEmail()]
  const shape = ({ ticket, options }: PasskeyChallenge) => [ticket.length, Object.keys(options).toSorted()]
  expect(shape(await begin(taken))).toEqual(shape(await begin(free)))
  const { answer, key } = await register(taken)
  const byPassword = await server.register(taken)
  expect([answer.status, answer.body]).toEqual([byPassword.status, byPassword.body])
  expect(verdict(await logIn(key))).toEqual(REFUSED)
})

test.each([
  ['a passkey that asks for no PIN, finger or face', () => newAuthenticator(PUBLIC_URL)],
  ['a passkey of another site', () => newAuthenticator('https://elsewhere.example', 'asks')],
])('%s makes no account', async (_what, key) => {
  const { email, answer } = await register(newEmail(), key())
  expect(verdict(answer)).toEqual(REFUSED)
  expect((await server.register(email)).status).toBe(201)
})

test('a challenge of another server’s key, of six minutes ago or of a time that is none opens nothing', async () => {
  const { key } = await register()
  const late = await answered(key)
  server.clock.advance(6 * MINUTE)
  expect(verdict(await late())).toEqual(REFUSED)
  for (const ticket of ['x', `${server.clock()}.made-up`]) {
    const assertion = key.get({ challenge: Buffer.from('guess').toString('base64url'), counter: 0 })
    expect(verdict(await server.post<never>('/auth/passkey/login', { ticket, assertion }))).toEqual(REFUSED)
  }
})

test('of five equal answers to one challenge at the same time one signs in, and none does later, also of a passkey that counts nothing', async () => {
  const { key } = await register()
  const present = await answered(key)
  const all = await Promise.all([1, 2, 3, 4, 5].map(present))
  expect(all.map(({ status }) => status).toSorted()).toEqual([200, 403, 403, 403, 403])
  server.clock.advance(MINUTE)
  expect(verdict(await present())).toEqual(REFUSED)
})

test('an answer that signed in does not sign in again after the passkey was used on a server whose clock is behind', async () => {
  const { key } = await register()
  const present = await answered(key)
  const auth = bearer((await present()).body.access_token)
  server.clock.advance(-MINUTE)
  const { ticket, options } = (await server.post<PasskeyChallenge>('/auth/confirm/options', {}, auth)).body
  const assertion = key.get({ challenge: options.challenge, counter: 0 })
  expect((await server.post('/auth/confirm', { method: 'passkey', ticket, assertion }, auth)).status).toBe(200)
  server.clock.advance(MINUTE)
  expect(verdict(await present())).toEqual(REFUSED)
})

test('an answer that made an account makes no other, for its own address nor for another one', async () => {
  const key = newKey()
  const [email, other] = [newEmail(), newEmail()]
  const { ticket, options } = await begin(email)
  const attestation = key.create({ challenge: options.challenge })
  const finish = (address: string) =>
    server.post<ErrorBody>('/users/register-passkey', { email: address, ticket, attestation })
  expect((await finish(email)).status).toBe(201)
  expect((await finish(email)).body.error_code).toBe('EMAIL_ALREADY_REGISTERED')
  expect((await finish(other)).body.error_code).toBe('PASSKEY_EXISTS')
  expect((await server.register(other)).status).toBe(201)
})

test('a passkey beside a password opens nothing alone', async () => {
  const { key } = await addPasskey(server, await server.session(await server.member()), newKey())
  expect(verdict(await logIn(key))).toEqual(REFUSED)
})

test('in another browser the link verifies beside the passkey that made the account, and beside no other passkey, password or used answer', async () => {
  const { email, key } = await register()
  const token = await server.link(email, 'verify-email')
  const follow = (proof: object) => server.post<ErrorBody>('/users/verify-email', { token, ...proof })
  const other = (await register()).key
  const used = await sign(key)
  await server.post('/auth/passkey/login', used)
  expect([
    verdict((await follow({ passkey: await sign(other) })) as never),
    verdict((await follow({ passkey: used })) as never),
    verdict((await follow({ password: PASSWORD })) as never),
  ]).toEqual([REFUSED, REFUSED, [403, 'PASSKEY_REQUIRED']])
  expect((await server.rowOf(email)).email_verified_at).toBeNull()
  expect((await follow({ passkey: await sign(key) })).status).toBe(200)
  const { email_verified_at, owner_proven } = await server.rowOf(email)
  expect([email_verified_at !== null, owner_proven]).toEqual([true, true])
})

test('a passkey beside a password verifies no address: the link wants what the registration chose', async () => {
  const email = newEmail()
  await server.register(email)
  const { key } = await register()
  const token = await server.link(email, 'verify-email')
  const answer = await server.post<ErrorBody>('/users/verify-email', { token, passkey: await sign(key) })
  expect(verdict(answer as never)).toEqual(REFUSED)
  expect((await server.post<ErrorBody>('/users/verify-email', { token })).body.error_code).toBe('PASSWORD_REQUIRED')
})

test('a stranger who registered an address with a passkey is out for good when its reader sets a password by mail', async () => {
  const { email, key, token } = await register()
  const link = await server.link(email, 'verify-email')
  const refused = await server.post<ErrorBody>('/users/verify-email', { token: link })
  expect([...verdict(refused as never), refused.body.detail]).toEqual([
    403,
    'PASSKEY_REQUIRED',
    expect.stringContaining('set a password by mail'),
  ])
  await server.resetTo(await server.link(email, 'reset-password'), PASSWORD)
  expect((await server.me(token)).status).toBe(401)
  expect(verdict(await logIn(key))).toEqual(REFUSED)
  expect((await server.logIn(email)).status).toBe(200)
})

test('a stranger who registered an address with a passkey is out for good when its reader signs in with Google', async () => {
  const email = 'victim@gmail.com'
  const { key, token } = await register(email, newKey(), scene.server)
  const { body } = await scene.signIn({ sub: 'g-victim', email, email_verified: true })
  expect(body.user?.has_passkeys).toBe(false)
  expect((await scene.server.me(token)).status).toBe(401)
  expect(verdict(await logIn(key, scene.server))).toEqual(REFUSED)
})

test('a password by mail takes the place of a passkey that opened the account alone, however old: who has lost it gets in', async () => {
  const made = await register()
  await verify(made)
  await server.database.orm.update(passkeys).set({ created_at: new Date(server.clock() - 30 * DAY) })
  await server.resetTo(await server.link(made.email, 'reset-password'), PASSWORD)
  expect((await server.logIn(made.email)).status).toBe(200)
  expect(verdict(await logIn(made.key))).toEqual(REFUSED)
})

test('such an account adds a second passkey once it is verified, which opens it alone, and keeps the last one', async () => {
  const made = await register()
  const early = await server.ask('POST', '/users/me/passkeys/options', {}, bearer(made.token))
  expect(verdict(early as never)).toEqual([403, 'EMAIL_NOT_VERIFIED'])
  await verify(made)
  const session = (await logIn(made.key)).body
  const weak = newAuthenticator(PUBLIC_URL)
  await expect(addPasskey(server, session, weak)).rejects.toThrow('SECOND_FACTOR_REFUSED')
  const { key } = await addPasskey(server, session, newKey())
  expect((await logIn(key)).status).toBe(200)
  const [first, second] = (await passkeysOf(server, session.access_token)).body.passkeys
  const remove = (id: string) =>
    server.ask('DELETE', `/users/me/passkeys/${id}`, undefined, bearer(session.access_token))
  expect((await remove(first!.id)).status).toBe(204)
  expect(verdict((await remove(second!.id)) as never)).toEqual([403, 'FORBIDDEN'])
  expect((await logIn(key)).status).toBe(200)
})

test('the link with Google ends where a passkey opens the account alone, and stays where one only stands beside Google', async () => {
  const made = await register(newEmail(), newKey(), scene.server)
  await verify(made, scene.server)
  const { access_token } = (await logIn(made.key, scene.server)).body
  const other = { sub: 'g-private', email: 'private@gmail.com', email_verified: true }
  const back = await scene.goAndComeBack(other)
  expect((await scene.server.post('/users/me/google', back, bearer(access_token))).status).toBe(200)
  const unlink = async (token: string) =>
    scene.server.ask<User & ErrorBody>('DELETE', '/users/me/google', undefined, bearer(token))
  const unlinked = await unlink(access_token)
  expect([unlinked.status, unlinked.body]).toMatchObject([200, { has_google: false, opens_by_passkey: true }])
  expect((await logIn(made.key, scene.server)).status).toBe(200)

  const beside = (await scene.signIn({ sub: 'g-beside', email: 'beside@gmail.com', email_verified: true })).body
  await addPasskey(scene.server, beside, newKey())
  expect(verdict((await unlink(beside.access_token)) as never)).toEqual([403, 'FORBIDDEN'])
})

test('the browser that registered with a passkey has its account removed before the address is verified', async () => {
  const { token } = await register()
  expect((await server.ask('POST', '/users/me/delete-oauth', undefined, bearer(token))).status).toBe(200)
  expect((await server.me(token)).status).toBe(401)
})
