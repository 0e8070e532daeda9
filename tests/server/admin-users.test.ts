import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { adminProfile, adminUser } from '../../src/contract/admin'
import { newEmail } from './support/accounts'
import { type Operator, totalOf } from './support/admin'
import { withServer } from './support/for-file'
import { newUser } from './support/new-user'
import { subscription } from './support/subscription'
import { NOTHING_ACCEPTED } from '../support/new-account'

let boss: Operator
const server = withServer({ env: { FREE_MAX_WIDGETS: '2' } })
beforeEach(async () => {
  await server.reset()
  boss = await server.operator('boss@operators.example')
})

/** Accounts that were made one second after the other. */
async function made(...emails: string[]): Promise<void> {
  for (const email of emails) {
    server.clock.advance(1000)
    await newUser(server.database, server.clock(), { email })
  }
}
const numbered = (count: number) =>
  Array.from({ length: count }, (_, i) => `user${String(i).padStart(3, '0')}@example.com`)
const found = async (search: string) => {
  const answer = await boss.search(`?search=${encodeURIComponent(search)}`)
  expect(totalOf(answer)).toBe(answer.body.length)
  return answer.body.map(({ email }) => email)
}

test('the admin user list has every account and no guest, newest first, 20 to a page, with the total count', async () => {
  const emails = numbered(44)
  await made(...emails)
  await server.guest().add('bitcoin', 'ethereum')
  const everybody = ['boss@operators.example', ...emails].toReversed()
  const pages = await Promise.all([0, 20, 40, 60].map((skip) => boss.search(`?skip=${skip}`)))
  expect(pages.map(({ body }) => body.length)).toEqual([20, 20, 5, 0])
  expect(pages.map(totalOf)).toEqual([45, 45, 45, 45])
  expect(pages.flatMap(({ body }) => body.map(({ email }) => email))).toEqual(everybody)
  for (const one of pages.flatMap(({ body }) => body))
    expect(z.strictObject(adminUser.shape).safeParse(one).error).toBeUndefined()
  expect((await boss.search('?skip=3&limit=2')).body.map(({ email }) => email)).toEqual(everybody.slice(3, 5))
  expect((await boss.search('?limit=100')).body.length).toBe(45)
})

test('accounts created at the same moment keep one order across the pages of the admin user list', async () => {
  await Promise.all(numbered(30).map((email) => newUser(server.database, server.clock(), { email })))
  const pages = await Promise.all([0, 7, 14, 21, 28].map((skip) => boss.search(`?limit=7&skip=${skip}`)))
  const ids = pages.flatMap(({ body }) => body.map(({ id }) => id))
  expect(new Set(ids).size).toBe(31)
  expect(ids).toEqual(ids.toSorted())
})

test('accounts created while an operator pages through the admin user list hide no older account', async () => {
  await made(...numbered(30))
  const seen: string[] = []
  for (let skip = 0; ; skip += 10) {
    const { body } = await boss.search(`?limit=10&skip=${skip}`)
    if (body.length === 0) break
    seen.push(...body.map(({ email }) => email))
    if (skip < 30) await made(newEmail(), newEmail(), newEmail())
  }
  expect(new Set(seen)).toEqual(new Set(['boss@operators.example', ...numbered(30)]))
  expect(seen.length).toBeGreaterThan(31)
})

test('the admin user search finds an email address by any part, in any case, and treats no character as a wildcard', async () => {
  const odd = [
    'Ada.Lovelace+pairs@Example.com',
    "o'brien@example.com",
    '50%off@example.com',
    'a_b@example.com',
    'axb@example.com',
    'back\\slash@example.com',
  ]
  await made(...odd)
  const [ada, brien, percent, underscore, plain, backslash] = odd
  expect(await found('LOVELACE')).toEqual([ada])
  expect(await found('lovelace+PAIRS@ex')).toEqual([ada])
  expect(await found('  lovelace  ')).toEqual([ada])
  expect(await found("o'b")).toEqual([brien])
  expect(await found('%')).toEqual([percent])
  expect(await found('_')).toEqual([underscore])
  expect(await found('a_b')).toEqual([underscore])
  expect(await found('axb')).toEqual([plain])
  expect(await found('\\')).toEqual([backslash])
  expect((await found('')).length).toBe(7)
  for (const nothing of [
    'example.com ada',
    '.*',
    '%%',
    '<script>alert(1)</script>',
    "'; DROP TABLE users; --",
    '=1+1',
    '\u202e',
    'x'.repeat(254),
    'İ',
    '${7*7}',
  ]) {
    expect(await found(nothing), nothing).toEqual([])
  }
})

test('the admin user search finds an account by its whole id, in any case, and not by a part of the id', async () => {
  await made('ada@example.com', 'bob@example.com')
  const { id } = await server.rowOf('ada@example.com')
  expect(await found(id)).toEqual(['ada@example.com'])
  expect(await found(id.toUpperCase())).toEqual(['ada@example.com'])
  expect(await found(id.slice(0, 13))).toEqual([])
  expect(await found(randomUUID())).toEqual([])
})

test('the admin user search returns the count of all matches, also on a short page and beyond the last page', async () => {
  await made(...numbered(25))
  expect(totalOf(await boss.search('?search=user00&limit=3'))).toBe(10)
  expect(totalOf(await boss.search('?search=user00&skip=50'))).toBe(10)
  expect(totalOf(await boss.search('?search=nobody'))).toBe(0)
})

test('the admin user list refuses invalid query parameters with 422 VALIDATION_ERROR', async () => {
  for (const query of [
    '?search=a%00b',
    '?search=%00',
    `?search=${'x'.repeat(255)}`,
    '?search=a&search=b',
    '?skip=-1',
    '?skip=1000001',
    '?skip=1e9',
    '?skip=1.5',
    '?limit=0',
    '?limit=101',
    '?limit=all',
    '?limit=',
    '?page=2',
    '?search[]=a',
  ]) {
    const { status, body } = await boss.search(query)
    expect([query, status, body.error_code]).toEqual([query, 422, 'VALIDATION_ERROR'])
  }
})

test('the admin profile counts the account’s own widgets, checkpoints and push subscriptions, and has no secrets', async () => {
  const me = await server.user({ email: 'ada@example.com', password: 'a password of hers' })
  const [first] = [await me.add('bitcoin', 'ethereum'), await me.add('bitcoin', 'solana')]
  await me.save(first.id, 14)
  await me.ask('POST', '/push/subscribe', subscription('https://fcm.googleapis.com/fcm/send/profile'))
  await server.setUser(me.id, { last_login_at: new Date(server.clock()) })
  // Rows of other users are not hers.
  const other = await server.user()
  await other.save((await other.add('bitcoin', 'ripple')).id, 14)
  await other.ask('POST', '/push/subscribe', subscription('https://fcm.googleapis.com/fcm/send/another'))
  const { status, body } = await boss.profile(me.id)
  expect(status).toBe(200)
  expect(body).toEqual({
    id: me.id,
    email: 'ada@example.com',
    email_verified: true,
    has_premium_access: false,
    is_superuser: false,
    is_active: true,
    has_password: true,
    has_google: false,
    has_passkeys: false,
    has_billing_account: false,
    created_at: new Date(server.clock()).toISOString(),
    last_login_at: new Date(server.clock()).toISOString(),
    ...NOTHING_ACCEPTED,
    widgets: 2,
    active_widgets: 2,
    checkpoints: 1,
    push_subscriptions: 1,
  })
  expect(z.strictObject(adminProfile.shape).safeParse(body).error).toBeUndefined()
  expect((await boss.profile(me.id.toUpperCase())).body.id).toBe(me.id)
})

test('the admin profile of an account with an unverified email address says email_verified: false', async () => {
  const email = newEmail()
  await server.register(email)
  const { id } = await server.rowOf(email)
  expect((await boss.profile(id)).body).toMatchObject({ email_verified: false, last_login_at: null, widgets: 0 })
})

test('admin profile and admin subscriptions answer 404 for an id that belongs to no account', async () => {
  const aGuest = server.guest()
  const { id: widget } = await aGuest.add('bitcoin', 'ethereum')
  for (const id of [randomUUID(), widget]) {
    for (const answer of [await boss.profile(id), await boss.subscriptions(id)]) {
      expect([answer.status, answer.body.error_code]).toEqual([404, 'NOT_FOUND'])
    }
  }
  expect((await boss.subscriptions((await server.user()).id)).body).toEqual([])
})

test('users and guests get the same 403 from admin calls, whether or not the input is valid and the account exists', async () => {
  const [me, aGuest] = [await server.user({ premium: true }), server.guest()]
  const calls = [
    ['GET', '/admin/users?skip=x'],
    ['GET', '/admin/users/no-id'],
    ['GET', `/admin/users/${randomUUID()}`],
    ['POST', `/admin/users/${me.id}/grant-premium`, { days: 'x' }],
    ['POST', `/admin/users/${randomUUID()}/revoke-premium`],
    ['GET', '/admin/overview'],
  ] as const
  for (const [method, path, body] of calls) {
    for (const person of [me, aGuest]) {
      const answer = await person.ask(method, path, body)
      expect([path, answer.status, answer.body]).toEqual([
        path,
        403,
        { detail: 'Only for superusers.', error_code: 'FORBIDDEN' },
      ])
    }
  }
})

test('admin calls refuse a superuser whose account is disabled or whose session has ended', async () => {
  const other = await server.operator()
  expect((await other.search('')).status).toBe(200)
  await server.setUser(other.id, { is_active: false })
  expect((await other.search('')).body.error_code).toBe('TOKEN_EXPIRED')
  await server.setUser(other.id, { is_active: true })
  await other.ask('POST', '/users/me/delete-oauth')
  expect((await other.grant(boss.id)).body.error_code).toBe('TOKEN_EXPIRED')
})
