import { randomUUID } from 'node:crypto'
import { eq, inArray } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { TokenAnswer } from '../../src/contract/session'
import { DAY, HOUR, MINUTE } from '../../src/domain/granularity'
import { refresh_tokens, sessions } from '../../server/db/schema/sessions'
import { widgets } from '../../server/db/schema/widgets'
import { removeOldTokens, removeSurplusTokens } from '../../server/services/sessions/refresh-token'
import { hashOfSecret } from '../../server/services/secrets'
import { bearer, newEmail } from './support/accounts'
import { withServer } from './support/for-file'
import { testApp } from './support/test-app'
import { waitingFor } from './support/waiting'

const server = withServer()

const GONE = [401, 'INVALID_REFRESH_TOKEN']
/** The API's answer to an access token. */
const told = async ({ access_token }: TokenAnswer) => {
  const { status, body } = await server.me(access_token)
  return body.error_code ?? status
}
const verdict = async (token: string) => {
  const { status, body } = await server.refresh(token)
  return status === 200 ? status : [status, body.error_code]
}
/** The next tokens of a session. */
const next = async ({ refresh_token }: { refresh_token: string }): Promise<TokenAnswer> => {
  const { status, body } = await server.refresh(refresh_token)
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body
}
const begin = async () => server.session(await server.member())

test('a refresh answers with a new refresh token, an access token and the current data of the account', async () => {
  const email = await server.member()
  const first = await server.session(email)
  await server.setUser(email, { has_premium_access: true })
  server.clock.advance(20 * MINUTE)
  expect(await told(first)).toBe('TOKEN_EXPIRED')
  const { status, headers, body } = await server.refresh(first.refresh_token)
  expect([status, headers['cache-control']]).toEqual([200, 'no-store'])
  expect(body).toMatchObject({ token_type: 'bearer', expires_in: 900, user: { email, has_premium_access: true } })
  expect(body.refresh_token).not.toBe(first.refresh_token)
  expect(body.deletion_cancelled).toBeUndefined()
  expect(await told(body)).toBe(200)
})

test('a used refresh token is answered for ten minutes after its successor’s access token was seen, and then ends the session', async () => {
  const first = await begin()
  const second = await next(first)
  server.clock.advance(HOUR)
  expect((await next(first)).refresh_token).toBe(second.refresh_token)
  const third = await next(first)
  expect(await told(third)).toBe(200)
  server.clock.advance(10 * MINUTE)
  expect((await next(first)).refresh_token).toBe(second.refresh_token)
  server.clock.advance(1)
  expect(await verdict(first.refresh_token)).toEqual(GONE)
  expect(await verdict(second.refresh_token)).toEqual(GONE)
  expect(await told(third)).toBe('TOKEN_EXPIRED')
})

test('a thief who refreshes side by side with the owner is noticed at the second refresh: both are logged out, the owner is mailed', async () => {
  const email = await server.member()
  let owner = await server.session(email)
  let thief = owner
  const refreshedSideBySide = async () => {
    server.clock.advance(14 * MINUTE)
    const [before] = [thief]
    owner = await next(owner)
    expect(await told(owner)).toBe(200)
    const stolen = await server.refresh(before.refresh_token)
    if (stolen.status === 200) thief = stolen.body
    return stolen.status
  }
  expect(await refreshedSideBySide()).toBe(200)
  expect(await refreshedSideBySide()).toBe(401)
  for (const { access_token } of [owner, thief])
    expect(await told({ access_token } as TokenAnswer)).toBe('TOKEN_EXPIRED')
  expect(await verdict(owner.refresh_token)).toEqual(GONE)
  expect((await server.mailsTo(email)).filter((kind) => kind === 'session-stolen')).toHaveLength(1)
})

test('an owner whose browser loses an answer now and then, and goes back to an older token once a day, stays logged in', async () => {
  let tokens = await begin()
  for (let day = 0; day < 5; day++) {
    const stored = tokens
    tokens = await next(stored)
    expect(await told(tokens)).toBe(200)
    // The disk has forgotten the newer token.
    server.clock.advance(5 * MINUTE)
    tokens = await next(stored)
    expect(await told(tokens)).toBe(200)
    server.clock.advance(DAY)
    // An answer that never arrives is no sign of a thief.
    await next(tokens)
    await next(tokens)
    tokens = await next(tokens)
    expect(await told(tokens)).toBe(200)
  }
})

test('a session ends 180 days after the sign-in, however often it was refreshed', async () => {
  const email = await server.member()
  let tokens = await server.session(email)
  for (let step = 0; step < 8; step++) {
    server.clock.advance(20 * DAY)
    tokens = await next(tokens)
  }
  server.clock.advance(20 * DAY - 1)
  tokens = await next(tokens)
  server.clock.advance(1)
  expect(await verdict(tokens.refresh_token)).toEqual(GONE)
  expect(await told(tokens)).toBe('TOKEN_EXPIRED')
})

test('a used refresh token that returns over a minute after its successor’s use ends its own session and no other', async () => {
  const email = await server.member()
  const [first, other] = [await server.session(email), await server.session(email)]
  const second = await next(first)
  const third = await next(second)
  server.clock.advance(MINUTE + 1)
  expect(await told(third)).toBe(200)
  expect(await verdict(first.refresh_token)).toEqual(GONE)
  // The thief's and the owner's: the newest one, too, and the access token that is still young.
  for (const token of [second, third]) expect(await verdict(token.refresh_token)).toEqual(GONE)
  expect(await told(third)).toBe('TOKEN_EXPIRED')
  expect(await told(other)).toBe(200)
  expect(await verdict(other.refresh_token)).toBe(200)
})

test('twenty tabs that refresh at the same time get the same refresh token and working access tokens', async () => {
  let { refresh_token } = await begin()
  for (let round = 0; round < 3; round++) {
    const answers = await Promise.all(Array.from({ length: 20 }, () => next({ refresh_token })))
    expect(new Set(answers.map((answer) => answer.refresh_token)).size).toBe(1)
    for (const answer of answers) expect(await told(answer)).toBe(200)
    refresh_token = answers[0]!.refresh_token
  }
})

test('a refresh token expires after 30 days, and each refresh issues a token for another 30 days', async () => {
  let tokens = await begin()
  for (let month = 0; month < 3; month++) {
    server.clock.advance(30 * DAY - 1)
    tokens = await next(tokens)
  }
  server.clock.advance(30 * DAY)
  expect(await verdict(tokens.refresh_token)).toEqual(GONE)
})

test('a string that is not a refresh token of the server is refused, and the real token stays valid', async () => {
  const { access_token, refresh_token } = await begin()
  for (const token of [
    'x',
    access_token,
    refresh_token.toUpperCase(),
    `${refresh_token} `,
    'a\u0000b',
    hashOfSecret(refresh_token),
  ]) {
    expect(await verdict(token)).toEqual(GONE)
  }
  expect(await verdict('')).toEqual([422, 'VALIDATION_ERROR'])
  expect(await verdict(refresh_token)).toBe(200)
})

test('logging out with any token of a session ends that session at once, and always answers 204', async () => {
  const email = await server.member()
  const other = await server.session(email)
  for (const uses of [0, 2]) {
    const first = await server.session(email)
    let last = first
    for (let use = 0; use < uses; use++) last = await next(last)
    expect((await server.logOut(first.refresh_token)).status).toBe(204)
    expect(await told(last)).toBe('TOKEN_EXPIRED')
    expect(await verdict(last.refresh_token)).toEqual(GONE)
    expect((await server.logOut(last.refresh_token)).status).toBe(204)
  }
  expect((await server.logOut('nonsense')).status).toBe(204)
  expect(await told(other)).toBe(200)
})

test('a logout that races a refresh ends the session, including the tokens of that refresh', async () => {
  for (let round = 0; round < 10; round++) {
    const first = await begin()
    const [, answer] = await Promise.all([server.logOut(first.refresh_token), server.refresh(first.refresh_token)])
    expect([200, 401]).toContain(answer.status)
    if (answer.status === 200) expect(await told(answer.body)).toBe('TOKEN_EXPIRED')
    expect(await verdict(first.refresh_token)).toEqual(GONE)
    if (answer.status === 200) expect(await verdict(answer.body.refresh_token)).toEqual(GONE)
  }
})

test('a refresh that waits for a transaction deleting its session is refused with INVALID_REFRESH_TOKEN', async () => {
  const first = await begin()
  let refreshing: Promise<unknown> = Promise.resolve()
  await server.database.orm.transaction(async (tx) => {
    await tx.delete(sessions).where(eq(sessions.user_id, first.user!.id))
    refreshing = verdict(first.refresh_token)
    await waitingFor(server.database, tx)
  })
  expect(await refreshing).toEqual(GONE)
})

test('a widget creation that waits for a transaction deleting its session is refused with 401 and creates nothing', async () => {
  const first = await begin()
  let changing: Promise<unknown> = Promise.resolve()
  await server.database.orm.transaction(async (tx) => {
    await tx.delete(sessions).where(eq(sessions.user_id, first.user!.id))
    changing = server.post('/widgets', { coin_a_id: 'bitcoin', coin_b_id: 'ethereum' }, bearer(first.access_token))
    await waitingFor(server.database, tx)
  })
  expect(await changing).toMatchObject({ status: 401, body: { error_code: 'TOKEN_EXPIRED' } })
  const made = await server.rows(widgets, eq(widgets.owner_id, first.user!.id))
  expect(made).toEqual([])
})

test('a refresh is refused while the account is disabled, and succeeds once the account is enabled again', async () => {
  const email = await server.member()
  const { refresh_token } = await server.session(email)
  const setActive = (is_active: boolean) => server.setUser(email, { is_active })
  await setActive(false)
  expect(await verdict(refresh_token)).toEqual(GONE)
  await setActive(true)
  expect(await verdict(refresh_token)).toBe(200)
})

test('a changed JWT_SECRET invalidates no refresh token, not even while a lost refresh answer is repeated', async () => {
  const { env, database, clock } = server
  const other = await testApp({ env: { JWT_SECRET: 'x'.repeat(40) }, database, deps: { clock } })
  const first = await begin()
  const lost = await next(first)
  const again = (await other.refresh(first.refresh_token)).body
  expect(again.refresh_token).not.toBe(lost.refresh_token)
  for (const { refresh_token } of [again, lost]) expect((await other.refresh(refresh_token)).status).toBe(200)
  expect(env.JWT_SECRET).not.toBe(other.env.JWT_SECRET)
  await other.close()
})

test('the database contains refresh tokens only as hashes, and no access token', async () => {
  const first = await begin()
  const second = await next(first)
  const rows = JSON.stringify([await server.rows(refresh_tokens), await server.rows(sessions)])
  for (const { access_token, refresh_token } of [first, second]) {
    expect(rows).not.toContain(refresh_token)
    expect(rows).not.toContain(access_token.split('.')[2])
    expect(rows).toContain(hashOfSecret(refresh_token))
  }
})

test('cleanup removes refresh tokens that can no longer be answered, and a session with its last token', async () => {
  const email = await server.member(newEmail())
  const first = await server.session(email)
  const second = await next(first)
  const hashes = [first, second].map(({ refresh_token }) => hashOfSecret(refresh_token))
  const kept = async () => {
    await removeOldTokens(server.database, server.clock())
    const tokens = await server.rows(refresh_tokens, inArray(refresh_tokens.token_hash, hashes))
    const own = await server.rows(sessions, eq(sessions.user_id, first.user!.id))
    return [tokens.length, own.length]
  }
  server.clock.advance(29 * DAY)
  const third = await next(second)
  server.clock.advance(30 * DAY)
  expect(await kept()).toEqual([2, 1])
  server.clock.advance(2 * DAY)
  expect(await kept()).toEqual([0, 1])
  expect(await verdict(first.refresh_token)).toEqual(GONE)
  server.clock.advance(60 * DAY)
  expect(await kept()).toEqual([0, 0])
  expect(await verdict(third.refresh_token)).toEqual(GONE)
})

test('used tokens of an ended session are kept for 30 days after their use, unused ones go, and of an account the first ones stay', async () => {
  const named = (token: string) =>
    server.post<TokenAnswer>('/auth/refresh-token', { refresh_token: token }, { 'x-refresh-attempt': randomUUID() })
  const tokens = [(await begin()).refresh_token]
  for (let i = 0; i < 3; i++) {
    server.clock.advance(1000)
    tokens.push((await named(tokens.at(-1)!)).body.refresh_token)
  }
  const hashes = tokens.map(hashOfSecret)
  const kept = async () => {
    await removeOldTokens(server.database, server.clock())
    const rows = await server.rows(refresh_tokens, inArray(refresh_tokens.token_hash, hashes))
    return hashes.filter((hash) => rows.some(({ token_hash }) => token_hash === hash))
  }
  expect(await kept()).toEqual(hashes)
  await removeSurplusTokens(server.database, 2)
  expect(await kept()).toEqual(hashes)
  await server.post('/auth/logout', { refresh_token: tokens.at(-1) })
  expect(await kept()).toEqual(hashes.slice(0, 3))
  await removeSurplusTokens(server.database, 2)
  expect(await kept()).toEqual(hashes.slice(0, 2))
  server.clock.advance(30 * DAY)
  expect(await kept()).toEqual([])
})
