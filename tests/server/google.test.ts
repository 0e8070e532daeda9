import { eq } from 'drizzle-orm'
import { afterEach, expect, test } from 'vitest'
import { config } from '../../src/contract/settings'
import { mail_requests, mail_tokens } from '../../server/db/schema/mail'
import type { Queryable } from '../../server/db/open'
import { users } from '../../server/db/schema/users'
import { appointAdministrators } from '../../server/services/admin/superusers'
import { accountOfIdentity } from '../../server/services/google/sign-in'
import type { ProviderUser } from '../support/identity-provider'
import { newEmail, PASSWORD } from './support/accounts'
import { type Callback, callback, type SignedIn } from './support/google-browser'
import { testApp } from './support/test-app'
import { ELSEWHERE, googleScene, PUBLIC_URL, REDIRECT } from './support/google-scene'
import { verdict } from './support/person'

type Step = readonly [method: string, args: readonly unknown[]]
type Chain = Readonly<Record<string, (...args: readonly unknown[]) => unknown>>

/** The same database, but before its `nth` select (from 1) is asked, `between` happens: what another request does meanwhile. */
function beforeSelect<T extends Queryable>(db: T, nth: number, between: () => Promise<unknown>): T {
  let count = 0
  return new Proxy(db, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (name !== 'select') return value
      return (...args: unknown[]) => {
        const begin = () => (value as (...args: unknown[]) => unknown).apply(target, args)
        return ++count === nth ? later(between, begin, []) : begin()
      }
    },
  })
}

/** A query that is only written down, and built when it is awaited. */
const later = (between: () => Promise<unknown>, begin: () => unknown, steps: readonly Step[]): unknown =>
  new Proxy(
    {},
    {
      get(_target, name) {
        if (name !== 'then') {
          return (...args: unknown[]) => later(between, begin, [...steps, [String(name), args]])
        }
        const asked = between().then(() =>
          steps.reduce((query, [method, args]) => (query as Chain)[method]?.(...args), begin()),
        )
        return asked.then.bind(asked)
      },
    },
  )

const { provider, server, google, goAndComeBack, signIn } = googleScene({ ADMIN_EMAILS: 'boss@example.com' })
afterEach(() => server.reset())

/** Of a Workspace at example.com unless said otherwise. */
const person = (email: string, sub = `google-${email.toLowerCase()}`, email_verified = true): ProviderUser => ({
  sub,
  email,
  email_verified,
  hd: 'example.com',
})
/** With an address elsewhere, that Google has once sent a mail to. */
const outsider = (email: string): ProviderUser => ({
  sub: `google-${email.toLowerCase()}`,
  email,
  email_verified: true,
})

const REFUSED = [401, 'GOOGLE_SIGN_IN_REFUSED']
const everybody = () => server.rows(users)

test('the public configuration names the Google client id, the provider’s authorization address, and the address that Google sends back to', async () => {
  expect(await google()).toEqual({
    client_id: 'the-app',
    authorization_url: `${provider.issuer}/auth`,
    redirect_uri: REDIRECT,
  })
})

test('a first Google sign-in creates an account without a password and starts a working session', async () => {
  const { status, headers, body } = await signIn(person('New.Person@example.com'))
  expect([status, headers['cache-control']]).toEqual([200, 'no-store'])
  expect(body).toMatchObject({
    token_type: 'bearer',
    user: { email: 'New.Person@example.com', has_password: false, is_superuser: false, deletion_scheduled_at: null },
  })
  const me = await server.me(body.access_token)
  expect([me.status, me.body.id]).toEqual([200, body.user?.id])
  expect((await server.refresh(body.refresh_token)).status).toBe(200)
})

test('a Google user whose email address has changed signs in to the same account by subject', async () => {
  const first = await signIn(person('ann@example.com', 'sub-1'))
  const second = await signIn(person('ann.married@example.com', 'sub-1'))
  expect(second.body.user).toEqual(first.body.user)
  expect(await everybody()).toHaveLength(1)
})

test('six simultaneous first sign-ins of one Google user create one account', async () => {
  const answers = await Promise.all(Array.from({ length: 6 }, () => goAndComeBack(person('ann@example.com'))))
  const all = await Promise.all(answers.map((answer) => callback(server, answer)))
  expect(all.map(({ status }) => status)).toEqual(all.map(() => 200))
  expect(new Set(all.map(({ body }) => body.user?.id)).size).toBe(1)
  expect(await everybody()).toHaveLength(1)
})

test('a Google account created by a parallel request between two look-ups is found and used', async () => {
  const who = {
    subject: 'sub-elsewhere',
    email: newEmail(),
    emailVerified: true,
    hostedDomain: null,
    authenticatedAt: null,
  }
  // Each statement commits by itself, which no transaction of the embedded database's one session could.
  const orm = Object.assign(Object.create(server.database.orm) as Queryable, { raise: () => undefined })
  const made: string[] = []
  const meanwhile = beforeSelect(orm, 2, async () => made.push(await accountOfIdentity(orm, who, server.clock())))
  expect([await accountOfIdentity(meanwhile, who, server.clock())]).toEqual(made)
})

test('a Google user whose address is in ADMIN_EMAILS and whose mailbox Google runs becomes a superuser', async () => {
  expect((await signIn(person('Boss@example.com'))).body.user?.is_superuser).toBe(true)
})

test('a Google user whose address is in ADMIN_EMAILS becomes no superuser while Google does not run the mailbox, at no later sign-in or start of the server either', async () => {
  for (let i = 0; i < 2; i++) {
    const { status, body } = await signIn(outsider('Boss@example.com'))
    expect([status, body.user?.is_superuser]).toEqual([200, false])
  }
  await appointAdministrators(server.database, server.env, server.clock())
  expect((await server.rowOf('boss@example.com')).is_superuser).toBe(false)
  // The reader of a mail there has the mailbox.
  await server.resetTo(await server.link('boss@example.com', 'reset-password'), PASSWORD)
  expect((await server.logIn('boss@example.com')).body.user?.is_superuser).toBe(true)
})

test('an account that an earlier version made for a Google account of ADMIN_EMAILS gets rights at the next sign-in whose mailbox Google runs', async () => {
  await signIn(outsider('boss@example.com'))
  expect((await signIn(person('ann@example.com', 'google-boss@example.com'))).body.user?.is_superuser).toBe(false)
  expect((await signIn(person('boss@example.com'))).body.user?.is_superuser).toBe(true)
})

test('the owner of a mailbox that Google does not run gets past a Google account that made an account of its address first', async () => {
  const taken = await signIn(outsider('boss@example.com'))
  await server.resetTo(await server.link('boss@example.com', 'reset-password'), PASSWORD)
  expect((await server.refresh(taken.body.refresh_token)).status).toBe(401)
  expect((await server.logIn('boss@example.com')).body.user?.is_superuser).toBe(true)
  // The Google account was linked by somebody who has not shown that the mailbox is theirs.
  const back = await signIn(outsider('boss@example.com'))
  expect(verdict(back)).toEqual([403, 'GOOGLE_NOT_LINKED'])
})

test('Google sign-in links the verified account of that address; its password and sessions stay valid', async () => {
  const email = await server.member()
  const before = await server.session(email)
  const { body } = await signIn(person(email.toUpperCase(), 'sub-1'))
  expect(body.user).toMatchObject({ id: before.user?.id, email, has_password: true })
  expect((await server.refresh(before.refresh_token)).status).toBe(200)
  expect((await server.logIn(email)).status).toBe(200)
  expect((await signIn(person('another@example.com', 'sub-1'))).body.user?.id).toBe(before.user?.id)
})

test('a mail tells the owner that Google was linked with the account', async () => {
  const email = await server.member()
  await signIn(person(email))
  const asked = await server.rows(mail_requests, eq(mail_requests.kind, 'google-linked'))
  expect(asked.map((mail) => mail.email)).toEqual([email])
  await signIn(person(email))
  expect(await server.database.orm.$count(mail_requests, eq(mail_requests.kind, 'google-linked'))).toBe(1)
})

test.each([
  ['of no Workspace', {}],
  ['of the Workspace of another domain', { hd: 'example.org' }],
])('Google sign-in %s to a verified account links nothing, and says to log in first', async (_what, domain) => {
  const email = await server.member()
  const refused = await signIn({ ...outsider(email), ...domain })
  expect(verdict(refused)).toEqual([403, 'GOOGLE_NOT_LINKED'])
  expect(refused.body.detail).toBe(
    'There is an account with this email address already. Log in to it, then link Google in Settings.',
  )
  expect((await server.rowOf(email)).google_subject).toBeNull()
  expect((await server.rows(mail_requests)).map(({ kind }) => kind)).not.toContain('google-linked')
})

test('Google sign-in with a Gmail address links the verified account of that address', async () => {
  const email = await server.member('Ada.Lovelace@gmail.com')
  const { body } = await signIn(outsider(email))
  expect(body.user).toMatchObject({ email, has_password: true, has_google: true })
})

test('Google sign-in takes over an unverified account and voids its password and its mailed links', async () => {
  const email = newEmail()
  await server.register(email)
  const links = [await server.link(email, 'verify-email'), await server.link(email, 'reset-password')]
  const { id } = await server.rowOf(email)
  const { status, body } = await signIn(person(email))
  expect([status, body.user]).toMatchObject([200, { id, has_password: false }])
  expect(verdict(await server.logIn(email, PASSWORD))).toEqual([401, 'INVALID_CREDENTIALS'])
  // The address is verified, and that is all that the link of its registration says from now on.
  const { status: opened, body: said } = await server.verify(links[0] ?? '')
  expect([opened, said]).toEqual([200, { message: 'Your email address is already verified. You can log in.' }])
  expect(await server.database.orm.select({ purpose: mail_tokens.purpose }).from(mail_tokens)).toEqual([
    { purpose: 'verify-email' },
  ])
  expect((await server.rowOf(email)).password_hash).toBeNull()
  expect((await server.me(body.access_token)).status).toBe(200)
})

test('Google sign-in leaves an unverified account alone while Google does not run the mailbox: its password and its mailed links stay good', async () => {
  const email = newEmail()
  await server.register(email)
  const mailed = await server.link(email, 'verify-email')
  expect(verdict(await signIn(outsider(email)))).toEqual([403, 'GOOGLE_NOT_LINKED'])
  expect((await server.rowOf(email)).google_subject).toBeNull()
  expect((await server.verify(mailed)).status).toBe(200)
  expect((await server.logIn(email)).status).toBe(200)
})

test('Google sign-in ends the earlier sessions of an account whose address is no longer verified', async () => {
  const email = await server.member()
  const before = await server.session(email)
  await server.database.orm.update(users).set({ email_verified_at: null })
  await signIn(person(email))
  expect(verdict(await server.refresh(before.refresh_token))).toEqual([401, 'INVALID_REFRESH_TOKEN'])
})

test('Google sign-in is refused for an account linked with another Google subject, and changes no account', async () => {
  await signIn(person('office@example.com', 'the one before'))
  const before = await everybody()
  expect(verdict(await signIn(person('office@example.com', 'the one after')))).toEqual(REFUSED)
  expect(await everybody()).toEqual(before)
})

test('Google sign-in cancels a scheduled account deletion and says so once', async () => {
  const email = await server.member()
  await server.database.orm.update(users).set({ deletion_scheduled_at: new Date(server.clock()) })
  expect((await signIn(person(email))).body).toMatchObject({
    deletion_cancelled: true,
    user: { deletion_scheduled_at: null },
  })
  expect((await signIn(person(email))).body.deletion_cancelled).toBeUndefined()
})

test('Google sign-in to an account that an operator disabled gets 403 and links nothing', async () => {
  const email = await server.member()
  await server.database.orm.update(users).set({ is_active: false })
  expect(verdict(await signIn(person(email)))).toEqual([403, 'FORBIDDEN'])
  expect((await server.rowOf(email)).google_subject).toBeNull()
})

const nobody = async (answer: SignedIn) => {
  expect(verdict(answer)).toEqual(REFUSED)
  expect(await everybody()).toEqual([])
}

test('Google sign-in with an address that the provider has not verified is refused, and no account is made', async () => {
  await nobody(await signIn(person('ann@example.com', 'sub-1', false)))
})

test.each<[string, (answer: Callback) => Callback]>([
  ['a code nobody gave', (answer) => ({ ...answer, code: 'made-up' })],
  ['another verifier', (answer) => ({ ...answer, code_verifier: 'a'.repeat(43) })],
  ['another nonce', (answer) => ({ ...answer, nonce: 'b'.repeat(43) })],
  ['another issuer', (answer) => ({ ...answer, iss: 'https://accounts.example' })],
  ['no issuer, of a provider that names itself', ({ iss: _iss, ...answer }) => answer],
  [
    'a redirect address of another site',
    (answer) => ({ ...answer, redirect_uri: 'https://evil.example/auth/google/callback' }),
  ],
  [
    'a redirect address of this machine under another name',
    (answer) => ({ ...answer, redirect_uri: REDIRECT.replace('localhost', '127.0.0.1') }),
  ],
  ['a redirect address with something behind it', (answer) => ({ ...answer, redirect_uri: `${REDIRECT}?next=/` })],
])('Google sign-in with %s is refused, and no account is made', async (_what, spoil) => {
  await nobody(await callback(server, spoil(await goAndComeBack(person('ann@example.com')))))
})

test('Google sign-in with a code issued for another redirect address of the app is refused, and no account is made', async () => {
  const answer = await goAndComeBack(person('ann@example.com'), ELSEWHERE)
  await nobody(await callback(server, answer))
  await nobody(await callback(server, { ...answer, redirect_uri: REDIRECT }))
})

test('a Google authorization code that was already used is refused', async () => {
  const answer = await goAndComeBack(person('ann@example.com'))
  expect((await callback(server, answer)).status).toBe(200)
  expect(verdict(await callback(server, answer))).toEqual(REFUSED)
})

test('a server without Google sign-in refuses the callback and offers no Google sign-in in its configuration', async () => {
  const answer = await goAndComeBack(person('ann@example.com'))
  const without = await testApp({ database: server.database, env: { PUBLIC_URL } })
  await nobody(await callback(without, answer))
  expect(config.parse((await without.app.inject('/api/v1/config')).json()).google).toBeNull()
  await without.close()
})
