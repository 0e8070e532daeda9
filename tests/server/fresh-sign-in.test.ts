import { beforeEach, expect, test, vi } from 'vitest'
import type { PasskeyChallenge } from '../../src/contract/web-authn'
import { DAY, MINUTE } from '../../src/domain/granularity'
import { sessions } from '../../server/db/schema/sessions'
import { users } from '../../server/db/schema/users'
import { newAuthenticator } from '../support/authenticator'
import type { ProviderUser } from '../support/identity-provider'
import { bearer, PASSWORD } from './support/accounts'
import { auditOf } from './support/admin'
import { callback } from './support/google-browser'
import { addPasskey, beginConfirmation, passkeysOf } from './support/passkeys'

import { googleScene } from './support/google-scene'
import { verdict } from './support/person'

const { provider, server, goAndComeBack, signIn } = googleScene()
beforeEach(async () => {
  await server.reset()
  // The provider's times are of this machine's clock.
  server.clock.advance(Date.now() - server.clock())
})

const STALE = [403, 'FRESH_SIGN_IN_REQUIRED']
const ask = (method: 'GET' | 'POST' | 'DELETE', path: string, token: string, body?: object) =>
  server.ask<{ error_code?: string; detail?: string }>(method, path, body, bearer(token))
const confirm = (token: string, body: object) =>
  server.post<{ fresh_until: string }>('/auth/confirm', body, bearer(token))

const atGmail = (name: string): ProviderUser => ({
  sub: `google-${name}`,
  email: `${name}@gmail.com`,
  email_verified: true,
})
const googleSession = async (person: ProviderUser) => (await signIn(person)).body

test('a superuser grants and revokes within ten minutes of signing in; later both are refused and not audited', async () => {
  const [boss, me] = [await server.operator(), await server.user()]
  server.clock.advance(10 * MINUTE - 1)
  expect((await boss.grant(me.id)).status).toBe(200)
  server.clock.advance(1)
  const refused = await boss.revoke(me.id)
  expect(verdict(refused)).toEqual(STALE)
  expect(refused.body.detail).toBe(
    'Please confirm that it is you: log out, log in again, and repeat this within ten minutes.',
  )
  expect(await auditOf(server, me.id)).toEqual(['grant-premium'])
  // Reading needs none.
  expect((await boss.profile(me.id)).status).toBe(200)
})

test('who is no superuser is told so, not that a fresh sign-in is needed', async () => {
  const [other, me] = [await server.user(), await server.user()]
  server.clock.advance(DAY)
  const refused = await other.ask('POST', `/admin/users/${me.id}/grant-premium`, { duration_days: 1 })
  expect(verdict(refused as never)).toEqual([403, 'FORBIDDEN'])
})

test('deletion of a passwordless account with an old session is refused; after a Google confirmation it is scheduled', async () => {
  const { access_token } = await googleSession(atGmail('ann'))
  await server.database.orm.update(sessions).set({ authenticated_at: new Date(server.clock() - 10 * MINUTE) })
  expect(verdict(await ask('POST', '/users/me/delete-oauth', access_token))).toEqual(STALE)
  expect((await server.rowOf('ann@gmail.com')).deletion_scheduled_at).toBeNull()
  const google = await goAndComeBack(atGmail('ann'))
  expect((await confirm(access_token, { method: 'google', google })).status).toBe(200)
  expect((await ask('POST', '/users/me/delete-oauth', access_token)).status).toBe(200)
})

test('passkeys and the Google link are changed only with a fresh sign-in', async () => {
  const first = await server.session(await server.member())
  const { added } = await addPasskey(server, first)
  const google = await goAndComeBack(atGmail('someone'))
  server.clock.advance(10 * MINUTE)
  const token = first.access_token
  const calls = [
    ask('POST', '/users/me/passkeys/options', token, {}),
    ask('DELETE', `/users/me/passkeys/${added.passkey.id}`, token),
    ask('POST', '/users/me/recovery-codes', token, {}),
    ask('POST', '/users/me/google', token, google),
    ask('DELETE', '/users/me/google', token),
  ]
  for (const answer of await Promise.all(calls)) expect(verdict(answer)).toEqual(STALE)
})

test('a session that is older than the record of fresh sign-ins is not fresh, and a refresh makes none fresh', async () => {
  const first = await server.session(await server.member())
  await server.database.orm.update(sessions).set({ authenticated_at: null })
  const { body } = await server.refresh(first.refresh_token)
  expect((await passkeysOf(server, body.access_token)).body.fresh_until).toBeNull()
  expect(verdict(await ask('POST', '/users/me/passkeys/options', body.access_token, {}))).toEqual(STALE)
})

test('the right password makes this session fresh for ten minutes and no other; a wrong one is refused', async () => {
  const email = await server.member()
  const [one, other] = [await server.session(email), await server.session(email)]
  server.clock.advance(11 * MINUTE)
  const wrong = await confirm(one.access_token, { method: 'password', password: 'not the password' })
  expect(verdict(wrong)).toEqual([403, 'INCORRECT_PASSWORD'])
  expect((await passkeysOf(server, one.access_token)).body.fresh_until).toBeNull()
  const right = await confirm(one.access_token, { method: 'password', password: PASSWORD })
  expect(right.body).toEqual({ fresh_until: new Date(server.clock() + 10 * MINUTE).toISOString() })
  expect((await passkeysOf(server, one.access_token)).body.fresh_until).toBe(right.body.fresh_until)
  expect((await passkeysOf(server, other.access_token)).body.fresh_until).toBeNull()
})

test('an account with a passkey confirms with it; its password is not enough', async () => {
  const first = await server.session(await server.member())
  const { key } = await addPasskey(server, first)
  server.clock.advance(11 * MINUTE)
  const token = first.access_token
  expect(verdict(await confirm(token, { method: 'password', password: PASSWORD }))).toEqual([
    403,
    'SECOND_FACTOR_REQUIRED',
  ])
  const { ticket, options } = await beginConfirmation(server, token)
  const assertion = key.get({ challenge: options.challenge })
  expect((await confirm(token, { method: 'passkey', ticket, assertion })).status).toBe(200)
  expect(verdict(await confirm(token, { method: 'passkey', ticket, assertion }))).toEqual([
    403,
    'SECOND_FACTOR_REFUSED',
  ])
  expect((await passkeysOf(server, token)).body.fresh_until).not.toBeNull()
})

test('an account with a passkey is changed, deleted and downloaded only with it; the password is not even looked at', async () => {
  const email = await server.member()
  const first = await server.session(email)
  const { key } = await addPasskey(server, first)
  server.clock.advance(11 * MINUTE)
  const token = first.access_token
  const calls = (password: string) => [
    () => ask('POST', '/users/me/change-password', token, { current_password: password, new_password: PASSWORD }),
    () => ask('DELETE', '/users/me', token, { password }),
  ]
  const download = () => server.ask('GET', '/me/data', undefined, bearer(token))
  for (const password of [PASSWORD, 'not the password']) {
    for (const call of calls(password)) expect(verdict(await call())).toEqual(STALE)
  }
  expect(verdict((await download()) as never)).toEqual(STALE)
  expect(await server.rowOf(email)).toMatchObject({ deletion_scheduled_at: null })

  const { ticket, options } = await beginConfirmation(server, token)
  await confirm(token, { method: 'passkey', ticket, assertion: key.get(options) })
  expect((await download()).status).toBe(200)
  for (const call of calls(PASSWORD)) expect((await call()).status).toBe(200)
})

test('an account without a passkey is changed and downloaded with an old session, as its password says enough', async () => {
  const { access_token } = await server.session(await server.member())
  server.clock.advance(11 * MINUTE)
  expect((await server.ask('GET', '/me/data', undefined, bearer(access_token))).status).toBe(200)
  const body = { current_password: PASSWORD, new_password: `${PASSWORD}!` }
  expect((await ask('POST', '/users/me/change-password', access_token, body)).status).toBe(200)
})

test('the first passkey ends the fresh sign-in of every other session, which showed a password alone', async () => {
  const email = await server.member()
  const [own, other] = [await server.session(email), await server.session(email)]
  await addPasskey(server, own)
  expect((await passkeysOf(server, own.access_token)).body.fresh_until).not.toBeNull()
  const body = { current_password: PASSWORD, new_password: `${PASSWORD}!` }
  expect(verdict(await ask('POST', '/users/me/change-password', other.access_token, body))).toEqual(STALE)
  expect(verdict(await ask('POST', '/users/me/recovery-codes', other.access_token, {}))).toEqual(STALE)
})

/** A command that is ready to be sent. */
type Prepared = () => ReturnType<typeof ask>
test.each<[string, (token: string) => Promise<Prepared>]>([
  [
    'a passkey is added',
    async (token) => {
      const { body } = await server.post<PasskeyChallenge>('/users/me/passkeys/options', {}, bearer(token))
      const { challenge } = body.options
      const attestation = newAuthenticator(server.env.PUBLIC_URL).create({ challenge })
      return () => ask('POST', '/users/me/passkeys', token, { ticket: body.ticket, name: 'Mine', attestation })
    },
  ],
  [
    'Google is linked',
    async (token) => {
      const answer = await goAndComeBack(atGmail('thief'))
      return () => ask('POST', '/users/me/google', token, answer)
    },
  ],
  ['the data is downloaded', async (token) => () => ask('GET', '/me/data', token)],
])(
  '%s by no session whose fresh sign-in another one’s first passkey ends while it waits for the account',
  async (_what, prepare) => {
    const email = await server.member()
    const [one, other] = [await server.session(email), await server.session(email)]
    const command = await prepare(one.access_token)
    const { orm } = server.database
    const begin = orm.transaction.bind(orm)
    const waiting = vi.spyOn(orm, 'transaction').mockImplementationOnce(async (...change) => {
      await addPasskey(server, other)
      return begin(...change)
    })
    expect(verdict(await command())).toEqual(STALE)
    waiting.mockRestore()
  },
)

test('a passkey confirms only the session that asked for the challenge', async () => {
  const email = await server.member()
  const [one, other] = [await server.session(email), await server.session(email)]
  const { key } = await addPasskey(server, one)
  server.clock.advance(11 * MINUTE)
  const { ticket, options } = await beginConfirmation(server, one.access_token)
  const assertion = key.get({ challenge: options.challenge })
  expect(verdict(await confirm(other.access_token, { method: 'passkey', ticket, assertion }))).toEqual([
    403,
    'SECOND_FACTOR_REFUSED',
  ])
  expect((await passkeysOf(server, other.access_token)).body.fresh_until).toBeNull()
})

test('another Google account than the linked one confirms nothing, and neither does an old sign-in at Google', async () => {
  const { access_token } = await googleSession(atGmail('ann'))
  const other = await confirm(access_token, { method: 'google', google: await goAndComeBack(atGmail('eve')) })
  expect(verdict(other)).toEqual([401, 'GOOGLE_SIGN_IN_REFUSED'])
  provider.signedIn(Math.floor(Date.now() / 1000) - 3600)
  const old = await confirm(access_token, { method: 'google', google: await goAndComeBack(atGmail('ann')) })
  provider.signedIn(null)
  expect(verdict(old)).toEqual([401, 'GOOGLE_SIGN_IN_REFUSED'])
})

test('a signed-in user links any Google account, signs in with it, and unlinks it; a mail tells of both', async () => {
  const email = await server.member()
  const { access_token: token, user: me } = await server.session(email)
  const linked = await ask('POST', '/users/me/google', token, await goAndComeBack(atGmail('private')))
  expect([linked.status, linked.body]).toMatchObject([200, { email, has_google: true }])
  expect((await googleSession(atGmail('private'))).user?.id).toBe(me?.id)
  const unlinked = await ask('DELETE', '/users/me/google', token)
  expect([unlinked.status, unlinked.body]).toMatchObject([200, { has_google: false }])
  expect((await googleSession(atGmail('private'))).user?.id).not.toBe(me?.id)
  expect(await server.mailsTo(email)).toEqual(expect.arrayContaining(['google-linked', 'google-unlinked']))
})

test('a Google account of another account here is not linked, nor is a second one', async () => {
  await googleSession(atGmail('ann'))
  const { access_token: token } = await server.session(await server.member())
  const taken = await ask('POST', '/users/me/google', token, await goAndComeBack(atGmail('ann')))
  expect(verdict(taken)).toEqual([401, 'GOOGLE_SIGN_IN_REFUSED'])
  await ask('POST', '/users/me/google', token, await goAndComeBack(atGmail('bob')))
  const second = await ask('POST', '/users/me/google', token, await goAndComeBack(atGmail('eve')))
  expect(verdict(second)).toEqual([401, 'GOOGLE_SIGN_IN_REFUSED'])
})

test('Google stays linked with an account that has no password, and goes once it has one', async () => {
  const { access_token: token } = await googleSession(atGmail('ann'))
  expect(verdict(await ask('DELETE', '/users/me/google', token))).toEqual([403, 'FORBIDDEN'])
  await server.resetTo(await server.link('ann@gmail.com', 'reset-password'), PASSWORD)
  const again = await server.session('ann@gmail.com')
  expect((await ask('DELETE', '/users/me/google', again.access_token)).status).toBe(200)
  expect((await server.rows(users))[0]?.google_subject).toBeNull()
})

test('after Google an account with a passkey is asked for it, too', async () => {
  const first = await googleSession(atGmail('ann'))
  const { key } = await addPasskey(server, first)
  const half = await callback(server, await goAndComeBack(atGmail('ann')))
  expect(verdict(half)).toEqual([403, 'SECOND_FACTOR_REQUIRED'])
  const { ticket, options } = (
    half.body as unknown as { second_factor: { ticket: string; options: { challenge: string } } }
  ).second_factor
  const whole = await server.post('/auth/passkey', { ticket, assertion: key.get(options) })
  expect(whole.status).toBe(200)
})
