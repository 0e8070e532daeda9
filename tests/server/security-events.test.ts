import { eq } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import type { MyData } from '../../src/contract/my-data'
import { SECURITY_EVENTS, type SecurityEvent } from '../../src/contract/security-events'
import type { TokenAnswer } from '../../src/contract/session'
import { MAX_SECURITY_EVENTS } from '../../src/domain/account'
import { DAY } from '../../src/domain/granularity'
import { coarseNetwork, addressKeys } from '../../server/http/addresses'
import { audit_log } from '../../server/db/schema/users'
import { security_events } from '../../server/db/schema/security-events'
import { changeSuperuser, removePasskeys } from '../../server/services/admin/superusers'
import { MAX_OF_ONE_OWNER } from '../../server/services/kept-for'
import { removeOutdated } from '../../server/services/retention'
import { recordSecurityEvent } from '../../server/services/security-events'
import { bearer, newEmail, PASSWORD } from './support/accounts'
import { auditOf, type Operator } from './support/admin'
import { confirmed } from './support/confirmed'
import { googleScene } from './support/google-scene'
import { callback } from './support/google-browser'
import { addPasskey, firstStep, secondStep } from './support/passkeys'

const { server, goAndComeBack, signIn } = googleScene()
beforeEach(() => server.reset())

const PHONE = {
  'user-agent':
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36',
}

const eventsOf = async ({ access_token }: TokenAnswer, query = '?limit=100') =>
  server.ask<SecurityEvent[]>('GET', `/users/me/security-events${query}`, undefined, bearer(access_token))
/** Kinds that the database holds of an account, oldest first, whoever is logged in. */
async function kindsOf(email: string): Promise<string[]> {
  const { id } = await server.rowOf(email)
  const rows = await server.database.orm
    .select({ kind: security_events.kind })
    .from(security_events)
    .where(eq(security_events.user_id, id))
    .orderBy(security_events.at)
  return rows.map(({ kind }) => kind)
}
/** Each step has a time of its own, by which the events are ordered. */
async function inTurn(...steps: readonly (() => Promise<unknown>)[]): Promise<void> {
  for (const step of steps) {
    server.clock.advance(1000)
    await step()
  }
}
const as =
  ({ access_token }: TokenAnswer) =>
  (method: 'POST' | 'DELETE', path: string, body?: object) =>
    server.ask(method, path, body, bearer(access_token))

test('a login is listed with its time, its browser and the coarse network of its address, never with the address', async () => {
  const email = await server.member()
  server.clock.advance(1000)
  const { body } = await server.logIn(email, PASSWORD, '203.0.113.77', PHONE)
  const answer = await eventsOf(body)
  expect([answer.status, answer.headers['x-total-count'], answer.headers['cache-control']]).toEqual([
    200,
    '2',
    'no-store',
  ])
  expect(answer.body).toEqual([
    {
      id: expect.any(String),
      at: new Date(server.clock()).toISOString(),
      kind: 'signed-in-password',
      about: null,
      browser: 'Chrome on Android',
      network: '203.0.113.0/24',
    },
    expect.objectContaining({ kind: 'email-verified', browser: null }),
  ])
  expect(JSON.stringify(await server.rows(security_events))).not.toContain('203.0.113.77')
})

test.each([
  ['203.0.113.77', '203.0.113.0/24'],
  ['::ffff:203.0.113.77', '203.0.113.0/24'],
  ['203.0.113.77:4711', '203.0.113.0/24'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
  ['no address', null],
])('the address %s is shown as the network %s', (ip, network) => {
  expect(coarseNetwork(addressKeys(ip))).toBe(network)
})

test('passwords, sessions and the end of an account leave an event each', async () => {
  const email = await server.member()
  let desk!: TokenAnswer
  let phone!: TokenAnswer
  await inTurn(
    async () => void (desk = await server.session(email)),
    async () => void (phone = (await server.logIn(email, PASSWORD, '127.0.0.1', PHONE)).body),
    async () => {
      const { body } = await server.ask<{ id: string; is_current: boolean }[]>(
        'GET',
        '/users/me/sessions',
        undefined,
        bearer(desk.access_token),
      )
      const other = body.find(({ is_current }) => !is_current)!
      await as(desk)('DELETE', `/users/me/sessions/${other.id}`)
      // Over already: nothing happens, and nothing is noted.
      await as(desk)('DELETE', `/users/me/sessions/${other.id}`)
    },
    () => server.session(email),
    () => as(desk)('DELETE', '/users/me/sessions'),
    // No other session is left.
    () => as(desk)('DELETE', '/users/me/sessions'),
    () =>
      as(desk)('POST', '/users/me/change-password', {
        current_password: PASSWORD,
        new_password: 'another long phrase',
      }),
    () => server.logOut(desk.refresh_token),
    async () => server.resetTo(await server.link(email, 'reset-password'), PASSWORD),
    async () => void (desk = await server.session(email)),
    () => as(desk)('DELETE', '/users/me', { password: PASSWORD }),
  )
  expect(phone.access_token).not.toBe(desk.access_token)
  expect(await kindsOf(email)).toEqual([
    'email-verified',
    'signed-in-password',
    'signed-in-password',
    'session-ended',
    'signed-in-password',
    'other-sessions-ended',
    'password-changed',
    'logged-out',
    'password-reset',
    'signed-in-password',
    'deletion-scheduled',
  ])
  const named = await server.rows(security_events, eq(security_events.kind, 'session-ended'))
  expect(named).toMatchObject([{ about: 'Chrome on Android' }])
  server.clock.advance(1000)
  await server.session(email)
  expect((await kindsOf(email)).slice(-2).toSorted()).toEqual(['deletion-cancelled', 'signed-in-password'])
})

test('passkeys, recovery codes and a second factor that failed leave an event each', async () => {
  const email = await server.member()
  const first = await server.session(email)
  const { key, added } = await addPasskey(server, first)
  await inTurn(
    async () => {
      const { ticket, options } = await firstStep(server, email)
      await secondStep(server, { ticket, assertion: key.get({ challenge: options.challenge }) })
    },
    async () => {
      const { ticket } = await firstStep(server, email)
      expect((await secondStep(server, { ticket, recovery_code: 'AAAA-AAAA-AAAA-AAAA-AAAA' })).status).toBe(403)
      server.clock.advance(1000)
      await secondStep(server, { ticket, recovery_code: added.recovery_codes![0]! })
    },
    () => as(first)('POST', '/users/me/recovery-codes', {}),
    () => as(first)('DELETE', `/users/me/passkeys/${added.passkey.id}`),
    async () => {
      await addPasskey(server, first)
      server.clock.advance(1000)
      await removePasskeys(server.database, email, server.clock())
    },
  )
  expect((await kindsOf(email)).slice(2)).toEqual([
    'passkey-added',
    'signed-in-passkey',
    'second-factor-failed',
    'signed-in-recovery-code',
    'recovery-codes-renewed',
    'passkey-removed',
    'passkey-added',
    'passkeys-removed-by-operator',
  ])
  const removed = await server.rows(security_events, eq(security_events.kind, 'passkey-removed'))
  expect(removed).toMatchObject([{ about: 'My key' }])
})

test('Google linked and unlinked, and a login with it, leave an event each', async () => {
  const email = await server.member()
  const session = await server.session(email)
  const user = { sub: 'g-1', email: newEmail(), email_verified: true }
  await inTurn(
    async () => void (await as(session)('POST', '/users/me/google', await goAndComeBack(user))),
    async () => expect((await signIn(user)).status).toBe(200),
    () => as(session)('DELETE', '/users/me/google'),
  )
  expect((await kindsOf(email)).slice(2)).toEqual(['google-linked', 'signed-in-google', 'google-unlinked'])
  const made = { sub: 'g-2', email: newEmail(), email_verified: true }
  await callback(server, await goAndComeBack(made))
  expect(await kindsOf(made.email)).toEqual(['signed-in-google'])
})

test('the rights of a superuser leave an event that names neither browser nor network of who gave them', async () => {
  const email = await server.member()
  await changeSuperuser(server.database, { ADMIN_EMAILS: [] }, 'appoint', email, server.clock() + 1)
  await changeSuperuser(server.database, { ADMIN_EMAILS: [] }, 'dismiss', email, server.clock() + 2)
  expect((await kindsOf(email)).slice(1)).toEqual(['superuser-appointed', 'superuser-dismissed'])
})

test('a superuser ends all sessions of an account: they are refused at once, the audit log and the user’s own events say so', async () => {
  const boss: Operator = await server.operator()
  await confirmed(server, boss)
  const email = await server.member()
  const [one, two] = [await server.session(email), await server.session(email)]
  const other = await server.session(await server.member())
  const { id } = await server.rowOf(email)
  server.clock.advance(1000)
  expect((await boss.ask('DELETE', `/admin/users/${id}/sessions`)).status).toBe(204)
  const lives = async ({ refresh_token }: TokenAnswer) => (await server.refresh(refresh_token)).status
  expect([await lives(one), await lives(two), await lives(other)]).toEqual([401, 401, 200])
  expect((await server.me(one.access_token)).status).toBe(401)
  expect(await auditOf(server, id)).toEqual(['end-sessions'])
  expect((await kindsOf(email)).at(-1)).toBe('sessions-ended-by-operator')
  const told = await server.rows(security_events, eq(security_events.kind, 'sessions-ended-by-operator'))
  expect(told).toMatchObject([{ browser: null, network: null }])
})

test('sessions are ended for nobody but a superuser who has just shown who they are', async () => {
  const boss = await server.operator()
  const email = await server.member()
  const mine = await server.session(email)
  const { id } = await server.rowOf(email)
  const path = `/admin/users/${id}/sessions`
  expect((await server.ask('DELETE', path, undefined, bearer(mine.access_token))).body).toMatchObject({
    error_code: 'FORBIDDEN',
  })
  server.clock.advance(DAY)
  expect((await boss.ask('DELETE', path)).body).toMatchObject({ error_code: 'FRESH_SIGN_IN_REQUIRED' })
  expect((await server.refresh(mine.refresh_token)).status).toBe(200)
  expect(await server.rows(audit_log, eq(audit_log.target_id, id))).toEqual([])
})

test('events are in the user’s own data, belong to one account alone, and go with it', async () => {
  const email = await server.member()
  const mine = await server.session(email)
  const other = await server.session(await server.member())
  const { body } = await server.ask<MyData>('GET', '/me/data', undefined, bearer(mine.access_token))
  expect(body.security_events?.map(({ kind }) => kind).toSorted()).toEqual(['email-verified', 'signed-in-password'])
  expect((await eventsOf(other)).body).toHaveLength(2)
  await as(mine)('DELETE', '/users/me', { password: PASSWORD })
  const { id } = await server.rowOf(email)
  await server.database.pool.query('DELETE FROM owners WHERE id = $1', [id])
  expect(await server.rows(security_events, eq(security_events.user_id, id))).toEqual([])
  expect((await eventsOf(other)).body).toHaveLength(2)
})

test('events are kept for 90 days, and of one account and kind two hundred, of which none that is repeated hides another or one from another network', async () => {
  const email = await server.member()
  const { id } = await server.rowOf(email)
  await server.database.pool.query(
    `INSERT INTO security_events (user_id, at, kind) SELECT $1, $2::timestamptz + n * interval '1 second', 'logged-out'
     FROM generate_series(1, 1200) n`,
    [id, new Date(server.clock())],
  )
  const at = new Date(server.clock())
  await server.database.orm.insert(security_events).values({ user_id: id, at, kind: 'logged-out', network: 'another' })
  await recordSecurityEvent(server.database.orm, { userId: id, kind: 'passkey-added' }, server.clock())
  server.clock.advance(1201_000)
  await recordSecurityEvent(server.database.orm, { userId: id, kind: 'logged-out' }, server.clock())
  const events = await server.rows(security_events, eq(security_events.user_id, id))
  const kinds = events.map(({ kind }) => kind)
  expect(events.map(({ network }) => network)).toContain('another')
  expect(kinds.filter((kind) => kind === 'logged-out')).toHaveLength(200)
  expect(kinds).toContain('passkey-added')
  // All can be listed.
  expect(MAX_OF_ONE_OWNER.securityEventsOfKind * SECURITY_EVENTS.length).toBeLessThanOrEqual(MAX_SECURITY_EVENTS)
  const session = await server.session(email)
  server.clock.advance(1000)
  const page = await eventsOf(session, '?skip=1&limit=2')
  expect([page.headers['x-total-count'], page.body.length]).toEqual([String(kinds.length + 1), 2])
  await removeOutdated(server.database, 'expire-security-events', server.clock() + 90 * DAY - 1500)
  expect(await server.database.orm.$count(security_events)).toBe(2)
})

test('an event of a newer version is listed as another one, and refuses nothing', async () => {
  const session = await server.session(await server.member())
  await server.database.pool.query(`UPDATE security_events SET kind = 'written-by-the-future'`)
  expect(new Set((await eventsOf(session)).body.map(({ kind }) => kind))).toEqual(new Set(['other']))
})
