import { createHmac, randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { decodeJwt } from 'jose'
import { pino } from 'pino'
import { beforeAll, expect, test } from 'vitest'
import { owners } from '../../server/db/schema/users'
import { sessions } from '../../server/db/schema/sessions'
import { accessTokenKey, signAccessToken } from '../../server/services/sessions/access-token'
import { newUser } from './support/new-user'

import { withServer } from './support/for-file'

const LIFETIME = 900

const written: string[] = []
const logger = pino({ level: 'trace' }, { write: (line) => void written.push(line) })
const server = withServer({ deps: { logger } })
let id: string
let key: Uint8Array
let token: string
beforeAll(async () => {
  id = (await newUser(server.database, server.clock())).id
  key = accessTokenKey(server.env)
  token = await signAccessToken(key, { userId: id, sessionId: id, now: server.clock(), lifetime: LIFETIME })
})

const ask = async (authorization: string, headers: Record<string, string> = {}) => {
  const answer = await server.app.inject({ url: '/api/v1/widgets', headers: { authorization, ...headers } })
  return [answer.statusCode, (JSON.parse(answer.payload) as { error_code?: string }).error_code]
}
const GOOD = [200, undefined]
const BAD = [401, 'INVALID_TOKEN']
const ENDED = [401, 'TOKEN_EXPIRED']

test('an access token names its issuer, user, session, issue time and expiry, and nothing else', () => {
  const seconds = Math.floor(server.clock() / 1000)
  expect(decodeJwt(token)).toEqual({
    iss: 'crypto-ratio-tracker',
    sub: id,
    sid: id,
    iat: seconds,
    exp: seconds + LIFETIME,
  })
})

test('an access token is accepted until its lifetime ends, and then refused with TOKEN_EXPIRED', async () => {
  const now = server.clock()
  const until = async (lifetime: number) =>
    ask(`Bearer ${await signAccessToken(key, { userId: id, sessionId: id, now, lifetime })}`)
  expect(await until(1)).toEqual(GOOD)
  expect(await until(0)).toEqual([401, 'TOKEN_EXPIRED'])
  expect(await until(-3600)).toEqual([401, 'TOKEN_EXPIRED'])
})

test('an access token that was accepted before is refused with TOKEN_EXPIRED from its end on', async () => {
  const fresh = await signAccessToken(key, { userId: id, sessionId: id, now: server.clock(), lifetime: 2 })
  const answers = []
  for (let second = 0; second < 3; second++) {
    answers.push(await ask(`Bearer ${fresh}`))
    server.clock.advance(1000)
  }
  expect(answers).toEqual([GOOD, GOOD, ENDED])
})

test('a bearer token, valid or not, takes precedence over the anonymous user id header', async () => {
  const anonymous = { 'x-anonymous-user-id': server.guest().id }
  expect(await ask(`Bearer ${token}`, anonymous)).toEqual(GOOD)
  expect(await ask(`bearer ${token}`, { 'x-anonymous-user-id': 'nonsense' })).toEqual(GOOD)
  expect(await ask('Bearer abc', anonymous)).toEqual(BAD)
})

const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const seconds = () => Math.floor(server.clock() / 1000)
const claims = () => ({ iss: 'crypto-ratio-tracker', sub: id, sid: id, iat: seconds(), exp: seconds() + LIFETIME })
const signed = (header: object, payload: object, secret: Uint8Array = key, hash = 'sha256') => {
  const content = `${base64(header)}.${base64(payload)}`
  return `${content}.${createHmac(hash, secret).update(content).digest('base64url')}`
}
const HEADER = { alg: 'HS256', typ: 'at+jwt' }

test('an access token signed by hand with correct header and claims is accepted (control for the refused tokens)', async () => {
  expect(await ask(`Bearer ${signed(HEADER, claims())}`)).toEqual(GOOD)
})

test.each<[string, () => string | Promise<string>]>([
  ['without a signature (alg none)', () => `${base64({ ...HEADER, alg: 'none' })}.${base64(claims())}.`],
  ['with alg none and a signature', () => signed({ ...HEADER, alg: 'none' }, claims())],
  ['with alg None', () => signed({ ...HEADER, alg: 'None' }, claims())],
  ['signed with another secret', () => signed(HEADER, claims(), new TextEncoder().encode('x'.repeat(40)))],
  ['signed with an empty secret', () => signed(HEADER, claims(), new Uint8Array())],
  ['expired and signed with another secret', () => signed(HEADER, { ...claims(), exp: 1 }, new Uint8Array([1]))],
  ['signed with another algorithm', () => signed({ ...HEADER, alg: 'HS512' }, claims(), key, 'sha512')],
  ['of another type', () => signed({ alg: 'HS256', typ: 'JWT' }, claims())],
  ['without a type', () => signed({ alg: 'HS256' }, claims())],
  ['of another issuer', () => signed(HEADER, { ...claims(), iss: 'somebody' })],
  ['that never expires', () => signed(HEADER, { ...claims(), exp: undefined })],
  ['whose end is no number', () => signed(HEADER, { ...claims(), exp: 'tomorrow' })],
  ['not yet good', () => signed(HEADER, { ...claims(), nbf: seconds() + 60 })],
  ['for nobody', () => signed(HEADER, { ...claims(), sub: undefined })],
  ['for something that is no user', () => signed(HEADER, { ...claims(), sub: "' OR 1=1 --" })],
  ['of no session', () => signed(HEADER, { ...claims(), sid: undefined })],
  ['of a session that is no id', () => signed(HEADER, { ...claims(), sid: 'mine' })],
  ['with a critical extension', () => signed({ ...HEADER, crit: ['b64'], b64: false }, claims())],
  [
    'with a key of its own',
    () => signed({ ...HEADER, jwk: { kty: 'oct', k: base64({}) } }, claims(), Buffer.from('{}')),
  ],
  ['with another payload', () => token.replace(/\.[^.]+\./, `.${base64({ ...claims(), sub: randomUUID() })}.`)],
  ['cut short', () => token.slice(0, -2)],
  ['with something behind it', () => `${token}.x`],
  ['twice', () => `${token} ${token}`],
  ['that is empty', () => ''],
])('an access token %s is refused with INVALID_TOKEN', async (_fault, make) => {
  expect(await ask(`Bearer ${await make()}`)).toEqual(BAD)
})

test('an access token is accepted only with a live session of its own user, and otherwise refused with TOKEN_EXPIRED', async () => {
  const [one, other] = [await newUser(server.database, server.clock()), await newUser(server.database, server.clock())]
  const with_ = async (userId: string, sessionId: string) =>
    ask(`Bearer ${await signAccessToken(key, { userId, sessionId, now: server.clock(), lifetime: LIFETIME })}`)
  expect(await with_(one.id, one.id)).toEqual(GOOD)
  expect(await with_(one.id, other.id)).toEqual(ENDED)
  expect(await with_(one.id, randomUUID())).toEqual(ENDED)
  expect(await with_(randomUUID(), one.id)).toEqual(ENDED)
})

test('an access token of a disabled account is refused, and accepted again once the account is enabled', async () => {
  const one = await newUser(server.database, server.clock())
  const claims = { userId: one.id, sessionId: one.id, now: server.clock(), lifetime: LIFETIME }
  const authorization = `Bearer ${await signAccessToken(key, claims)}`
  const setActive = (is_active: boolean) => server.setUser(one.id, { is_active })
  await setActive(false)
  expect(await ask(authorization)).toEqual(ENDED)
  await setActive(true)
  expect(await ask(authorization)).toEqual(GOOD)
})

test('an access token whose session or owner was deleted can neither read nor reorder widgets', async () => {
  for (const end of [sessions, owners]) {
    const gone = await newUser(server.database, server.clock())
    const issue = { userId: gone.id, sessionId: gone.id, now: server.clock(), lifetime: LIFETIME }
    const authorization = `Bearer ${await signAccessToken(key, issue)}`
    expect(await ask(authorization)).toEqual(GOOD)
    await server.database.orm.delete(end).where(eq(end.id, gone.id))
    expect(await ask(authorization)).toEqual(ENDED)
    const change = await server.app.inject({
      method: 'POST',
      url: '/api/v1/widgets/reorder',
      headers: { authorization, 'content-type': 'application/json' },
      payload: '{"ordered_ids":[]}',
    })
    expect([change.statusCode, change.json<{ error_code: string }>().error_code]).toEqual(ENDED)
  }
})

test('an access token that names a guest owner as its user is refused with TOKEN_EXPIRED', async () => {
  const rows = await server.rows(owners)
  await server.guest().add('bitcoin', 'ethereum')
  const [theirs] = (await server.rows(owners)).filter((row) => !rows.some((old) => old.id === row.id))
  const issue = { userId: theirs?.id ?? '', sessionId: id, now: server.clock(), lifetime: LIFETIME }
  expect(await ask(`Bearer ${await signAccessToken(key, issue)}`)).toEqual(ENDED)
})

test('only a missing or invalid access token is answered with a WWW-Authenticate: Bearer challenge (RFC 6750)', async () => {
  const challenge = async (headers: Record<string, string>) =>
    (await server.app.inject({ url: '/api/v1/widgets', headers })).headers['www-authenticate']
  expect(await challenge({})).toBe('Bearer')
  expect(await challenge({ authorization: 'Bearer abc' })).toBe('Bearer error="invalid_token"')
  expect(await challenge({ authorization: `Bearer ${token}` })).toBeUndefined()
})

test('the server log at trace level never contains the payload of an access token', () => {
  expect(written.length).toBeGreaterThan(0)
  expect(written.join('')).not.toContain(token.split('.')[1])
})

test('the secret part of a guest’s anonymous id is neither in the database nor in the log', async () => {
  const me = server.guest()
  const widget = await me.add('bitcoin', 'ethereum')
  await me.saveCheckpoint(widget.id, 2)
  await me.update(widget.id, { high_threshold: 'wrong' })
  await server.app.inject({ url: '/api/v1/widgets', headers: { 'x-anonymous-user-id': `${me.id}!` } })
  const tables = ['owners', 'widgets', 'checkpoints', 'operations'].map(sql.identifier)
  const rows = await Promise.all(
    tables.map(async (table) => (await server.database.orm.execute(sql`SELECT * FROM ${table}`)).rows),
  )
  expect(rows.every((table) => table.length > 0)).toBe(true)
  const secret = me.id.split('-').slice(2).join('-')
  expect(JSON.stringify(rows)).not.toContain(secret)
  expect(written.length).toBeGreaterThan(0)
  expect(written.join('')).not.toContain(secret)
})
