// @module-tag both-engines
import { beforeEach, describe, expect, test } from 'vitest'
import { eq, getTableColumns, getTableName, sql } from 'drizzle-orm'
import { DAY } from '../../src/domain/granularity'
import { push_subscriptions } from '../../server/db/schema/alerts'
import { mail_tokens } from '../../server/db/schema/mail'
import { passkey_challenges, passkeys, recovery_codes, refresh_tokens, sessions } from '../../server/db/schema/sessions'
import { security_events } from '../../server/db/schema/security-events'
import { users } from '../../server/db/schema/users'
import { WAYS_IN } from '../../server/services/accounts/ways-in'
import { bearer, deviceHeader, newEmail, PASSWORD } from './support/accounts'
import { googleScene } from './support/google-scene'
import { addPasskey, beginConfirmation, firstStep, passkeysOf, passkeySession, secondStep } from './support/passkeys'
import { subscription } from './support/subscription'
import { waitingFor } from './support/waiting'

const HOST = 'push.example.com'
const { server, goAndComeBack, signIn } = googleScene({ PUSH_ALLOWED_HOSTS: HOST })
beforeEach(async () => {
  await server.reset()
  // The provider's times are of this machine's clock.
  server.clock.advance(Date.now() - server.clock())
})

const NEW = 'a password that no thief knows'
const reset = async (email: string) => server.resetTo(await server.link(email, 'reset-password'), NEW)
const GMAIL = { sub: 'google-thief', email: 'thief@gmail.com', email_verified: true }

/** A thief who once knew the password takes all that an account can give. */
async function thiefIn(email: string) {
  const session = await server.session(email)
  const token = session.access_token
  const { key, added } = await addPasskey(server, session)
  await server.post('/users/me/google', await goAndComeBack(GMAIL), bearer(token))
  await server.post('/push/subscribe', subscription(`https://${HOST}/thief`), bearer(token))
  // As an earlier version stored it: of no session, and so not gone with one.
  await server.database.orm.update(push_subscriptions).set({ session_id: null })
  const half = await firstStep(server, email)
  const confirmation = await beginConfirmation(server, token)
  const verification = await server.link(email, 'verify-email')
  const link = await server.link(email, 'reset-password')
  return { session, key, added, half, confirmation, verification, link }
}

test('after a reset by mail nothing that a thief has taken opens the account, and its owner signs in with the new password alone', async () => {
  const email = await server.member()
  const thief = await thiefIn(email)
  const answer = await reset(email)
  expect(await server.rows(passkey_challenges)).toEqual([])
  expect(answer.body.message).toContain('Passkeys that somebody else may have added are removed')

  const { session, key, added, half, confirmation, verification, link } = thief
  const headers = { ...bearer(session.access_token), ...deviceHeader(session.device_token) }
  const tried = {
    session: (await server.me(session.access_token)).status,
    refresh: (await server.refresh(session.refresh_token)).body.error_code,
    password: (await server.logIn(email, PASSWORD)).body.error_code,
    'half a sign-in': (await secondStep(server, { ticket: half.ticket, assertion: key.get(half.options) })).status,
    'half a sign-in with a recovery code': (
      await secondStep(server, { ticket: half.ticket, recovery_code: added.recovery_codes?.[0] })
    ).status,
    'half a confirmation': (
      await server.post(
        '/auth/confirm',
        { method: 'passkey', ticket: confirmation.ticket, assertion: key.get(confirmation.options) },
        headers,
      )
    ).status,
    'the link of another reset': (await server.resetTo(link, PASSWORD)).body.error_code,
    'a new subscription': (await server.post('/push/subscribe', subscription(`https://${HOST}/again`), headers)).status,
  }
  expect(tried).toEqual({
    session: 401,
    refresh: 'INVALID_REFRESH_TOKEN',
    password: 'INVALID_CREDENTIALS',
    'half a sign-in': 403,
    'half a sign-in with a recovery code': 403,
    'half a confirmation': 401,
    'the link of another reset': 'INVALID_LINK',
    'a new subscription': 401,
  })
  const me = (await server.rowOf(email)).id
  expect((await signIn(GMAIL)).body.user?.id).not.toBe(me)
  await server.verify(verification, { password: PASSWORD })
  expect((await server.logIn(email, PASSWORD)).body.error_code).toBe('INVALID_CREDENTIALS')
  const left: Record<string, number> = {}
  for (const [name, { table, account }] of Object.entries(WAYS_IN)) {
    left[name] = (await server.rows(table as typeof sessions, eq(account, me))).length
  }
  // The browser of the reset, and links that say that the address is verified.
  expect(left).toEqual({
    ...Object.fromEntries(Object.keys(WAYS_IN).map((name) => [name, 0])),
    knownDevices: 1,
    mailTokens: 2,
  })
  expect((await server.rows(mail_tokens)).map(({ purpose, used_at }) => [purpose, used_at !== null])).toEqual([
    ['verify-email', true],
    ['verify-email', true],
  ])
  expect(await server.mailsTo(email)).toEqual(
    expect.arrayContaining(['password-changed', 'passkey-removed', 'google-unlinked']),
  )
  const owner = await server.session(email, NEW)
  expect((await passkeysOf(server, owner.access_token)).body).toMatchObject({ passkeys: [], recovery_codes_left: 0 })
})

test('a reset by mail is not refused because a thief who has linked a Google account is just refreshing', async () => {
  const email = await server.member()
  const { link } = await thiefIn(email)
  const { orm } = server.database
  const { resetting } = await orm.transaction(async (tx) => {
    const [held] = await tx.select().from(sessions).for('update')
    const resetting = server.resetTo(link, NEW)
    await waitingFor(server.database, tx)
    const token = { token_hash: 'next', session_id: held!.id, user_id: held!.user_id, expires_at: new Date() }
    await tx.insert(refresh_tokens).values(token)
    return { resetting }
  })
  expect((await resetting).status).toBe(200)
})

test('a reset keeps a passkey that is older than a week and asks for it, but no newer one and no recovery code', async () => {
  const email = await server.member()
  const first = await server.session(email)
  const { key, added } = await addPasskey(server, first)
  server.clock.advance(7 * DAY + 1)
  const again = await passkeySession(server, email, key)
  const { key: young } = await addPasskey(server, again)
  expect((await reset(email)).body.message).toContain('Your recovery codes no longer work')

  const half = () => firstStep(server, email, NEW)
  const asked = await half()
  expect((await secondStep(server, { ticket: asked.ticket, assertion: young.get(asked.options) })).status).toBe(403)
  const coded = await half()
  const [code] = added.recovery_codes ?? []
  expect((await secondStep(server, { ticket: coded.ticket, recovery_code: code })).status).toBe(403)
  const kept = await half()
  const owner = await secondStep(server, { ticket: kept.ticket, assertion: key.get(kept.options) })
  expect(owner.status).toBe(200)
  expect((await passkeysOf(server, owner.body.access_token)).body).toMatchObject({
    passkeys: [{ id: added.passkey.id }],
    recovery_codes_left: 0,
  })
})

test('a reset of an account whose address nobody has ever proven removes its passkeys, however old, and its link with Google', async () => {
  const outsider = { sub: 'google-outsider', email: 'ann@company.example', email_verified: true }
  const { body } = await signIn(outsider)
  await addPasskey(server, body)
  server.clock.advance(100 * DAY)
  await reset('ann@company.example')
  expect((await server.session('ann@company.example', NEW)).user).toMatchObject({
    has_passkeys: false,
    has_google: false,
  })
})

test('a reset keeps a Google account that was linked more than a week ago, or that runs the mailbox itself', async () => {
  const email = await server.member()
  await server.post('/users/me/google', await goAndComeBack(GMAIL), bearer((await server.session(email)).access_token))
  server.clock.advance(7 * DAY + 1)
  await reset(email)
  expect((await server.rowOf(email)).google_subject).toBe(GMAIL.sub)
  expect(await server.mailsTo(email)).not.toContain('google-unlinked')

  const own = { sub: 'google-own', email: 'bob@gmail.com', email_verified: true }
  await server.member(own.email)
  await signIn(own)
  await reset(own.email)
  expect((await server.rowOf(own.email)).google_subject).toBe(own.sub)
})

test('Google’s takeover of an account that nobody has verified leaves nothing that the first one set', async () => {
  const own = { sub: 'google-own', email: 'ann@gmail.com', email_verified: true }
  await server.member(own.email)
  await thiefIn(own.email)
  // As a database of an earlier version may hold it.
  await server.setUser(own.email, { email_verified_at: null, google_subject: null })
  const { body } = await signIn(own)
  expect(body.user).toMatchObject({ has_passkeys: false, has_password: false })
  for (const table of [passkeys, recovery_codes, passkey_challenges, push_subscriptions]) {
    expect(await server.rows(table)).toEqual([])
  }
  expect(await server.rows(sessions)).toHaveLength(1)
})

/** An account of a stranger, who told the reader of its mailbox the password that the mail's link asks for. */
async function strangersAccount(email: string) {
  await server.register(email)
  await server.verify(await server.link(email, 'verify-email'), { password: PASSWORD })
  const session = await server.session(email)
  const { key } = await addPasskey(server, session)
  server.clock.advance(8 * DAY)
  return { session: await passkeySession(server, email, key), key }
}

test('a reset removes a passkey of a stranger whose password the reader of the mail entered beside its link, however old', async () => {
  const email = newEmail()
  await strangersAccount(email)
  await reset(email)
  expect((await server.session(email, NEW)).user).toMatchObject({ has_passkeys: false })
})

test('Google’s sign-in leaves no password, passkey or session of a stranger whose password its reader entered beside a mail’s link', async () => {
  const own = { sub: 'google-own', email: 'ann@gmail.com', email_verified: true }
  const { session } = await strangersAccount(own.email)
  const { body } = await signIn(own)
  expect(body.user).toMatchObject({ id: session.user?.id, has_passkeys: false, has_password: false, has_google: true })
  expect((await server.refresh(session.refresh_token)).status).toBe(401)
  expect((await server.logIn(own.email, PASSWORD)).body.error_code).toBe('INVALID_CREDENTIALS')
  expect(await server.mailsTo(own.email)).toEqual(expect.arrayContaining(['google-linked', 'passkey-removed']))
  // Proven from now on: what the owner sets stays.
  await reset(own.email)
  const mine = await server.session(own.email, NEW)
  await signIn(own)
  expect((await server.refresh(mine.refresh_token)).status).toBe(200)
})

test('Google’s sign-in ends a password that may be a stranger’s also where its reader has linked Google with it in Settings', async () => {
  const own = { sub: 'google-own', email: 'ann@gmail.com', email_verified: true }
  await server.register(own.email)
  await server.verify(await server.link(own.email, 'verify-email'), { password: PASSWORD })
  const session = await server.session(own.email)
  await server.post('/users/me/google', await goAndComeBack(own), bearer(session.access_token))
  expect((await signIn(own)).body.user).toMatchObject({ has_password: false, has_google: true })
  expect((await server.refresh(session.refresh_token)).status).toBe(401)
  expect((await server.rows(security_events)).map(({ kind }) => kind)).toContain('google-alone')
})

test('Google’s sign-in takes an account that was never proven from a stranger who has linked a Google account of theirs with it', async () => {
  const own = { sub: 'google-own', email: 'ann@gmail.com', email_verified: true }
  const { session } = await strangersAccount(own.email)
  const theirs = { sub: 'google-stranger', email: 'stranger@gmail.com', email_verified: true }
  await server.post('/users/me/google', await goAndComeBack(theirs), bearer(session.access_token))
  expect((await signIn(own)).body.user).toMatchObject({ id: session.user?.id, has_password: false, has_google: true })
  expect((await server.rowOf(own.email)).google_subject).toBe(own.sub)
})

test('logging out everywhere else ends half of a sign-in and of a confirmation that another browser has begun', async () => {
  const email = await server.member()
  const own = await server.session(email)
  const { key } = await addPasskey(server, own)
  const other = await passkeySession(server, email, key)
  await beginConfirmation(server, other.access_token)
  const half = await firstStep(server, email)
  await beginConfirmation(server, own.access_token)
  await server.ask('DELETE', '/users/me/sessions', undefined, bearer(own.access_token))
  expect((await secondStep(server, { ticket: half.ticket, assertion: key.get(half.options) })).status).toBe(403)
  expect(await server.rows(passkey_challenges)).toHaveLength(1)
})

describe('list of the ways into an account', () => {
  /** Tables whose rows name a user, an owner or a session of theirs, and let nobody in. */
  const HARMLESS: Readonly<Record<string, string>> = {
    users: 'the account itself; its columns are below',
    owners: 'the owner of the account',
    owner_revisions: 'numbers',
    refresh_tokens: 'go with their session; used ones stay, and open nothing',
    audit_log: 'tells of the past',
    security_events: 'tells of the past',
    alert_events: 'tells of the past',
    alert_settings: 'what is told of',
    alert_rules: 'go with their pair',
    alert_channels: 'hear of crossings, open nothing, and stand in Settings',
    channel_deliveries: 'go with their channel',
    push_deliveries: 'go with their subscription',
    feedback: 'a text',
    mail_requests: 'a mail that goes to the account’s address',
    operations: 'keys of requests, good for their owner alone',
    widgets: 'pairs',
    checkpoints: 'pairs',
    subscriptions: 'what was paid for',
    billing_customers: 'the payment provider’s name for the user',
  }
  const COLUMNS_IN = ['google_added_at', 'google_subject', 'password_hash', 'registration_hash']
  const COLUMNS_HARMLESS =
    `id email email_verified_at password_proven owner_proven has_premium_access is_superuser is_active
    accepted_terms_version accepted_terms_at accepted_privacy_version accepted_privacy_at deletion_scheduled_at
    last_login_at`.split(/\s+/)
  const named: readonly string[] = Object.values(WAYS_IN).map(({ table }) => getTableName(table))

  test('the list of ways into an account names each table that refers to one, but those that let nobody in', async () => {
    const { rows } = await server.database.orm.execute<{ name: string; goes: boolean }>(sql`
      WITH RECURSIVE refers (name, goes) AS (
        SELECT 'owners'::regclass::oid, true
        UNION
        SELECT conrelid, confdeltype = 'c' FROM pg_constraint JOIN refers ON confrelid = refers.name WHERE contype = 'f')
      SELECT name::regclass::text AS name, bool_or(goes) AS goes FROM refers GROUP BY name ORDER BY 1`)
    expect(rows.map(({ name }) => name)).toEqual([...named, ...Object.keys(HARMLESS)].toSorted())
    // With the account they go by themselves.
    expect(rows.filter(({ name, goes }) => named.includes(name) && !goes)).toEqual([])
  })

  test('each column of an account’s own row is known to let somebody in or not', () => {
    expect(Object.keys(getTableColumns(users)).toSorted()).toEqual([...COLUMNS_IN, ...COLUMNS_HARMLESS].toSorted())
  })
})
