import { createHmac, randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { decodeJwt, SignJWT } from 'jose'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { owners } from '../../server/db/schema/owners'
import { signAccessToken } from '../../server/services/sessions/access-token'
import { accessTokenKey } from '../../server/services/sessions/token-key'
import { guest } from './support/guest'
import { newUser } from './support/new-user'
import { testApp, type TestApp } from './support/test-app'

const LIFETIME = 900

const written: string[] = []
let it: TestApp
let id: string
let key: Uint8Array
let token: string
beforeAll(async () => {
  const logger = pino({ level: 'trace' }, { write: (line) => void written.push(line) })
  it = await testApp({ parts: { logger } })
  id = (await newUser(it.database, it.clock())).id
  key = accessTokenKey(it.env)
  token = await signAccessToken(key, { userId: id, now: it.clock(), lifetime: LIFETIME })
})
afterAll(() => it.close())

const ask = async (authorization: string, headers: Record<string, string> = {}) => {
  const answer = await it.app.inject({ url: '/api/v1/widgets', headers: { authorization, ...headers } })
  return [answer.statusCode, (JSON.parse(answer.payload) as { error_code?: string }).error_code]
}
const GOOD = [200, undefined]
const BAD = [401, 'INVALID_TOKEN']

test('says who and until when, and nothing else', () => {
  const seconds = Math.floor(it.clock() / 1000)
  expect(decodeJwt(token)).toEqual({ iss: 'crypto-ratio-tracker', sub: id, iat: seconds, exp: seconds + LIFETIME })
})

test('is good until its time is over, and then says so', async () => {
  const now = it.clock()
  const until = async (lifetime: number) => ask(`Bearer ${await signAccessToken(key, { userId: id, now, lifetime })}`)
  expect(await until(1)).toEqual(GOOD)
  expect(await until(0)).toEqual([401, 'TOKEN_EXPIRED'])
  expect(await until(-3600)).toEqual([401, 'TOKEN_EXPIRED'])
})

test('wins over the anonymous id, whatever it is worth', async () => {
  const anonymous = { 'x-anonymous-user-id': guest(it.app).id }
  expect(await ask(`Bearer ${token}`, anonymous)).toEqual(GOOD)
  expect(await ask(`bearer ${token}`, { 'x-anonymous-user-id': 'nonsense' })).toEqual(GOOD)
  expect(await ask('Bearer abc', anonymous)).toEqual(BAD)
})

const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const seconds = () => Math.floor(it.clock() / 1000)
const claims = () => ({ iss: 'crypto-ratio-tracker', sub: id, iat: seconds(), exp: seconds() + LIFETIME })
const signed = (header: object, payload: object, secret: Uint8Array = key, hash = 'sha256') => {
  const content = `${base64(header)}.${base64(payload)}`
  return `${content}.${createHmac(hash, secret).update(content).digest('base64url')}`
}
const HEADER = { alg: 'HS256', typ: 'at+jwt' }

test('made by hand as the server makes it is good, so that what is refused below is the fault', async () => {
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
  ['with a critical extension', () => signed({ ...HEADER, crit: ['b64'], b64: false }, claims())],
  ['with a key of its own', () => signed({ ...HEADER, jwk: { kty: 'oct', k: base64({}) } }, claims(), Buffer.from('{}'))],
  ['with another payload', () => token.replace(/\.[^.]+\./, `.${base64({ ...claims(), sub: randomUUID() })}.`)],
  ['cut short', () => token.slice(0, -2)],
  ['with something behind it', () => `${token}.x`],
  ['twice', () => `${token} ${token}`],
  ['that is empty', () => ''],
  ['for an account that does not exist', () => new SignJWT({ ...claims(), sub: randomUUID() }).setProtectedHeader(HEADER).sign(key)],
])('a token %s is refused', async (_fault, make) => {
  expect(await ask(`Bearer ${await make()}`)).toEqual(BAD)
}) // prettier-ignore

test('the account of a token may go at any time: nothing is read or made for it any more', async () => {
  const gone = await newUser(it.database, it.clock())
  const authorization = `Bearer ${await signAccessToken(key, { userId: gone.id, now: it.clock(), lifetime: LIFETIME })}`
  expect(await ask(authorization)).toEqual(GOOD)
  await it.database.orm.delete(owners).where(eq(owners.id, gone.id))
  expect(await ask(authorization)).toEqual(BAD)
  const change = await it.app.inject({
    method: 'POST',
    url: '/api/v1/widgets/reorder',
    headers: { authorization, 'content-type': 'application/json' },
    payload: '{"ordered_ids":[]}',
  })
  expect([change.statusCode, change.json<{ error_code: string }>().error_code]).toEqual(BAD)
  expect(await it.database.orm.select().from(owners).where(eq(owners.id, gone.id))).toEqual([])
})

test('a guest is no user, even under a user’s id', async () => {
  const rows = await it.database.orm.select().from(owners)
  await guest(it.app).add('bitcoin', 'ethereum')
  const [theirs] = (await it.database.orm.select().from(owners)).filter((row) => !rows.some((old) => old.id === row.id))
  const forGuest = await signAccessToken(key, { userId: theirs?.id ?? '', now: it.clock(), lifetime: LIFETIME })
  expect(await ask(`Bearer ${forGuest}`)).toEqual(BAD)
})

test('stands in no log', () => {
  expect(written.length).toBeGreaterThan(0)
  expect(written.join('')).not.toContain(token.split('.')[1])
})
