import { expect, test } from 'vitest'
import { leaveExpiredSession, logOut } from '../../src/db/leave-owner'
import { readBoard } from '../../src/db/board-rows'
import { readMeta } from '../../src/db/database'
import { MINUTE } from '../../src/domain/granularity'
import type { Policies } from '../../src/contract/settings'
import { bringPairsAlong, readGuestOffer } from '../../src/db/commands/bring-guest-pairs'
import { beginGoogleSignIn } from '../../src/db/google-sign-in'
import type { NewAccount } from '../../src/db/sign-in-rows'
import { bearer, newEmail, PASSWORD } from '../server/support/accounts'
import { oneTab } from './support/one-tab'
import type { Fate } from './support/tabs'
import { json } from './support/wire'

const scene = oneTab()
const { view, call, logInHere, memberHere, addPair, pairs, notices, offline, online, later } = scene
const done = { ok: true, value: null }
const told = { ok: true, value: { message: expect.any(String) } }
const registerHere = (email: string, account: NewAccount = { accepted: null, brings: false }) =>
  call('register', { email, password: PASSWORD, account })
const secrets = async () => Object.keys((await readMeta(scene.tab.db, 'registrations')) ?? {})
const ACCEPTED = { terms_accepted: true, privacy_accepted: true }
const inAtOnce = { ok: true, value: { message: expect.any(String), signed_in: true } }

test('a user registers, is in at once, verifies the address later, and recovers the account with a new password', async () => {
  const email = newEmail()
  expect(await registerHere(email)).toEqual(inAtOnce)
  expect(await view()).toMatchObject({ account: 'free', user: { email, email_verified: false }, mustAccept: true })
  await logOut(scene.tab.context)
  expect(await logInHere(email), 'this browser registered the address').toEqual(done)
  expect((await scene.server.logIn(email)).body.error_code, 'any other one').toBe('EMAIL_NOT_VERIFIED')
  expect(await call('resendVerification', { email })).toEqual(told)
  const token = await scene.server.link(email, 'verify-email')
  expect(await secrets()).toEqual([email.toLowerCase()])
  expect(await call('verifyEmail', { token })).toEqual(told)
  expect(await secrets()).toEqual([])
  expect((await view()).user).not.toHaveProperty('email_verified')
  await logOut(scene.tab.context)
  expect(await call('verifyEmail', { token })).toEqual({
    ok: true,
    value: { message: expect.stringContaining('already verified') },
  })
  expect(await logInHere(email, 'another password')).toMatchObject({ ok: false, error_code: 'INVALID_CREDENTIALS' })
  expect(await view()).toMatchObject({ account: 'guest', user: null })

  expect(await logInHere(email)).toEqual(done)
  expect(await view()).toMatchObject({ account: 'free', user: { email }, expired: false, mustAccept: true })

  expect(await call('requestPasswordReset', { email })).toEqual(told)
  const reset = await scene.server.link(email, 'reset-password')
  expect(await call('resetPassword', { token: reset, new_password: 'a new one of mine' })).toEqual(told)
  // A reset ends every session, this one too.
  later(2 * MINUTE)
  await scene.tab.engine.sync('tick')
  expect(await view()).toMatchObject({ expired: true })
  expect(await logInHere(email, 'a new one of mine')).toEqual(done)
  expect(await view()).toMatchObject({ expired: false })
})

test('a browser that did not register the address verifies it with the password alone', async () => {
  const email = newEmail()
  await scene.server.register(email)
  const token = await scene.server.link(email, 'verify-email')
  // It has registered another address, whose secret is of no use.
  await registerHere(newEmail())
  await logOut(scene.tab.context)
  expect(await call('verifyEmail', { token })).toMatchObject({ status: 403, error_code: 'PASSWORD_REQUIRED', email })
  expect(await call('verifyEmail', { token, password: 'a wrong one' })).toMatchObject({
    error_code: 'INCORRECT_PASSWORD',
  })
  expect(await logInHere(email)).toMatchObject({ ok: false, error_code: 'EMAIL_NOT_VERIFIED' })
  expect(await call('verifyEmail', { token, password: PASSWORD })).toEqual(told)
  expect(await logInHere(email)).toEqual(done)
})

test('another tab, and the browser after a restart, verify the address that this browser registered', async () => {
  const email = newEmail()
  await registerHere(email)
  const token = await scene.server.link(email, 'verify-email')
  expect(await scene.browser.open().engine.call('verifyEmail', { token })).toEqual(told)
})

test('the secret of a registration goes with a login to its account', async () => {
  const email = newEmail()
  await registerHere(email)
  await logOut(scene.tab.context)
  expect(await secrets()).toEqual([email.toLowerCase()])
  // Verified by another browser.
  await scene.server.verify(await scene.server.link(email, 'verify-email'))
  await logInHere(email)
  expect(await secrets()).toEqual([])
})

test('making an account notes the acceptance of the policies that were shown, unless others are in force', async () => {
  const { terms, privacy } = (await scene.server.ask<Policies>('GET', '/policies/current')).body
  const shown = { terms: terms.version, privacy: privacy.version }
  await registerHere(newEmail(), { accepted: shown, brings: false })
  expect(await view()).toMatchObject({ account: 'free', mustAccept: false })
  await logOut(scene.tab.context)
  await registerHere(newEmail(), { accepted: { ...shown, privacy: 'of last year' }, brings: false })
  expect(await view()).toMatchObject({ account: 'free', mustAccept: true })
})

test('the guest’s pairs come along once where the user said so when making the account, and are asked about later', async () => {
  await addPair('ethereum')
  const email = newEmail()
  await registerHere(email, { accepted: null, brings: true })
  await scene.sync()
  const offer = () => readGuestOffer(scene.tab.db)
  expect(await offer()).toMatchObject({ ready: [expect.any(String)], ask: false, bring: true })
  await bringPairsAlong(scene.tab.context)
  expect(await pairs()).toEqual(['ethereum'])
  await scene.sync()
  await logOut(scene.tab.context)
  await addPair('solana')
  await logInHere(email)
  await scene.sync()
  expect(await offer()).toMatchObject({ ready: [expect.any(String)], ask: true, bring: false })
})

test('a login to an account that is in use accepts nothing and brings no pairs, even where a new account was wanted', async () => {
  const email = await scene.server.member()
  const { terms, privacy } = (await scene.server.ask<Policies>('GET', '/policies/current')).body
  const { access_token } = await scene.server.session(email)
  await scene.server.ask('POST', '/users/me/accept-policies', ACCEPTED, bearer(access_token))
  await scene.server.setUser(email, { accepted_terms_version: 'of last year' })
  await addPair('ethereum')
  const google = { client_id: 'us', authorization_url: 'https://accounts.example/auth' }
  const account = { accepted: { terms: terms.version, privacy: privacy.version }, brings: true }
  const begun = new URL(await beginGoogleSignIn(scene.tab.context, google, 'https://app.example', { account }))
  const signedIn = await scene.server.logIn(email)
  scene.browser.setWay(({ path }) => (path === '/auth/google/callback' ? json(200, signedIn.body) : 'arrives'))
  const state = begun.searchParams.get('state')!
  expect(await call('googleCallback', { code: 'c', state, iss: null })).toEqual(done)
  await scene.sync()
  expect(await view()).toMatchObject({ user: { email }, mustAccept: true })
  expect(await readGuestOffer(scene.tab.db)).toMatchObject({ ask: true, bring: false })
})

test('registering an address that has an account is refused with that reason', async () => {
  const email = await scene.server.member()
  const again = await registerHere(email)
  expect(again).toMatchObject({ status: 409, message: expect.stringContaining('Email already registered') })
})

test('a login without a network or while the server is down fails with the reason, and the guest stays', async () => {
  offline()
  expect(await logInHere('ada@example.com')).toEqual({
    ok: false,
    status: 0,
    error_code: null,
    message: 'Network error or unable to connect. Failed to fetch',
  })
  scene.browser.setWay(() => json(503, { detail: 'Back in a minute.', error_code: 'INTERNAL_ERROR' }))
  expect(await logInHere('ada@example.com')).toMatchObject({ status: 503, message: 'Back in a minute.' })
  expect(await view()).toMatchObject({ account: 'guest' })
})

test('the password of a login is nowhere in the local database', async () => {
  await memberHere()
  await scene.tab.engine.sync('start')
  const stored = JSON.stringify(await Promise.all(scene.tab.db.tables.map((table) => table.toArray())))
  expect(stored).not.toContain(PASSWORD)
})

test('a login whose answer does not name the user still shows the user’s address', async () => {
  const email = await scene.server.member()
  scene.browser.setWay(async (sent) => {
    if (sent.path !== '/auth/login') return 'arrives'
    const { user: _, ...tokens } = (await scene.server.logIn(email)).body
    return json(200, tokens)
  })
  expect(await logInHere(email)).toEqual(done)
  expect(await view()).toMatchObject({ user: { email } })
})

test('a guest’s pairs are set aside at login and come back at logout, apart from the pairs of the user', async () => {
  await addPair('ethereum')
  await scene.tab.engine.sync('command')
  await memberHere()
  expect(await pairs()).toEqual([])
  await addPair('solana')
  await scene.tab.engine.sync('command')
  expect(await pairs()).toEqual(['solana'])

  await logOut(scene.tab.context)
  expect(await view()).toMatchObject({ owner: scene.browser.guest, account: 'guest', user: null })
  expect(await pairs()).toEqual(['ethereum'])
  await scene.tab.engine.sync('command')
  expect(await pairs()).toEqual(['ethereum'])
})

test('a guest’s pair whose request was under way at a login is on the guest’s board after the logout', async () => {
  const email = await scene.server.member()
  await scene.tab.engine.sync('start')
  await addPair('ethereum')
  scene.browser.setWay(async ({ method, path }, arrive): Promise<Fate> => {
    if (method === 'POST' && path === '/widgets') {
      await arrive()
      await logInHere(email)
    }
    return 'arrives'
  })
  await scene.tab.engine.sync('command')
  expect(await pairs()).toEqual([])
  await logOut(scene.tab.context)
  await scene.tab.engine.sync('command')
  expect(await pairs()).toEqual(['ethereum'])
})

test('the answer to a login that comes after another user has signed in is dropped, and its session is ended', async () => {
  const [ada, bob] = [await scene.server.member(), await scene.server.member()]
  const other = scene.browser.open()
  scene.browser.setWay(async ({ path, body }): Promise<Fate> => {
    if (path === '/auth/login' && body!.includes(encodeURIComponent(ada))) {
      await other.engine.call('logIn', { username: bob, password: PASSWORD })
    }
    return 'arrives'
  })
  expect(await logInHere(ada)).toMatchObject({ ok: false })
  expect(await view()).toMatchObject({ user: { email: bob }, expired: false })
  await scene.tab.engine.sync('online')
  expect(await readMeta(scene.tab.db, 'revocations')).toEqual([])
  expect(await view()).toMatchObject({ user: { email: bob }, expired: false })
})

test('a logout without a network leaves nothing of the user behind, and ends the session once online', async () => {
  const email = await memberHere()
  await addPair('ethereum')
  await scene.tab.engine.sync('command')
  await addPair('solana')
  const { owner } = await view()
  const { tokens } = await scene.browser.session()
  await scene.tab.db.notices.add({ owner, kind: 'error', message: 'For Ada alone.', at: 0 })
  offline()
  await scene.tab.engine.sync('command')
  await logOut(scene.tab.context)

  expect(await view()).toMatchObject({ owner: scene.browser.guest, account: 'guest', expired: false })
  const { widgets, checkpoints, outbox, ids, notices: left, session } = scene.tab.db
  for (const table of [widgets, checkpoints, outbox, ids, left]) expect(await table.toArray(), table.name).toEqual([])
  expect(JSON.stringify(await session.toArray())).not.toContain(email)
  expect(JSON.stringify(await Promise.all([session, scene.tab.db.meta].map((table) => table.toArray())))).not.toContain(
    tokens!.access,
  )

  await scene.tab.engine.sync('tick')
  online()
  later(MINUTE)
  await scene.tab.engine.sync('online')
  expect((await scene.server.refresh(tokens!.refresh)).body.error_code).toBe('INVALID_REFRESH_TOKEN')
  expect(await readMeta(scene.tab.db, 'revocations')).toEqual([])
  const asked = scene.browser.sent.length
  later(MINUTE)
  await scene.tab.engine.sync('tick')
  expect(scene.browser.sent.slice(asked).filter(({ path }) => path === '/auth/logout')).toEqual([])
})

test('a logout that the server did not hear of is retried with growing waits until the server hears of the logout', async () => {
  await memberHere()
  const { tokens } = await scene.browser.session()
  offline()
  await logOut(scene.tab.context)
  for (const wait of [2_000, 4_000, 8_000]) {
    const due = (await scene.tab.engine.sync('due'))!
    expect(due - scene.tab.env.now()).toBeGreaterThanOrEqual(Math.max(2_000, wait / 2))
    expect(due - scene.tab.env.now()).toBeLessThanOrEqual(wait)
    later(wait)
  }
  online()
  await scene.tab.engine.sync('due')
  expect((await scene.server.refresh(tokens!.refresh)).body.error_code).toBe('INVALID_REFRESH_TOKEN')
  expect(await readMeta(scene.tab.db, 'revocation_tries')).toBeUndefined()
})

test('logging out in two tabs at once leaves one session to revoke, and the guest stays', async () => {
  await memberHere()
  await Promise.all([logOut(scene.tab.context), logOut(scene.browser.open().context)])
  expect(await view()).toMatchObject({ owner: scene.browser.guest })
  expect(await readMeta(scene.tab.db, 'revocations')).toHaveLength(1)
})

const endIt = async () => {
  const { tokens } = await scene.browser.session()
  await scene.tab.env.fetch('http://localhost/api/v1/auth/logout', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ refresh_token: tokens!.refresh }),
  })
  later(2 * MINUTE)
  await scene.tab.engine.sync('tick')
}

test('an ended session is left for the guest, and the user’s next login sends the change that waited', async () => {
  const email = await memberHere()
  await scene.tab.engine.sync('start')
  const { owner } = await view()
  offline()
  await addPair('ethereum')
  online()
  await endIt()
  expect(await view()).toMatchObject({ owner, expired: true })
  expect(await pairs()).toEqual(['ethereum'])

  await leaveExpiredSession(scene.tab.context, owner)
  expect(await view()).toMatchObject({ owner: scene.browser.guest, expired: false })
  expect(await pairs()).toEqual([])
  await scene.tab.engine.sync('command')
  expect(await scene.tab.db.outbox.toArray()).toMatchObject([{ owner, state: 'waiting' }])

  await logInHere(email)
  expect(await pairs()).toEqual(['ethereum'])
  await scene.tab.engine.sync('command')
  expect(await scene.tab.db.outbox.count()).toBe(0)
  expect(await pairs()).toEqual(['ethereum'])
})

test('a change that waits for the user of an ended session is neither sent by nor shown to the next user', async () => {
  await memberHere()
  await scene.tab.engine.sync('start')
  const { owner } = await view()
  offline()
  await addPair('ethereum')
  await scene.tab.db.notices.add({ owner, kind: 'error', message: 'For Ada alone.', at: 0 })
  online()
  await endIt()
  await leaveExpiredSession(scene.tab.context, owner)
  await memberHere()
  const asked = scene.browser.sent.length
  await scene.tab.engine.sync('command')
  expect(
    scene.browser.sent.slice(asked).filter(({ method, path }) => method === 'POST' && path === '/widgets'),
  ).toEqual([])
  expect(await pairs()).toEqual([])
  expect(await notices()).toEqual([])
  expect((await readBoard(scene.tab.db))!.changes).toEqual([])
  expect(await scene.tab.db.outbox.toArray()).toMatchObject([{ owner, state: 'waiting' }])
})

test('leaving one user’s session does nothing when another user is signed in already', async () => {
  await memberHere()
  const { owner } = await view()
  await memberHere()
  const { owner: other } = await view()
  expect(other).not.toBe(owner)
  await leaveExpiredSession(scene.tab.context, owner)
  expect(await view()).toMatchObject({ owner: other, expired: false })
})
