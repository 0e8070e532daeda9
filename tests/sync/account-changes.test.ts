import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { feedback } from '../../server/db/schema/mail'
import { users } from '../../server/db/schema/users'
import { beginGoogleSignIn } from '../../src/db/google-sign-in'
import { logOut } from '../../src/db/leave-owner'
import { readMeta, readPolicyText } from '../../src/db/database'
import { DAY, HOUR, MINUTE } from '../../src/domain/granularity'
import { PASSWORD } from '../server/support/accounts'
import { oneTab } from './support/one-tab'
import type { Fate } from './support/tabs'
import { json } from './support/wire'

const scene = oneTab()
const { view, call, logInHere, memberHere, addPair, pairs, notices, offline, later } = scene
const done = { ok: true, value: null }
/** Accepting what the gate shows. */
const acceptShown = async () => {
  const { terms, privacy } = (await view()).policies!
  return { terms: terms.version, privacy: privacy.version } as const
}
const changeUser = (email: string, change: Partial<typeof users.$inferInsert>) =>
  scene.server.database.orm.update(users).set(change).where(eq(users.email, email))
const told = { ok: true, value: { message: expect.any(String) } }

test('an account changed elsewhere shows in an open tab within a minute, without a reload', async () => {
  const email = await memberHere()
  await scene.tab.engine.sync('start')
  await changeUser(email, { has_premium_access: true })
  await scene.tab.engine.sync('tick')
  expect(await view()).toMatchObject({ account: 'free' })
  later(MINUTE)
  await scene.tab.engine.sync('tick')
  expect(await view()).toMatchObject({ account: 'premium' })
  expect(scene.browser.sent.filter(({ path }) => path === '/users/me')).toHaveLength(2)
})

test('a reload of the account that the user asks for shows a change made elsewhere at once', async () => {
  const email = await memberHere()
  await changeUser(email, { has_premium_access: true })
  expect(await call('me', {})).toEqual(done)
  expect(await view()).toMatchObject({ account: 'premium' })
})

test('an account answer under way does not undo the user’s acceptance of the policies meanwhile', async () => {
  await memberHere()
  await scene.tab.engine.sync('start')
  expect(await view()).toMatchObject({ mustAccept: true })
  let accepted = false
  scene.browser.setWay(async ({ path }, arrive): Promise<Fate> => {
    if (path !== '/users/me' || accepted) return 'arrives'
    accepted = true
    await arrive()
    expect(await call('acceptPolicies', await acceptShown())).toEqual(done)
    return 'arrives'
  })
  await call('me', {})
  expect(accepted).toBe(true)
  expect(await view()).toMatchObject({ mustAccept: false })
})

test('deleting an account needs the password, ends the session, and is cancelled by a login 29 days later', async () => {
  const email = await memberHere()
  await addPair('ethereum')
  await scene.tab.engine.sync('command')
  await addPair('solana')
  const { owner } = await view()
  const remove = (password: string) => call('deleteMe', { owner, password })
  expect(await remove('not mine')).toMatchObject({ ok: false, error_code: 'INCORRECT_PASSWORD' })
  expect(await view()).toMatchObject({ owner, expired: false })
  expect(await remove(PASSWORD)).toMatchObject({ ok: true })
  expect(await view()).toMatchObject({ owner: scene.browser.guest, expired: false })
  expect(await scene.tab.db.outbox.count()).toBe(0)

  later(29 * DAY)
  await logInHere(email)
  expect(await notices()).toEqual(['Welcome back! Your scheduled account deletion has been cancelled.'])
  await scene.tab.engine.sync('command')
  expect(await pairs()).toEqual(['ethereum'])
  await logOut(scene.tab.context)
  expect(await notices()).toEqual([])
})

test('an account deletion asked for on the page of one user is not sent once another user has signed in', async () => {
  await memberHere()
  const { owner } = await view()
  const other = await memberHere()
  const asked = scene.browser.sent.length
  const result = await call('deleteMe', { owner, password: PASSWORD })
  expect(result).toMatchObject({ ok: false, status: 401 })
  expect(scene.browser.sent).toHaveLength(asked)
  expect(await view()).toMatchObject({ user: { email: other } })
})

test('a tab notices at a reload of the account that its deletion was cancelled elsewhere', async () => {
  const email = await memberHere()
  await changeUser(email, { deletion_scheduled_at: new Date(scene.server.clock()) })
  await call('me', {})
  expect(await notices()).toEqual([])
  await changeUser(email, { deletion_scheduled_at: null })
  await call('me', {})
  expect(await notices()).toEqual(['Welcome back! Your scheduled account deletion has been cancelled.'])
})

const withTerms = (version: string): void => {
  scene.browser.setWay(async ({ path }) => {
    if (path !== '/policies/current') return 'arrives'
    const { policies } = await view()
    return json(200, { ...policies, terms: { ...policies!.terms, version } })
  })
}

test('a login asks which policies are in force, however lately that was, and the gate is up before the app shows', async () => {
  const email = await memberHere()
  expect(await call('acceptPolicies', await acceptShown())).toEqual(done)
  expect(await view()).toMatchObject({ mustAccept: false })
  await logOut(scene.tab.context)
  withTerms('2099-01-01')
  expect(await logInHere(email)).toEqual(done)
  expect(await view()).toMatchObject({
    account: 'free',
    mustAccept: true,
    policies: { terms: { version: '2099-01-01' } },
  })
})

test('a login does not let a user in by policies that were never known, and succeeds once they can be had', async () => {
  const email = await scene.server.member()
  scene.browser.setWay(({ path }) => (path === '/policies/current' ? json(503, { detail: 'Busy.' }) : 'arrives'))
  expect(await logInHere(email)).toMatchObject({ ok: false, message: 'Could not retrieve policy data.' })
  expect(await view()).toMatchObject({ account: 'guest' })
  scene.browser.setWay(() => 'arrives')
  expect(await logInHere(email)).toEqual(done)
})

test.each([
  ['the policies', '/policies/current'],
  ['the user', '/users/me'],
])('the session of a login that fails because %s cannot be had is ended at the server', async (_what, missing) => {
  const email = await scene.server.member()
  const { user: _, ...tokens } = (await scene.server.logIn(email)).body
  scene.browser.setWay(({ path }) => {
    if (path === '/auth/login') return json(200, tokens)
    return path === missing ? json(503, { detail: 'Busy.' }) : 'arrives'
  })
  expect(await logInHere(email)).toMatchObject({ ok: false })
  await scene.tab.engine.sync('online')
  expect((await scene.server.refresh(tokens.refresh_token)).body.error_code).toBe('INVALID_REFRESH_TOKEN')
  expect(await view()).toMatchObject({ account: 'guest' })
})

test('a login whose policies cannot be had goes by those known from before, and the next sync asks again', async () => {
  const email = await memberHere()
  await call('acceptPolicies', await acceptShown())
  await logOut(scene.tab.context)
  scene.browser.setWay(({ path }) => (path === '/policies/current' ? 'lost-request' : 'arrives'))
  expect(await logInHere(email)).toEqual(done)
  expect(await view()).toMatchObject({ mustAccept: false })
  withTerms('2099-01-01')
  await scene.tab.engine.sync('command')
  expect(await view()).toMatchObject({ mustAccept: true })
})

test('accepted policies are asked for again when there is another version', async () => {
  await memberHere()
  await scene.tab.engine.sync('start')
  const { policies } = await view()
  expect(policies).toMatchObject({ terms: { version: expect.any(String) }, privacy: { path: expect.any(String) } })
  expect(await call('acceptPolicies', await acceptShown())).toEqual(done)
  expect(await view()).toMatchObject({ mustAccept: false })

  withTerms('2099-01-01')
  later(HOUR)
  await scene.tab.engine.sync('tick')
  expect(await view()).toMatchObject({ mustAccept: true })
})

test('policies accepted elsewhere in a newer version are not asked for in the versions in force before', async () => {
  const email = await memberHere()
  await scene.tab.engine.sync('start')
  await call('acceptPolicies', await acceptShown())
  withTerms('2099-01-01')
  await changeUser(email, { accepted_terms_version: '2099-01-01' })
  await call('me', {})
  expect(await view()).toMatchObject({ mustAccept: false, policies: { terms: { version: '2099-01-01' } } })
})

test('policies are not accepted in a version other than the current one, and stay to be accepted', async () => {
  await memberHere()
  await scene.tab.engine.sync('start')
  const shown = await acceptShown()
  const asked = scene.browser.sent.length
  expect(await call('acceptPolicies', { ...shown, privacy: '2001-01-01' })).toMatchObject({ ok: false, status: 409 })
  expect(await call('acceptPolicies', { ...shown, terms: '2001-01-01' })).toMatchObject({ ok: false, status: 409 })
  expect(scene.browser.sent.slice(asked).map(({ path }) => path)).toEqual(['/policies/current', '/policies/current'])
  expect(await view()).toMatchObject({ mustAccept: true })
  expect(await call('acceptPolicies', shown)).toEqual(done)
})

test('a guest can read the policies, also without a network once the policies were loaded', async () => {
  expect(await readPolicyText(scene.tab.db, 'terms')).toBeNull()
  expect(await call('currentPolicies', {})).toEqual(done)
  const { version } = (await view()).policies!.terms
  const text = await readPolicyText(scene.tab.db, 'terms')
  expect(text).toMatchObject({ version })
  expect(text!.text.length).toBeGreaterThan(500)

  const asked = scene.browser.sent.length
  await call('currentPolicies', {})
  expect(scene.browser.sent.slice(asked).map(({ path }) => path)).toEqual(['/policies/current'])
  offline()
  expect(await call('currentPolicies', {})).toMatchObject({ ok: false, status: 0 })
  expect(await readPolicyText(scene.tab.db, 'terms')).toEqual(text)
})

test('the page of a captive portal is not stored as the text of a policy', async () => {
  scene.browser.setWay(({ path }) =>
    path.startsWith('/policies/terms')
      ? new Response('<html>Log in</html>', { headers: { 'content-type': 'text/html' } })
      : 'arrives',
  )
  expect(await call('currentPolicies', {})).toMatchObject({ ok: false })
  expect(await readPolicyText(scene.tab.db, 'terms')).toBeNull()
  expect(await readPolicyText(scene.tab.db, 'privacy')).not.toBeNull()
})

const google = { client_id: 'our app', authorization_url: 'https://accounts.example/auth?hl=en' }
const begin = async () => new URL(await beginGoogleSignIn(scene.tab.context, google, 'https://app.example'))
const back = (state: string) => call('googleCallback', { code: 'a code', state, iss: null })

test('a Google sign-in asks the provider with a state, a nonce and a challenge of its own', async () => {
  const [url, other] = [await begin(), await begin()]
  expect(Object.fromEntries(url.searchParams)).toEqual({
    hl: 'en',
    client_id: 'our app',
    redirect_uri: 'https://app.example/auth/google/callback',
    response_type: 'code',
    scope: 'openid email profile',
    access_type: 'offline',
    prompt: 'consent',
    state: expect.any(String),
    nonce: expect.any(String),
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge_method: 'S256',
  })
  for (const name of ['state', 'nonce', 'code_challenge']) {
    expect(url.searchParams.get(name)).not.toBe(other.searchParams.get(name))
  }
})

test('a Google sign-in begun in this browser is completed once, with the nonce and the verifier of its beginning', async () => {
  const url = await begin()
  const signedIn = await scene.server.logIn(await scene.server.member())
  let body: Record<string, string> = {}
  scene.browser.setWay((sent) => {
    if (sent.path !== '/auth/google/callback') return 'arrives'
    body = JSON.parse(sent.body!) as Record<string, string>
    return json(200, signedIn.body)
  })
  const state = url.searchParams.get('state')!
  const results = await Promise.all([back(state), back(state)])
  expect(results.filter(({ ok }) => ok)).toHaveLength(1)
  expect(body).toMatchObject({
    code: 'a code',
    redirect_uri: 'https://app.example/auth/google/callback',
    nonce: url.searchParams.get('nonce'),
  })
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(body['code_verifier']))
  expect(Buffer.from(digest).toString('base64url')).toBe(url.searchParams.get('code_challenge'))
  expect(await view()).toMatchObject({ account: 'free', user: signedIn.body.user })
})

test('a Google sign-in with a state that this browser did not make is refused, and nothing is sent', async () => {
  await begin()
  const asked = scene.browser.sent.length
  expect(await back('of somebody else')).toMatchObject({ ok: false, error_code: 'GOOGLE_SIGN_IN_REFUSED' })
  expect(scene.browser.sent).toHaveLength(asked)
})

const message = 'The cards are a joy to look at.'
const kept = async (text = message) =>
  (await scene.server.database.orm.select().from(feedback)).filter((row) => row.message === text).length

test('feedback is sent by guests and users, and every message sent is stored', async () => {
  const before = await kept()
  expect(await call('feedback', { message })).toEqual(told)
  await memberHere()
  expect(await call('feedback', { message })).toEqual(told)
  expect(await call('feedback', { message })).toEqual(told)
  const [asGuest, asUser] = scene.browser.sent.filter(({ path }) => path === '/feedback')
  expect(asGuest!.as).toBe(scene.browser.guest)
  expect(asUser!.as).toBe((await scene.browser.session()).tokens!.access)
  expect(await kept()).toBe(before + 3)
})

test('feedback whose answer was lost is stored once, although the user sends the message again after a reload', async () => {
  const message = 'The chart could be wider.'
  scene.browser.setWay(() => 'lost-answer')
  expect(await call('feedback', { message })).toMatchObject({ ok: false, status: 0 })
  scene.browser.setWay(() => 'arrives')
  const { engine } = scene.browser.open()
  expect(await engine.call('feedback', { message })).toEqual(told)
  expect(await kept(message)).toBe(1)
  expect(await readMeta(scene.tab.db, 'feedback_unanswered')).toEqual({})
})
