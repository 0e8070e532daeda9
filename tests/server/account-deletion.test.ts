import { eq, sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import type { ErrorBody } from '../../src/contract/errors'
import { DAY } from '../../src/domain/granularity'
import { owners, users } from '../../server/db/schema/users'
import { removeAccounts } from '../../server/services/accounts/account-deletion'
import { bearer, PASSWORD } from './support/accounts'
import { withServer } from './support/for-file'
import type { Answered } from './support/person'
import { userOf } from './support/user'

const server = withServer()
beforeEach(() => server.reset())

type Scheduled = Answered<{ readonly deletion_scheduled_at: string } & ErrorBody>
const remove = (access: string, body: object = { password: PASSWORD }): Promise<Scheduled> =>
  server.ask('DELETE', '/users/me', body, bearer(access))
const removeGoogle = (access: string, body = {}): Promise<Scheduled> =>
  server.post('/users/me/delete-oauth', body, bearer(access))
const forgetPassword = (email: string) => server.setUser(email, { password_hash: null })
const exists = async (email: string) => (await server.rows(users, eq(users.email, email))).length === 1
const runJob = () => removeAccounts(server.database, server.clock())

/** A user who has just asked for the deletion of their account. */
async function leaving(): Promise<string> {
  const email = await server.member()
  const { status } = await remove((await server.session(email)).access_token)
  if (status !== 200) throw new Error(`The deletion was answered ${status}`)
  return email
}

test('account deletion by password is scheduled, ends every session of the user and is confirmed by mail', async () => {
  const email = await server.member()
  const open = [await server.session(email), await server.session(email)]
  const { status, body } = await remove(open[0]!.access_token)
  expect([status, body]).toEqual([200, { deletion_scheduled_at: new Date(server.clock()).toISOString() }])
  for (const { access_token, refresh_token } of open) {
    expect((await remove(access_token)).body.error_code).toBe('TOKEN_EXPIRED')
    expect((await server.refresh(refresh_token)).body.error_code).toBe('INVALID_REFRESH_TOKEN')
  }
  expect(await server.mailsTo(email)).toContain('deletion-scheduled')
})

test('account deletion with a wrong or invalid password is refused, schedules nothing and keeps the session', async () => {
  const email = await server.member()
  const { access_token, refresh_token } = await server.session(email)
  const { status, body } = await remove(access_token, { password: 'wrong' })
  expect([status, body]).toEqual([
    403,
    { detail: 'The entered password is incorrect. Please try again.', error_code: 'INCORRECT_PASSWORD' },
  ])
  for (const bad of [{}, { password: '' }, { password: 7 }]) expect((await remove(access_token, bad)).status).toBe(422)
  expect((await server.rowOf(email)).deletion_scheduled_at).toBeNull()
  expect((await server.refresh(refresh_token)).status).toBe(200)
})

test('password accounts and Google accounts each have a deletion call of their own, and the other call refuses them', async () => {
  const email = await server.member()
  const { access_token } = await server.session(email)
  expect((await removeGoogle(access_token)).body.error_code).toBe('FORBIDDEN')
  await forgetPassword(email)
  expect((await remove(access_token)).body.error_code).toBe('INCORRECT_PASSWORD')
  expect(await removeGoogle(access_token)).toMatchObject({
    status: 200,
    body: { deletion_scheduled_at: new Date(server.clock()).toISOString() },
  })
  expect((await removeGoogle(access_token)).body.error_code).toBe('TOKEN_EXPIRED')
})

test('the deletion call for Google accounts accepts a request without a body', async () => {
  const email = await server.member()
  const { access_token } = await server.session(email)
  await forgetPassword(email)
  const answer = await server.app.inject({
    method: 'POST',
    url: '/api/v1/users/me/delete-oauth',
    headers: bearer(access_token),
  })
  expect(answer.statusCode).toBe(200)
})

test('signing in within 30 days cancels a scheduled deletion and reports this once; a password reset does not cancel', async () => {
  const email = await leaving()
  server.clock.advance(30 * DAY - 1)
  expect(await runJob()).toBe(0)
  await server.post('/users/reset-password', {
    token: await server.link(email, 'reset-password'),
    new_password: PASSWORD,
  })
  expect((await server.logIn(email, 'wrong')).status).toBe(401)
  expect((await server.rowOf(email)).deletion_scheduled_at).not.toBeNull()
  expect(await server.session(email)).toMatchObject({ deletion_cancelled: true, user: { deletion_scheduled_at: null } })
  expect((await server.session(email)).deletion_cancelled).toBeUndefined()
  server.clock.advance(365 * DAY)
  expect(await runJob()).toBe(0)
  expect(await exists(email)).toBe(true)
})

test('30 days after the deletion request the account and all its data are removed, and another account keeps its data', async () => {
  const email = await leaving()
  const kept = await server.member()
  for (const address of [email, kept]) {
    const { id } = await server.rowOf(address)
    await server.database.orm.execute(sql`INSERT INTO sessions (id, user_id, created_at) VALUES (${id}, ${id}, now())`)
    const widget = await userOf(server, id).add('bitcoin', 'ethereum')
    await userOf(server, id).save(widget.id, 2)
    await server.link(address, 'reset-password')
  }
  const { id } = await server.rowOf(email)
  server.clock.advance(30 * DAY)
  expect(await runJob()).toBe(1)
  expect([await exists(email), await exists(kept)]).toEqual([false, true])
  expect((await server.logIn(email)).status).toBe(401)
  const traces = await Promise.all(
    [
      sql`SELECT 1 FROM owners WHERE id = ${id}`,
      sql`SELECT 1 FROM widgets WHERE owner_id = ${id}`,
      sql`SELECT 1 FROM checkpoints WHERE owner_id = ${id}`,
      sql`SELECT 1 FROM operations WHERE owner_id = ${id}`,
      sql`SELECT 1 FROM sessions WHERE user_id = ${id}`,
      sql`SELECT 1 FROM mail_tokens WHERE user_id = ${id}`,
    ].map(async (query) => (await server.database.orm.execute(query)).rows.length),
  )
  expect(traces).toEqual([0, 0, 0, 0, 0, 0])
  expect(await userOf(server, (await server.rowOf(kept)).id).list()).toHaveLength(1)
  // The address is free again.
  expect((await server.register(email)).status).toBe(201)
})

test('three concurrent runs of the account removal job remove each of 120 due accounts once', async () => {
  const due = new Date(server.clock() - 31 * DAY)
  await server.database.orm.execute(sql`
    WITH made AS (INSERT INTO owners (kind, created_at) SELECT 'user', now() FROM generate_series(1, 120) RETURNING id)
    INSERT INTO users (id, email, deletion_scheduled_at) SELECT id, id || '@example.com', ${due} FROM made`)
  const removed = await Promise.all([runJob(), runJob(), runJob()])
  expect(removed.reduce((sum, count) => sum + count, 0)).toBe(120)
  expect(await runJob()).toBe(0)
})

test('a sign-in that races the account removal job either keeps the account or is refused as the account is gone', async () => {
  for (let round = 0; round < 8; round++) {
    const email = await leaving()
    server.clock.advance(30 * DAY)
    const [answer] = await Promise.all([server.logIn(email), runJob()])
    expect([200, 401]).toContain(answer.status)
    expect(await exists(email)).toBe(answer.status === 200)
    if (answer.status === 200) expect((await server.refresh(answer.body.refresh_token)).status).toBe(200)
  }
})

test('a deletion that races a sign-in is either scheduled with the new session ended or cancelled with that session live', async () => {
  for (let round = 0; round < 8; round++) {
    const email = await server.member()
    const { access_token } = await server.session(email)
    const [deletion, entry] = await Promise.all([remove(access_token), server.logIn(email)])
    expect([deletion.status, entry.status]).toEqual([200, 200])
    const cancelled = entry.body.deletion_cancelled === true
    expect((await server.rowOf(email)).deletion_scheduled_at === null).toBe(cancelled)
    expect((await server.refresh(entry.body.refresh_token)).status).toBe(cancelled ? 200 : 401)
  }
})

test('the account removal job does not remove guest owners, even after 400 days', async () => {
  await leaving()
  await server.guest().add('bitcoin', 'ethereum')
  server.clock.advance(400 * DAY)
  expect(await runJob()).toBe(1)
  expect((await server.rows(owners)).map(({ kind }) => kind)).toEqual(['guest'])
})
