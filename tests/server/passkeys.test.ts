import { afterEach, expect, test } from 'vitest'
import { and, eq } from 'drizzle-orm'
import { DAY, MINUTE } from '../../src/domain/granularity'
import { mail_requests, mail_tokens } from '../../server/db/schema/mail'
import { hashOfSecret } from '../../server/services/secrets'
import { passkey_challenges, passkeys, recovery_codes } from '../../server/db/schema/sessions'
import { security_events } from '../../server/db/schema/security-events'
import { users } from '../../server/db/schema/users'
import { housekeeping } from '../../server/jobs/housekeeping'
import { writeMail } from '../../server/services/mail/queued-mail'
import { removeOutdated } from '../../server/services/retention'
import { removePasskeys } from '../../server/services/admin/superusers'
import { newAuthenticator } from '../support/authenticator'
import { bearer, deviceHeader } from './support/accounts'
import { withServer } from './support/for-file'
import { addPasskey, beginConfirmation, firstStep, passkeysOf, passkeySession, secondStep } from './support/passkeys'
import { testApp } from './support/test-app'
import { verdict } from './support/person'
import { trustClock } from './support/trusted-clock'

const PUBLIC_URL = 'http://localhost:8080'
const server = withServer({ env: { PUBLIC_URL } })
afterEach(() => server.reset())

const REFUSED = [403, 'SECOND_FACTOR_REFUSED']
const remove = (token: string, id: string) => server.ask('DELETE', `/users/me/passkeys/${id}`, undefined, bearer(token))

/** An account with a passkey. */
async function guarded() {
  const email = await server.member()
  const first = await server.session(email)
  const { key, added } = await addPasskey(server, first)
  return { email, first, key, added, codes: added.recovery_codes ?? [] }
}

test('the first passkey brings ten recovery codes once and a mail; the account then says that it has passkeys', async () => {
  const { email, first, added } = await guarded()
  expect(added.passkey).toMatchObject({ name: 'My key', last_used_at: null })
  expect(new Set(added.recovery_codes).size).toBe(10)
  for (const code of added.recovery_codes ?? []) expect(code).toMatch(/^([0-9A-Z]{5}-){4}[0-9A-Z]{5}$/)
  const stored = JSON.stringify(await server.rows(recovery_codes))
  expect(added.recovery_codes?.some((code) => stored.includes(code.replaceAll('-', '')))).toBe(false)
  expect(await server.mailsTo(email)).toContain('passkey-added')
  expect((await server.me(first.access_token)).body.has_passkeys).toBe(true)

  server.clock.advance(1000)
  const second = await addPasskey(server, first)
  expect(second.added.recovery_codes).toBeNull()
  expect((await passkeysOf(server, first.access_token)).body).toMatchObject({
    passkeys: [{ id: added.passkey.id }, { id: second.added.passkey.id }],
    recovery_codes_left: 10,
  })
})

const attempt = async (spoil: { challenge?: string; origin?: string; rpId?: string }) => {
  const { access_token } = await server.session(await server.member())
  const { body } = await server.post<{ ticket: string; options: { challenge: string } }>(
    '/users/me/passkeys/options',
    {},
    bearer(access_token),
  )
  const attestation = newAuthenticator(PUBLIC_URL).create({ challenge: body.options.challenge, ...spoil })
  return server.post('/users/me/passkeys', { ticket: body.ticket, name: 'Key', attestation }, bearer(access_token))
}
test.each([
  ['another challenge', { challenge: 'bm90LXRoZS1jaGFsbGVuZ2U' }],
  ['the origin of another site', { origin: 'https://evil.example' }],
  ['the relying party of another site', { rpId: 'evil.example' }],
])('a new passkey made for %s is refused and not stored', async (_what, spoil) => {
  expect(verdict(await attempt(spoil))).toEqual(REFUSED)
  expect(await server.rows(passkeys)).toEqual([])
  expect((await attempt({})).status).toBe(201)
})

test('the ticket of a new passkey works once, in the session that asked, within five minutes', async () => {
  const email = await server.member()
  const [one, other] = [await server.session(email), await server.session(email)]
  const begin = async () =>
    (
      await server.post<{ ticket: string; options: { challenge: string } }>(
        '/users/me/passkeys/options',
        {},
        bearer(one.access_token),
      )
    ).body
  const finish = (token: string, { ticket, options }: Awaited<ReturnType<typeof begin>>) =>
    server.post(
      '/users/me/passkeys',
      { ticket, name: 'Key', attestation: newAuthenticator(PUBLIC_URL).create(options) },
      bearer(token),
    )
  expect(verdict(await finish(other.access_token, await begin()))).toEqual(REFUSED)
  const used = await begin()
  expect((await finish(one.access_token, used)).status).toBe(201)
  expect(verdict(await finish(one.access_token, used))).toEqual(REFUSED)
  const late = await begin()
  server.clock.advance(5 * MINUTE)
  expect(verdict(await finish(one.access_token, late))).toEqual(REFUSED)
})

test('a passkey of one account cannot be added to another, and an eleventh passkey is refused', async () => {
  const { key } = await guarded()
  const other = await server.session(await server.member())
  await expect(addPasskey(server, other, key)).rejects.toThrow('PASSKEY_EXISTS')
  for (let made = 0; made < 10; made++) await addPasskey(server, other)
  const eleventh = await server.post('/users/me/passkeys/options', {}, bearer(other.access_token))
  expect(verdict(eleventh)).toEqual([409, 'PASSKEY_LIMIT_REACHED'])
})

test('the right password gives no tokens but a challenge and a sentence, and the passkey gives the tokens', async () => {
  const { email, key } = await guarded()
  const { status, body } = await server.logIn(email)
  expect([status, body.error_code, body.access_token]).toEqual([403, 'SECOND_FACTOR_REQUIRED', undefined])
  expect(body.detail).toBe('This account is protected by a passkey. Reload the app to update it, then log in again.')
  const signedIn = await passkeySession(server, email, key)
  expect((await server.me(signedIn.access_token)).status).toBe(200)
  const [{ last_used_at } = { last_used_at: null }] = (await passkeysOf(server, signedIn.access_token)).body.passkeys
  expect(last_used_at).toBe(new Date(server.clock()).toISOString())
})

test('a wrong password to an account with a passkey is told as any other wrong password', async () => {
  const { email } = await guarded()
  expect(verdict(await server.logIn(email, 'not the password'))).toEqual([401, 'INVALID_CREDENTIALS'])
})

test.each([
  ['another challenge', () => ({ challenge: 'bm90LXRoZS1jaGFsbGVuZ2U' })],
  ['the origin of another site', () => ({ origin: 'https://evil.example' })],
  ['the relying party of another site', () => ({ rpId: 'evil.example' })],
])('an assertion for %s is refused and uses its ticket up', async (_what, spoil) => {
  const { email, key } = await guarded()
  const { ticket, options } = await firstStep(server, email)
  const wrong = key.get({ challenge: options.challenge, ...spoil() })
  expect(verdict(await secondStep(server, { ticket, assertion: wrong }))).toEqual(REFUSED)
  const right = key.get({ challenge: options.challenge })
  expect(verdict(await secondStep(server, { ticket, assertion: right }))).toEqual(REFUSED)
})

test('an assertion that was accepted is refused when it is replayed, with its own ticket and with a new one', async () => {
  const { email, key } = await guarded()
  const { ticket, options } = await firstStep(server, email)
  const assertion = key.get({ challenge: options.challenge })
  expect((await secondStep(server, { ticket, assertion })).status).toBe(200)
  expect(verdict(await secondStep(server, { ticket, assertion }))).toEqual(REFUSED)
  const again = await firstStep(server, email)
  expect(verdict(await secondStep(server, { ticket: again.ticket, assertion }))).toEqual(REFUSED)
})

test('of five identical answers to one challenge at the same time one signs in', async () => {
  const { email, key } = await guarded()
  const { ticket, options } = await firstStep(server, email)
  const assertion = key.get({ challenge: options.challenge })
  const answers = await Promise.all(Array.from({ length: 5 }, () => secondStep(server, { ticket, assertion })))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 403, 403, 403, 403])
})

test("another account's passkey and a passkey nobody has added are refused", async () => {
  const [ann, bob] = [await guarded(), await guarded()]
  for (const key of [bob.key, newAuthenticator(PUBLIC_URL)]) {
    const { ticket, options } = await firstStep(server, ann.email)
    const assertion = key.get({ challenge: options.challenge })
    expect(verdict(await secondStep(server, { ticket, assertion }))).toEqual(REFUSED)
  }
})

test('a passkey whose signature counter did not grow is refused as a copy', async () => {
  const { email, key } = await guarded()
  const at = async (counter: number) => {
    const { ticket, options } = await firstStep(server, email)
    return (await secondStep(server, { ticket, assertion: key.get({ challenge: options.challenge, counter }) })).status
  }
  expect([await at(7), await at(7), await at(3), await at(8)]).toEqual([200, 403, 403, 200])
})

test('a sign-in ticket ends after five minutes and with a new password, and is good for nothing else', async () => {
  const { email, key, first } = await guarded()
  const answer = async (wait: () => Promise<unknown>) => {
    const { ticket, options } = await firstStep(server, email)
    const assertion = key.get({ challenge: options.challenge })
    await wait()
    return verdict(await secondStep(server, { ticket, assertion }))
  }
  const { ticket, options } = await firstStep(server, email)
  const assertion = key.get({ challenge: options.challenge })
  const confirming = { method: 'passkey', ticket, assertion }
  expect(verdict(await server.post('/auth/confirm', confirming, bearer(first.access_token)))).toEqual(REFUSED)

  expect(await answer(async () => server.clock.advance(5 * MINUTE))).toEqual(REFUSED)
  const token = await server.link(email, 'reset-password')
  expect(await answer(() => server.resetTo(token, 'another correct horse'))).toEqual(REFUSED)
})

test('a disabled account with a passkey is told so before a passkey is asked for', async () => {
  const { email } = await guarded()
  await server.database.orm.update(users).set({ is_active: false })
  expect(verdict(await server.logIn(email))).toEqual([403, 'FORBIDDEN'])
})

test('an eleventh refused passkey in a minute is answered 429, but on a device that its owner knows', async () => {
  const { email, first, codes } = await guarded()
  const { ticket } = await firstStep(server, email)
  const strict = await testApp({
    database: server.database,
    env: { PUBLIC_URL, RATE_LIMIT_FACTOR: '1' },
    deps: { clock: server.clock },
  })
  const guess = (recovery_code = '00000-00000-00000-00000', device?: string) =>
    strict.post('/auth/passkey', { ticket, recovery_code }, deviceHeader(device))
  for (let tried = 0; tried < 10; tried++) expect((await guess()).status).toBe(403)
  expect((await guess(codes[0])).status).toBe(429)
  for (let tried = 0; tried < 9; tried++) expect((await guess(undefined, first.device_token)).status).toBe(403)
  expect((await guess(codes[0], first.device_token)).status).toBe(200)
  await strict.close()
})

test('a recovery code signs in once, may be typed carelessly, leaves the passkeys, and is told by mail', async () => {
  const { email, codes } = await guarded()
  const [code = ''] = codes
  const typed = ` ${code.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l')}`
  const { ticket } = await firstStep(server, email)
  expect(verdict(await secondStep(server, { ticket, recovery_code: 'AAAAA-AAAAA-AAAAA-AAAAA' }))).toEqual(REFUSED)
  const signedIn = await secondStep(server, { ticket, recovery_code: typed })
  expect(signedIn.status).toBe(200)
  expect((await passkeysOf(server, signedIn.body.access_token)).body).toMatchObject({
    passkeys: [{}],
    recovery_codes_left: 9,
  })
  expect(await server.mailsTo(email)).toContain('recovery-code-used')
  const again = await firstStep(server, email)
  expect(verdict(await secondStep(server, { ticket: again.ticket, recovery_code: code }))).toEqual(REFUSED)
})

test('a recovery code of an earlier version, which was shorter, still signs in', async () => {
  const { email } = await guarded()
  const { id } = await server.rowOf(email)
  const code_hash = hashOfSecret(`${id} 0123456789ABCDEFGHJK`)
  await server.database.orm.insert(recovery_codes).values({ user_id: id, code_hash })
  const { ticket } = await firstStep(server, email)
  expect((await secondStep(server, { ticket, recovery_code: '01234-56789-ABCDE-FGHJK' })).status).toBe(200)
})

test("a recovery code of one account is refused for another account's sign-in", async () => {
  const [ann, bob] = [await guarded(), await guarded()]
  const { ticket } = await firstStep(server, ann.email)
  expect(verdict(await secondStep(server, { ticket, recovery_code: bob.codes[0] }))).toEqual(REFUSED)
})

test('new recovery codes make the ones before worthless', async () => {
  const { email, first, codes } = await guarded()
  const renewed = await server.post<{ recovery_codes: string[] }>(
    '/users/me/recovery-codes',
    {},
    bearer(first.access_token),
  )
  expect(renewed.status).toBe(200)
  const { ticket } = await firstStep(server, email)
  expect((await secondStep(server, { ticket, recovery_code: codes[0] })).status).toBe(403)
  expect((await secondStep(server, { ticket, recovery_code: renewed.body.recovery_codes[0] })).status).toBe(200)
})

/** The link in the mail that tells an address of its newest passkey. */
async function removalLink(email: string): Promise<string> {
  const [request] = await server.rows(
    mail_requests,
    and(eq(mail_requests.email, email), eq(mail_requests.kind, 'passkey-added')),
  )
  const mail = await writeMail(server, request!, server.clock())
  await server.database.orm.delete(mail_requests).where(eq(mail_requests.id, request!.id))
  return /\/remove-passkey\?token=([\w-]{43})\s/.exec(mail?.text ?? '')?.[1] ?? ''
}
const disown = (token: string) => server.post<{ message: string; email: string }>('/users/remove-passkey', { token })

test('the mail’s link removes the passkey it tells of, all sessions and recovery codes, once, and leaves older passkeys', async () => {
  const { email, first, key, codes } = await guarded()
  await removalLink(email)
  const thief = await passkeySession(server, email, key)
  server.clock.advance(1000)
  const { key: thiefs } = await addPasskey(server, thief)
  const token = await removalLink(email)
  const half = await firstStep(server, email)

  expect(await disown(token)).toMatchObject({ status: 200, body: { email } })
  expect([await disown(token)].map(verdict)).toEqual([[400, 'INVALID_LINK']])
  for (const { access_token } of [first, thief]) expect((await server.me(access_token)).status).toBe(401)
  expect((await secondStep(server, { ticket: half.ticket, assertion: thiefs.get(half.options) })).status).toBe(403)
  const asked = await firstStep(server, email)
  expect((await secondStep(server, { ticket: asked.ticket, recovery_code: codes[0] })).status).toBe(403)
  expect((await server.me((await passkeySession(server, email, key)).access_token)).status).toBe(200)
  expect(await server.mailsTo(email)).toContain('passkey-removed')
})

test('the link that removes a passkey ends after seven days, and works for nothing else', async () => {
  const { email } = await guarded()
  const token = await removalLink(email)
  for (const body of [
    { token, new_password: 'another correct horse' },
    { token, password: 'x' },
  ]) {
    const path = 'password' in body ? '/users/verify-email' : '/users/reset-password'
    expect(verdict(await server.post(path, body))).toEqual([400, 'INVALID_LINK'])
  }
  server.clock.advance(7 * DAY - 1)
  await removeOutdated(server.database, 'expire-mail-tokens', server.clock())
  expect(await server.rows(mail_tokens)).toHaveLength(1)
  server.clock.advance(1)
  expect(verdict(await disown(token))).toEqual([400, 'INVALID_LINK'])
  expect(await server.rows(passkeys)).toHaveLength(1)
})

test('the link of a passkey that a thief has removed meanwhile still ends the thief’s session, says so in the log, and leaves other passkeys', async () => {
  const { email, first, added } = await guarded()
  const token = await removalLink(email)
  await addPasskey(server, first)
  await remove(first.access_token, added.passkey.id)
  expect(await disown(token)).toMatchObject({ status: 200, body: { email } })
  expect((await server.me(first.access_token)).status).toBe(401)
  expect(await server.rows(security_events, eq(security_events.kind, 'sessions-ended-by-mail'))).toHaveLength(1)
  expect(await server.rows(passkeys)).toHaveLength(1)
  expect([await disown(token)].map(verdict)).toEqual([[400, 'INVALID_LINK']])
})

test('the mail of a new passkey names it, its device and its time, and holds a link also where the passkey is gone already', async () => {
  const { email, first, added } = await guarded()
  const [request] = await server.rows(mail_requests, eq(mail_requests.kind, 'passkey-added'))
  const mail = await writeMail(server, request!, server.clock())
  expect(mail?.text).toMatch(/The passkey “My key” was added to your account: .+ UTC, on an unknown browser\./)
  await remove(first.access_token, added.passkey.id)
  const [left] = await server.rows(mail_requests, eq(mail_requests.kind, 'passkey-added'))
  const other = await writeMail(server, left!, server.clock())
  expect(other?.text).toContain(`${PUBLIC_URL}/remove-passkey?token=`)
  expect(other?.text).not.toContain('My key')
  expect(email).toBe(mail?.to)
})

test('the last passkey takes the recovery codes with it, and the password alone signs in again', async () => {
  const { email, first, added } = await guarded()
  const second = await addPasskey(server, first)
  expect((await remove(first.access_token, added.passkey.id)).status).toBe(204)
  expect(await server.rows(recovery_codes)).toHaveLength(10)
  expect((await server.logIn(email)).status).toBe(403)
  expect((await remove(first.access_token, second.added.passkey.id)).status).toBe(204)
  expect(await server.rows(recovery_codes)).toEqual([])
  expect((await server.logIn(email)).status).toBe(200)
  expect(await server.mailsTo(email)).toContain('passkey-removed')
})

test("nobody removes another user's passkey", async () => {
  const ann = await guarded()
  const other = await server.session(await server.member())
  expect(verdict((await remove(other.access_token, ann.added.passkey.id)) as never)).toEqual([404, 'NOT_FOUND'])
  expect(await server.rows(passkeys)).toHaveLength(1)
})

test('the operator’s command removes all passkeys and recovery codes of an account, and a mail tells its owner', async () => {
  const { email } = await guarded()
  expect(await removePasskeys(server.database, email.toUpperCase(), server.clock())).toBe('done')
  expect(await removePasskeys(server.database, email, server.clock())).toBe('so-already')
  expect(await removePasskeys(server.database, 'nobody@example.com', server.clock())).toBe('no-account')
  expect((await server.logIn(email)).status).toBe(200)
  expect(await server.rows(recovery_codes)).toEqual([])
  expect(await server.mailsTo(email)).toContain('passkey-removed')
})

test('housekeeping removes challenges that were never answered, and no others', async () => {
  const { email, first } = await guarded()
  await firstStep(server, email)
  await beginConfirmation(server, first.access_token)
  const expire = housekeeping({ ...server, source: 'coingecko' }).find(({ name }) => name === 'expire-sessions')
  await trustClock(server)
  await expire?.run(new AbortController().signal)
  expect(await server.rows(passkey_challenges)).toHaveLength(2)
  server.clock.advance(5 * MINUTE + 1)
  await expire?.run(new AbortController().signal)
  expect(await server.rows(passkey_challenges)).toEqual([])
})

test('passkeys, challenges and recovery codes are deleted with their account', async () => {
  const { email } = await guarded()
  await firstStep(server, email)
  const { id } = await server.rowOf(email)
  await server.database.pool.query('DELETE FROM owners WHERE id = $1', [id])
  for (const table of [passkeys, recovery_codes, passkey_challenges]) {
    expect(await server.rows(table)).toEqual([])
  }
})
