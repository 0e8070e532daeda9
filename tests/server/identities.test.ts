import { text as textOf } from 'node:stream/consumers'
import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { accessTokenKey, signAccessToken } from '../../server/services/sessions/access-token'
import { newAuthenticator } from '../support/authenticator'
import { newEmail, PASSWORD } from './support/accounts'
import type { Document } from './support/bad-requests'
import { fakePayments } from './support/fake-payments'
import { withServer } from './support/for-file'
import { type Headers, type Method, SAVED_AT } from './support/person'
import { subscription } from './support/subscription'
import { routesOf, UNDOCUMENTED } from './support/registered-routes'
import { START } from './support/test-clock'
import type { User } from './support/user'

/*
 * Every call of the OpenAPI document, asked by everybody: whose it is gets an answer, and all the others are told why not,
 * in a way that does not tell whether the thing is there, nor shows its ids. The table has the answer of each call to those it serves; a
 * call without a row fails.
 */

type Served = 'everybody' | 'guests' | 'users' | 'guests and users' | 'superusers'
type Answer = readonly [status: number, code: string | null]
interface Row {
  readonly serves: Served
  /** To whom it serves, for what is theirs. */
  readonly answer: Answer
  readonly body?: (target: Target) => object
  readonly form?: true
  readonly query?: string
  /** The answer is a stream, which goes on. */
  readonly endless?: true
}

const row = (serves: Served, status: number, body?: Row['body']): Row => ({
  serves,
  answer: [status, null],
  ...(body && { body }),
})
const refusing = (status: number, code: string, body: () => object, form?: true): Row => ({
  serves: 'everybody',
  answer: [status, code],
  body,
  ...(form && { form }),
})

const checkpoint = () => ({ ratio: 2, timestamp: SAVED_AT })
const email = () => ({ email: newEmail() })
const googleAnswer = () => ({
  code: 'c',
  redirect_uri: 'http://localhost:8080/auth/google/callback',
  code_verifier: 'a'.repeat(43),
  nonce: 'b'.repeat(16),
})
const passkey = () => ({
  ticket: 'nobody’s',
  name: 'Key',
  attestation: newAuthenticator('http://localhost:8080').create({ challenge: 'AAAA' }),
})

const noSuch = (path: string, calls: readonly string[]): Readonly<Record<string, Row>> => {
  const row: Row = { serves: 'guests and users', answer: [404, 'NOT_FOUND'], body: () => ({}) }
  return Object.fromEntries(calls.map((call) => [call.replace(/ |$/, ` ${path}`), row]))
}

// oxfmt-ignore
const TABLE: Readonly<Record<string, Row>> = {
  'GET /api/v1/widgets': row('guests and users', 200),
  'POST /api/v1/widgets': row('guests and users', 201, () => ({ coin_a_id: 'monero', coin_b_id: 'tron' })),
  'PUT /api/v1/widgets/{id}': row('guests and users', 200, () => ({ high_threshold: 3 })),
  'DELETE /api/v1/widgets/{id}': row('guests and users', 204),
  'POST /api/v1/widgets/reorder': row('guests and users', 200, ({ widget }) => ({ ordered_ids: [widget] })),
  'POST /api/v1/widgets/{id}/checkpoints': row('users', 201, checkpoint),
  'DELETE /api/v1/widgets/{id}/checkpoints': row('users', 200, ({ checkpoint }) => ({ checkpoint_ids: [checkpoint] })),
  'PUT /api/v1/widgets/{id}/checkpoints/{checkpoint_id}': row('users', 200, checkpoint),
  'DELETE /api/v1/widgets/{id}/checkpoints/{checkpoint_id}': row('users', 200),
  'POST /api/v1/widgets/{id}/checkpoints/reorder': row('users', 200, ({ checkpoint }) => ({ ordered_ids: [checkpoint] })),
  'POST /api/v1/widgets/{id}/checkpoints/{checkpoint_id}/set-default': row('users', 200),
  'POST /api/v1/widgets/{id}/checkpoints/anonymous': row('guests', 201, checkpoint),
  'DELETE /api/v1/widgets/{id}/checkpoints/checkpoint': row('guests', 204),
  'POST /api/v1/widgets/{id}/rules': row('guests and users', 201, () => ({ kind: 'move', level: 5, window: '24h' })),
  ...noSuch('/api/v1/widgets/{id}/rules/{rule_id}', ['PUT', 'DELETE']),

  'GET /api/v1/coins/supported': row('everybody', 200),
  'GET /api/v1/market/daily': row('everybody', 200),
  'GET /api/v1/pairs/ready': row('everybody', 200),
  'GET /api/v1/coins/{id}/historical': { ...row('everybody', 200), query: '?period=1d' },
  'GET /api/v3/simple/price': { ...row('everybody', 200), query: '?ids=bitcoin&vs_currencies=usd' },
  'GET /api/v1/settings/tier-limits': row('everybody', 200),
  'GET /api/v1/config': row('everybody', 200),
  'GET /api/v1/policies/current': row('everybody', 200),

  'POST /api/v1/auth/login': refusing(401, 'INVALID_CREDENTIALS', () => ({ username: newEmail(), password: PASSWORD }), true),
  'POST /api/v1/auth/google/callback': refusing(401, 'GOOGLE_SIGN_IN_REFUSED', googleAnswer),
  'POST /api/v1/auth/refresh-token': refusing(401, 'INVALID_REFRESH_TOKEN', () => ({ refresh_token: 'nobody’s' })),
  'POST /api/v1/auth/logout': row('everybody', 204, () => ({ refresh_token: 'nobody’s' })),
  'POST /api/v1/users/register': row('everybody', 201, () => ({ ...email(), password: PASSWORD })),
  'POST /api/v1/users/resend-verification-email': row('everybody', 200, email),
  'POST /api/v1/users/verify-email': refusing(400, 'INVALID_LINK', () => ({ token: 'nobody’s' })),
  'POST /api/v1/users/request-password-reset': row('everybody', 200, email),
  'POST /api/v1/users/reset-password': refusing(400, 'INVALID_LINK', () => ({ token: 'nobody’s', new_password: PASSWORD })),
  'POST /api/v1/auth/passkey': refusing(403, 'SECOND_FACTOR_REFUSED', () => ({ ticket: 'nobody’s', recovery_code: 'x' })),
  'POST /api/v1/auth/confirm/options': { serves: 'users', answer: [404, 'NOT_FOUND'] },
  'POST /api/v1/auth/confirm': row('users', 200, () => ({ method: 'password', password: PASSWORD })),
  'POST /api/v1/auth/passkey/options': row('everybody', 200, () => ({})),
  'POST /api/v1/auth/passkey/login': refusing(403, 'SECOND_FACTOR_REFUSED', () => ({ ticket: 'nobody’s', assertion: newAuthenticator('http://localhost:8080').get({ challenge: 'AAAA' }) })),
  'POST /api/v1/users/register-passkey': refusing(403, 'SECOND_FACTOR_REFUSED', () => ({ ...email(), ticket: 'nobody’s', attestation: passkey().attestation })),
  'POST /api/v1/users/remove-passkey': refusing(400, 'INVALID_LINK', () => ({ token: 'nobody’s' })),
  'GET /api/v1/users/me/passkeys': row('users', 200),
  'POST /api/v1/users/me/passkeys/options': row('users', 200),
  'POST /api/v1/users/me/passkeys': { serves: 'users', answer: [403, 'SECOND_FACTOR_REFUSED'], body: passkey },
  'DELETE /api/v1/users/me/passkeys/{id}': { serves: 'users', answer: [404, 'NOT_FOUND'] },
  'POST /api/v1/users/me/recovery-codes': { serves: 'users', answer: [404, 'NOT_FOUND'] },
  'POST /api/v1/users/me/google': { serves: 'users', answer: [401, 'GOOGLE_SIGN_IN_REFUSED'], body: googleAnswer },
  'DELETE /api/v1/users/me/google': row('users', 200),
  'GET /api/v1/users/me/sessions': row('users', 200),
  'DELETE /api/v1/users/me/sessions': row('users', 204),
  'DELETE /api/v1/users/me/sessions/{id}': row('users', 204),
  'GET /api/v1/users/me/security-events': row('users', 200),
  'GET /api/v1/users/me': row('users', 200),
  'POST /api/v1/users/me/change-password': row('users', 200, () => ({ current_password: PASSWORD, new_password: 'another password of mine' })),
  'DELETE /api/v1/users/me': row('users', 200, () => ({ password: PASSWORD })),
  'POST /api/v1/users/me/delete-oauth': row('users', 200),
  'POST /api/v1/users/me/accept-policies': row('users', 200, () => ({ terms_accepted: true, privacy_accepted: true })),
  'GET /api/v1/stream': { ...row('guests and users', 200), endless: true },
  'GET /api/v1/alerts': row('guests and users', 200),
  'GET /api/v1/alerts/settings': row('guests and users', 200),
  'PUT /api/v1/alerts/settings': row('guests and users', 200, () => ({ extremes: true })),
  'GET /api/v1/me/data': row('guests and users', 200),
  'DELETE /api/v1/me/data': row('guests', 204),
  'POST /api/v1/feedback': row('guests and users', 201, () => ({ message: 'A message of some length.' })),
  'GET /api/v1/alerts/channels': row('guests and users', 200),
  'POST /api/v1/alerts/channels': { serves: 'guests and users', answer: [422, 'WEBHOOK_ADDRESS_REFUSED'], body: () => ({ kind: 'webhook', url: 'https://127.0.0.1/x', preset: 'json' }) },
  ...noSuch('/api/v1/alerts/channels/{id}', ['PUT', 'DELETE', 'POST /test', 'POST /rotate']),
  'POST /api/v1/push/subscribe': row('guests and users', 201, () => subscription('https://fcm.googleapis.com/fcm/send/one')),
  'POST /api/v1/push/shown': refusing(401, 'UNAUTHENTICATED', () => ({ event_ids: [] })),
  'DELETE /api/v1/push/unsubscribe': row('guests and users', 204, () => ({ endpoint: 'https://fcm.googleapis.com/fcm/send/one' })),
  'POST /api/v1/subscriptions/create-checkout-session': row('users', 200),
  'POST /api/v1/subscriptions/create-portal-session': { serves: 'users', answer: [409, 'NO_SUBSCRIPTION'] },
  'POST /api/v1/subscriptions/refresh': row('users', 200),
  'GET /api/v1/admin/users': row('superusers', 200),
  'GET /api/v1/admin/users/{id}': row('superusers', 200),
  'GET /api/v1/admin/users/{id}/subscriptions': row('superusers', 200),
  'POST /api/v1/admin/users/{id}/grant-premium': row('superusers', 200, () => ({ duration_days: 30 })),
  'POST /api/v1/admin/users/{id}/revoke-premium': { serves: 'superusers', answer: [409, 'NO_GRANT'] },
  'DELETE /api/v1/admin/users/{id}/sessions': row('superusers', 204),
  'GET /api/v1/admin/audit-log': row('superusers', 200),
  'GET /api/v1/admin/overview': row('superusers', 200),
  'POST /api/v1/testing/reset-user-state': row('guests and users', 204),
}

let document: Document
/** Whom every call refuses, so that they stay as they are. */
let refused: Readonly<Record<'unverified' | 'deletion scheduled', Headers>>
const server = withServer({ env: { ENABLE_TESTING_ROUTES: 'true' }, deps: { payments: fakePayments(() => START) } })
beforeAll(async () => {
  document = (await server.app.inject('/api/v1/openapi.json')).json()
  // No user is signed in before the address is verified: such a token names no session.
  const email = newEmail()
  await server.register(email)
  const { id: userId } = await server.rowOf(email)
  const names = { userId, sessionId: randomUUID(), now: server.clock(), lifetime: 900 }
  const leaving = await server.user()
  expect((await leaving.ask('POST', '/users/me/delete-oauth')).status).toBe(200)
  refused = {
    unverified: { authorization: `Bearer ${await signAccessToken(accessTokenKey(server.env), names)}` },
    'deletion scheduled': await leaving.identity(),
  }
})

interface Target {
  readonly owner: Who
  /** Null for a guest. */
  readonly account: string | null
  readonly widget: string
  readonly checkpoint: string
  /** All rows of its owner. */
  readonly state: () => Promise<unknown>
}

const PEOPLE = [
  'nobody',
  'guest',
  'another guest',
  'user',
  'another user',
  'unverified',
  'deletion scheduled',
  'superuser',
] as const
type Who = (typeof PEOPLE)[number]

interface Cast {
  readonly headers: Readonly<Record<Who, Headers>>
  readonly targets: readonly Target[]
}

/** For all calls that change nobody; what others do ends some of their callers, so these have a cast of their own. */
let readers: Cast | null = null
const changesSomebody = (call: string) => !call.startsWith('GET ') && TABLE[call]?.serves !== 'everybody'

async function newCast(password: string | null): Promise<Cast> {
  const [aGuest, anotherGuest] = [server.guest(), server.guest()]
  const [aUser, anotherUser, boss] = [
    await server.user({ password, premium: true }),
    await server.user({ password, premium: true }),
    await server.user({ password, superuser: true }),
  ]
  const guests = (await aGuest.add('bitcoin', 'ethereum')).id
  const theirs = (await aUser.add('bitcoin', 'ethereum')).id
  const targets: Target[] = [
    {
      owner: 'guest',
      account: null,
      widget: guests,
      checkpoint: (await aGuest.saveCheckpoint(guests, 1)).body.id,
      state: () => aGuest.list(),
    },
    {
      owner: 'user',
      account: aUser.id,
      widget: theirs,
      checkpoint: (await aUser.save(theirs, 1)).body.id,
      state: async () => [await aUser.list(), (await aUser.ask('GET', '/users/me')).body],
    },
  ]
  const headers = {
    nobody: {},
    guest: await aGuest.identity(),
    'another guest': await anotherGuest.identity(),
    user: await aUser.identity(),
    'another user': await anotherUser.identity(),
    ...refused,
    superuser: await boss.identity(),
  }
  return { headers, targets }
}

/** A coin's id is no secret, and belongs to nobody. */
const aboutOne = (call: string) => call.includes('/widgets/{id}')

function expected({ serves, answer }: Row, call: string, who: Who, owner: Who): Answer {
  if (serves === 'everybody') return answer
  if (who === 'nobody') return [401, 'UNAUTHENTICATED']
  const kind = who === 'guest' || who === 'another guest' ? 'guests' : 'users'
  if (!serves.includes(kind)) return [403, 'FORBIDDEN']
  if (who === 'unverified' || who === 'deletion scheduled') return [401, 'TOKEN_EXPIRED']
  if (serves === 'superusers' && who !== 'superuser') return [403, 'FORBIDDEN']
  return aboutOne(call) && who !== owner ? [404, 'NOT_FOUND'] : answer
}

async function ask(call: string, target: Target, identity: Headers, isOwner = false): Promise<Answer> {
  const { account, widget, checkpoint } = target
  const [method, path] = call.split(' ') as [Method, string]
  const { body, form, query = '', endless = false } = TABLE[call] ?? {}
  const url = path
    .replace('/coins/{id}', '/coins/bitcoin')
    .replace('/users/{id}', `/users/${account}`)
    .replace('{id}', widget)
    .replace(/\{(checkpoint|rule)_id\}/, checkpoint)
  const value = body?.(target)
  const type = form ? 'application/x-www-form-urlencoded' : 'application/json'
  const payload =
    value && (form ? new URLSearchParams(value as Record<string, string>).toString() : JSON.stringify(value))
  const answer = await server.app.inject({
    method,
    url: url + query,
    ...(endless && { payloadAsStream: true }),
    headers: { ...identity, ...(payload && { 'content-type': type }) },
    ...(payload && { payload }),
  })
  if (endless && answer.statusCode === 200) {
    answer.stream().destroy()
    return [200, null]
  }
  if (!call.startsWith('GET ') || TABLE[call]?.serves !== 'everybody')
    expect(answer.headers['cache-control']).toBe('no-store')
  const text = endless ? await textOf(answer.stream()) : answer.payload
  // Superusers are there to see accounts.
  if (!isOwner && TABLE[call]?.serves !== 'superusers')
    for (const id of [account ?? widget, widget, checkpoint]) expect(text).not.toContain(id)
  const isJson = String(answer.headers['content-type']).startsWith('application/json')
  const answered: unknown = isJson ? JSON.parse(text) : null
  return [answer.statusCode, (answered as { error_code?: string } | null)?.error_code ?? null]
}

const calls = Object.keys(TABLE)
const identified = calls.filter((call) => TABLE[call]?.serves !== 'everybody')

test('the table of callers has a row for every operation of the OpenAPI document and no others', () => {
  const documented = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  )
  expect(calls.toSorted()).toEqual(documented.toSorted())
})

test('the routes that the OpenAPI document leaves out are exactly the known undocumented ones', () => {
  const documented = new Set(calls.map((call) => call.replaceAll(/\{(\w+)\}/g, ':$1')))
  const others = routesOf(server.app).filter((route) => !documented.has(route))
  expect(others.toSorted()).toEqual(Object.keys(UNDOCUMENTED).toSorted())
})

test('the OpenAPI document’s security schemes say which callers each operation serves', () => {
  for (const call of calls) {
    const [method = '', path = ''] = call.split(' ')
    const schemes = Object.assign({}, ...(document.paths[path]?.[method.toLowerCase()]?.security ?? [])) as object
    const says = {
      everybody: {},
      guests: { anonymous: [] },
      users: { bearer: [] },
      'guests and users': { anonymous: [], bearer: [] },
      superusers: { bearer: ['superuser'] },
    }
    expect(schemes, call).toEqual(says[TABLE[call]?.serves ?? 'everybody'])
  }
})

const WANT_A_PASSWORD = [
  'DELETE /api/v1/users/me',
  'POST /api/v1/users/me/change-password',
  'POST /api/v1/auth/confirm',
  'DELETE /api/v1/users/me/google',
]

describe.each(calls)('callers of %s', (call) => {
  const served = TABLE[call]
  if (served === undefined) return

  test('an operation answers each kind of caller as the table says, and other callers leave the owner’s data unchanged', async () => {
    const { headers, targets } = changesSomebody(call)
      ? await newCast(WANT_A_PASSWORD.includes(call) ? PASSWORD : null)
      : (readers ??= await newCast(null))
    for (const target of aboutOne(call) ? targets : targets.slice(1)) {
      const { owner } = target
      const before = await target.state()
      const isServed = (who: Who): boolean => who === (served.serves === 'superusers' ? 'superuser' : owner)
      const check = async (who: Who) =>
        expect(await ask(call, target, headers[who], who === owner), `${who}, about what is a ${owner}’s`).toEqual(
          expected(served, call, who, owner),
        )
      for (const who of PEOPLE.filter((who) => !isServed(who))) await check(who)
      expect(await target.state()).toEqual(before)
      await check(PEOPLE.find(isServed) ?? owner)
    }
  })
})

let me: User | null = null

describe.each(identified)('invalid tokens on %s', (call) => {
  test('an operation for guests or users refuses an expired or unsigned token, even beside a valid anonymous id', async () => {
    const owner = (me ??= await server.user())
    const anonymous = await server.guest().identity()
    const target: Target = {
      owner: 'user',
      account: randomUUID(),
      widget: randomUUID(),
      checkpoint: randomUUID(),
      state: () => owner.list(),
    }
    const past = await signAccessToken(accessTokenKey(server.env), {
      userId: owner.id,
      sessionId: owner.id,
      now: server.clock() - 901_000,
      lifetime: 900,
    })
    const [, payload] = (await owner.identity())['authorization']!.split('.')
    const none = Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url')
    expect(await ask(call, target, { 'x-anonymous-user-id': owner.id })).toEqual([401, 'INVALID_ANONYMOUS_ID'])
    for (const extra of [{}, anonymous]) {
      expect(await ask(call, target, { ...extra, authorization: `Bearer ${past}` })).toEqual([401, 'TOKEN_EXPIRED'])
      expect(await ask(call, target, { ...extra, authorization: `Bearer ${none}.${payload}.` })).toEqual([
        401,
        'INVALID_TOKEN',
      ])
    }
  })
})

test('an invalid request without identity gets 401 instead of a validation error', async () => {
  for (const call of identified) {
    const [method, path] = call.split(' ') as [Method, string]
    const answer = await server.app.inject({
      method,
      url: path.replaceAll(/\{\w+\}/g, 'no-uuid'),
      payload: { nonsense: true },
    })
    expect(answer.statusCode, call).toBe(401)
  }
})
