import { expect, test } from 'vitest'
import type { OwnerId } from '../../src/domain/ids'
import { sendAs } from '../../src/sync/request'
import { testContext } from '../db/support/entries'
import { json, wiredEnv } from './support/wire'

const USER = '11111111-1111-4111-8111-111111111111' as OwnerId
const GUEST = 'anon-1760000000000-AAAAAAAAAAAAAAAAAAAAAAAA' as OwnerId
const LIST = '/api/v1/widgets'
const REFRESH = '/api/v1/auth/refresh-token'

async function signedIn() {
  const { db } = testContext()
  await db.session.put({
    key: 'current',
    owner: USER,
    tokens: { access: 'old', refresh: 'r1' },
    user: null,
    anonymous_id: GUEST,
  })
  return db
}
const bearer = (init: RequestInit): string => (init.headers as Record<string, string>)['Authorization'] ?? ''
const expired = (): Response => json(401, { detail: 'Expired.', error_code: 'TOKEN_EXPIRED' })
const tokens = { access_token: 'new', refresh_token: 'r2', token_type: 'bearer', expires_in: 900 }

test('a request asks for JSON, as a user with a token alone, as a guest by the anonymous header', async () => {
  const seen: RequestInit['headers'][] = []
  const list = ({ init }: { readonly init: RequestInit }) => {
    seen.push(init.headers)
    return json(200, [])
  }
  const db = await signedIn()
  await sendAs(wiredEnv(db, { [LIST]: list }), USER, { route: 'listWidgets' })
  await db.session.put({ key: 'current', owner: GUEST, tokens: null, user: null, anonymous_id: GUEST })
  await sendAs(wiredEnv(db, { [LIST]: list }), GUEST, { route: 'listWidgets' })
  expect(seen).toEqual([
    { Accept: 'application/json', Authorization: 'Bearer old' },
    { Accept: 'application/json', 'X-Anonymous-User-ID': GUEST },
  ])
})

test('an expired access token is refreshed once for all requests that meet it, and each is sent again', async () => {
  const db = await signedIn()
  const env = wiredEnv(db, {
    [LIST]: ({ init }) => (bearer(init) === 'Bearer new' ? json(200, []) : expired()),
    [REFRESH]: () => json(200, tokens),
  })
  const answers = await Promise.all([1, 2, 3].map(() => sendAs(env, USER, { route: 'listWidgets' })))
  expect(answers.map(({ kind }) => kind)).toEqual(['ok', 'ok', 'ok'])
  expect(env.asked.filter((asked) => asked.includes('refresh'))).toHaveLength(1)
  expect((await db.session.get('current'))!.tokens).toEqual({ access: 'new', refresh: 'r2' })
})

test('a token refresh never writes into the session of a user who has signed in since', async () => {
  const db = await signedIn()
  const other = '22222222-2222-4222-8222-222222222222' as OwnerId
  const session = {
    key: 'current' as const,
    owner: other,
    tokens: { access: 'theirs', refresh: 't1' },
    user: null,
    anonymous_id: GUEST,
  }
  const env = wiredEnv(db, {
    [LIST]: expired,
    [REFRESH]: async () => {
      await db.session.put(session)
      return json(200, tokens)
    },
  })
  expect((await sendAs(env, USER, { route: 'listWidgets' })).kind).toBe('not-mine')
  expect(await db.session.get('current')).toEqual(session)
})

test('a refresh answered INVALID_REFRESH_TOKEN ends the session; UNAUTHENTICATED, a 502 or a foreign page does not', async () => {
  const outcome = async (refresh: () => Response) => {
    const env = wiredEnv(await signedIn(), { [LIST]: expired, [REFRESH]: refresh })
    return sendAs(env, USER, { route: 'listWidgets' })
  }
  const refusal = (error_code: string) => json(401, { detail: 'No.', error_code })
  expect(await outcome(() => refusal('INVALID_REFRESH_TOKEN'))).toMatchObject({
    kind: 'refused',
    error_code: 'INVALID_REFRESH_TOKEN',
    message: 'Your session has expired. Please log in again.',
  })
  expect(await outcome(() => refusal('UNAUTHENTICATED'))).toMatchObject({ kind: 'unavailable' })
  expect(await outcome(() => json(502, 'bad gateway'))).toMatchObject({ kind: 'unavailable' })
  expect(await outcome(() => new Response('<html>', { status: 200 }))).toMatchObject({ kind: 'unavailable' })
})

test('a guest’s request answered TOKEN_EXPIRED is refused, because a guest has no token to refresh', async () => {
  const { db } = testContext()
  const answer = await sendAs(wiredEnv(db, { [LIST]: expired }), GUEST, { route: 'listWidgets' })
  expect(answer).toMatchObject({
    kind: 'refused',
    message: 'Session expired, and refresh mechanism is not configured.',
  })
})

test('a request still answered TOKEN_EXPIRED after the refresh is unavailable, and ends no session', async () => {
  const env = wiredEnv(await signedIn(), { [LIST]: expired, [REFRESH]: () => json(200, tokens) })
  expect(await sendAs(env, USER, { route: 'listWidgets' })).toMatchObject({ kind: 'unavailable', status: 401 })
})
