import { eq } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { describe, expect, test } from 'vitest'
import { DAY, HOUR } from '../../src/domain/granularity'
import { mail_requests, mail_tokens } from '../../server/db/schema/mail'
import { users } from '../../server/db/schema/users'
import { appointAdministrators } from '../../server/services/admin/superusers'
import { removeUnverifiedAccounts } from '../../server/services/accounts/account-deletion'
import { verifyByLink } from '../../server/services/accounts/register'
import { removeOutdated } from '../../server/services/retention'
import { writeMail } from '../../server/services/mail/queued-mail'
import { bearer, newEmail, PASSWORD, type RegistrationProof } from './support/accounts'
import { withServer } from './support/for-file'

const ADMIN = ['boss@example.com', 'chief@example.com', 'head@example.com', 'old@example.com', 'older@example.com']

const server = withServer({ env: { ADMIN_EMAILS: ADMIN.join(','), RATE_LIMIT_FACTOR: '1' } })

const STRANGERS = 'the password of a stranger'
/** Each test asks from an address of its own, so that the limits by address do not add up over tests. */
let last = 0
const from = () => ({ 'x-forwarded-for': `198.51.100.${++last % 250}` })
interface Answer {
  readonly message: string
  readonly registration_secret?: string
}
const register = (email: string, password = PASSWORD) =>
  server.post<Answer>('/users/register', { email, password }, from())
const verify = (token: string, proof: RegistrationProof) =>
  server.post<Answer>('/users/verify-email', { token, ...proof }, from())
const isVerified = async (email: string) => (await server.rowOf(email)).email_verified_at !== null

/** Registers an address; the browser that did so keeps the secret. */
async function registered(email = newEmail(), password = PASSWORD) {
  const { status, body } = await register(email, password)
  if (status !== 201 || body.registration_secret === undefined) throw new Error(JSON.stringify(body))
  return { email, secret: body.registration_secret, token: await server.link(email, 'verify-email') }
}

const GOOGLE_ANSWER = {
  code: 'c',
  redirect_uri: 'http://localhost:8080/auth/google/callback',
  code_verifier: 'v'.repeat(43),
  nonce: 'n'.repeat(16),
}

/** The answer to a link whose address is verified, to every caller. */
const ALREADY = { message: 'Your email address is already verified. You can log in.' }

describe('verification link', () => {
  test('a verification link alone verifies nothing, asks for the password, and works afterwards', async () => {
    const { email, token } = await registered()
    for (let i = 0; i < 3; i++) {
      const asked = await verify(token, {})
      expect([asked.status, asked.body]).toEqual([
        403,
        { detail: expect.stringContaining('password'), error_code: 'PASSWORD_REQUIRED', email },
      ])
    }
    expect(await isVerified(email)).toBe(false)
    expect((await server.logIn(email)).body.error_code).toBe('EMAIL_NOT_VERIFIED')
    expect(await verify(token, { password: PASSWORD })).toMatchObject({ status: 200, body: { email } })
    expect((await server.logIn(email)).status).toBe(200)
  })

  test('the browser that registered verifies the address with its secret alone, once', async () => {
    const { email, token, secret } = await registered()
    const others = await registered()
    const proof = { registration_secrets: [others.secret, secret] }
    expect(await verify(token, proof)).toMatchObject({ status: 200, body: { email } })
    expect((await server.logIn(email)).status).toBe(200)
    expect((await verify(token, proof)).body).toEqual(ALREADY)
    expect((await server.rowOf(email)).registration_hash).toBeNull()
    expect(await isVerified(others.email)).toBe(false)
  })

  test('the secret of another registration verifies nothing and leaves the link usable', async () => {
    const [mine, others] = [await registered(), await registered()]
    const asked = await verify(mine.token, { registration_secrets: [others.secret, 'x'] })
    expect([asked.status, asked.body.error_code]).toEqual([403, 'PASSWORD_REQUIRED'])
    expect(await isVerified(mine.email)).toBe(false)
    expect((await verify(mine.token, { registration_secrets: [mine.secret] })).status).toBe(200)
  })

  test('a registration secret without a link verifies nothing', async () => {
    const { email, secret } = await registered()
    expect((await verify('x', { registration_secrets: [secret] })).body.error_code).toBe('INVALID_LINK')
    expect(await isVerified(email)).toBe(false)
  })

  test('a new link that another browser asked for works with the secret of the browser that registered', async () => {
    const { email, token, secret } = await registered()
    server.clock.advance(DAY)
    const proof = { registration_secrets: [secret] }
    expect((await verify(token, proof)).body.error_code).toBe('INVALID_LINK')
    expect((await verify(token, {})).body.error_code).toBe('INVALID_LINK')
    expect((await verify(token, { password: PASSWORD })).body.error_code).toBe('INVALID_LINK')
    await server.post('/users/resend-verification-email', { email }, from())
    expect((await verify(await server.link(email, 'verify-email'), proof)).status).toBe(200)
  })

  test('of several verification attempts at once with one link exactly one verifies, and the others hear so', async () => {
    const { token, secret } = await registered()
    const proofs = [
      { registration_secrets: [secret] },
      { password: PASSWORD },
      { registration_secrets: [secret] },
      { password: PASSWORD },
    ]
    const answers = await Promise.all(proofs.map((proof) => verify(token, proof)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(answers.filter(({ body }) => 'email' in body)).toHaveLength(1)
  })

  test.each(['the registration secret', 'the password'])(
    'an attempt with %s succeeds although another one verifies before any of its statements',
    async (proof) => {
      let step = 0
      let isOver = false
      while (!isOver) {
        step += 1
        const { token, secret } = await registered()
        const mine = proof === 'the password' ? { password: PASSWORD } : { registration_secrets: [secret] }
        let asked = 0
        // Statements outside the transaction, and the transaction's begin: inside, the account is held against others.
        const before =
          (name: 'query' | 'connect') =>
          async (...args: never[]): Promise<unknown> => {
            asked += 1
            if (asked === step) expect((await verify(token, { registration_secrets: [secret] })).status).toBe(200)
            return (server.database.pool[name] as (...args: never[]) => unknown).apply(server.database.pool, args)
          }
        const pool = new Proxy(server.database.pool, {
          get: (target, key) =>
            key === 'query' || key === 'connect' ? before(key) : (Reflect.get(target, key) as unknown),
        })
        const database = { ...server.database, pool, orm: drizzle(pool) }
        const address = await verifyByLink({ ...server, database, tokenKey: new Uint8Array(32) }, { token, ...mine })
        isOver = asked < step
        expect(address === null).toBe(!isOver)
      }
      expect(step).toBeGreaterThan(2)
    },
  )

  test('wrong passwords with a verification link are limited like logins, and the link stays usable', async () => {
    const { email, token, secret } = await registered()
    const answers = []
    for (let i = 0; i < 11; i++) answers.push(await verify(token, { password: `wrong ${i}` }))
    expect(answers.slice(0, 10).map(({ body }) => body.error_code)).toEqual(
      Array.from({ length: 10 }, () => 'INCORRECT_PASSWORD'),
    )
    const { status, headers } = answers[10]!
    expect([status, Number(headers['retry-after'])]).toEqual([429, expect.any(Number)])
    expect((await verify(token, { password: PASSWORD })).status).toBe(429)
    expect(await isVerified(email)).toBe(false)
    server.clock.advance(HOUR)
    expect((await verify(token, { password: 'wrong', registration_secrets: [secret] })).status).toBe(200)
  })

  test('the database does not contain registration secrets in plain text', async () => {
    const { email, secret } = await registered()
    expect(JSON.stringify(await server.rowOf(email))).not.toContain(secret)
  })
})

describe('an account whose address is not verified yet', () => {
  const secretHeader = (secret: string) => ({ ...from(), 'x-registration-secret': secret })
  const logInWith = (email: string, secret: string, password = PASSWORD) =>
    server.logIn(email, password, undefined, secretHeader(secret))

  test('it opens with its password in the browser that registered it, and in no other', async () => {
    const [{ email, secret }, other] = [await registered(), await registered()]
    expect(await logInWith(email, secret)).toMatchObject({ status: 200, body: { user: { email_verified: false } } })
    for (const wrong of ['', 'x', other.secret]) {
      expect((await logInWith(email, wrong)).body.error_code).toBe('EMAIL_NOT_VERIFIED')
    }
    const [wrong, unknown] = [await logInWith(email, secret, 'wrong'), await logInWith(newEmail(), secret)]
    expect([wrong.status, wrong.body]).toEqual([401, unknown.body])
  })

  test('its session goes on when the address is verified, which its user then reads', async () => {
    const { email, secret, token } = await registered()
    const { access_token } = (await logInWith(email, secret)).body
    expect((await server.me(access_token)).body.email_verified).toBe(false)
    await verify(token, { registration_secrets: [secret] })
    expect((await server.me(access_token)).body).not.toHaveProperty('email_verified')
  })

  test('a stranger who registered it is out when the reader of the mailbox sets a password', async () => {
    const { email, secret } = await registered(newEmail(), STRANGERS)
    const { access_token, refresh_token } = (await logInWith(email, secret, STRANGERS)).body
    await server.resetTo(await server.link(email, 'reset-password'), PASSWORD)
    expect((await server.me(access_token)).status).toBe(401)
    expect((await server.refresh(refresh_token)).status).toBe(401)
    expect((await logInWith(email, secret, STRANGERS)).body.error_code).toBe('INVALID_CREDENTIALS')
  })

  test.each([
    ['a passkey', '/users/me/passkeys/options', undefined],
    ['a link with Google', '/users/me/google', GOOGLE_ANSWER],
    ['Premium', '/subscriptions/create-checkout-session', undefined],
  ])('it gets no %s', async (_what, path, body) => {
    const { email, secret } = await registered()
    const { access_token } = (await logInWith(email, secret)).body
    const { status, body: answer } = await server.ask('POST', path, body, bearer(access_token))
    expect([status, answer.error_code]).toEqual([403, 'EMAIL_NOT_VERIFIED'])
  })

  test('its browser has it removed, also without a password', async () => {
    const { email, secret } = await registered()
    const { access_token } = (await logInWith(email, secret)).body
    await server.setUser(email, { password_hash: null })
    expect((await server.ask('POST', '/users/me/delete-oauth', undefined, bearer(access_token))).status).toBe(200)
    expect((await server.rowOf(email)).deletion_scheduled_at).not.toBeNull()
    expect((await server.me(access_token)).status).toBe(401)
  })

  test('its address gets no mail but links, and support is not told that it wrote', async () => {
    const { email, secret } = await registered()
    const { access_token } = (await logInWith(email, secret)).body
    await logInWith(email, secret)
    await server.post('/feedback', { message: 'In the name of somebody else.' }, bearer(access_token))
    await server.ask('DELETE', '/users/me', { password: PASSWORD }, bearer(access_token))
    const queued = (await server.rows(mail_requests)).filter(
      (row) => row.email?.toLowerCase() === email.toLowerCase() || row.kind === 'feedback',
    )
    const written = await Promise.all(queued.map((row) => writeMail(server, row, server.clock())))
    expect(queued.map(({ kind }) => kind).toSorted()).toEqual([
      'deletion-scheduled',
      'feedback',
      'new-device',
      'verify-email',
    ])
    expect(written.flatMap((mail) => (mail === null ? [] : [[mail.subject, mail.replyTo]]))).toEqual([
      ['Confirm your email address', undefined],
      [expect.stringContaining('Feedback'), undefined],
    ])
  })
})

describe('an address that a stranger registered first', () => {
  test('no link of the mailbox validates the password that the stranger chose', async () => {
    const { email, token } = await registered(newEmail(), STRANGERS)
    // The owner registers too, opens the link, and enters the password that they chose themselves.
    const again = await register(email, PASSWORD)
    expect([again.status, again.body]).toEqual([
      409,
      { detail: 'Email already registered.', error_code: 'EMAIL_ALREADY_REGISTERED' },
    ])
    expect((await verify(token, {})).body.error_code).toBe('PASSWORD_REQUIRED')
    expect((await verify(token, { password: PASSWORD })).body.error_code).toBe('INCORRECT_PASSWORD')
    expect(await isVerified(email)).toBe(false)
    expect((await server.logIn(email, STRANGERS)).body.error_code).toBe('EMAIL_NOT_VERIFIED')

    await server.resetTo(await server.link(email, 'reset-password'), PASSWORD)
    expect((await server.logIn(email, STRANGERS)).body.error_code).toBe('INVALID_CREDENTIALS')
    expect((await server.logIn(email)).status).toBe(200)
    for (const proof of [{}, { password: STRANGERS }]) expect((await verify(token, proof)).body).toEqual(ALREADY)
    expect((await server.logIn(email, STRANGERS)).body.error_code).toBe('INVALID_CREDENTIALS')
  })

  test('a stranger who registers the address again takes neither the password nor the secret from its owner', async () => {
    const { email, token, secret } = await registered()
    const stranger = await register(email, STRANGERS)
    expect([stranger.status, stranger.body.registration_secret]).toEqual([409, undefined])
    expect(await server.mailsTo(email)).toEqual(['verify-email'])
    expect((await verify(token, { password: STRANGERS })).body.error_code).toBe('INCORRECT_PASSWORD')
    expect((await verify(token, { registration_secrets: [secret] })).status).toBe(200)
    expect((await server.logIn(email, STRANGERS)).status).toBe(401)
    expect((await server.logIn(email)).status).toBe(200)
  })
})

describe('an address of ADMIN_EMAILS', () => {
  test('a stranger who registered it gets no rights by the link that its owner opens', async () => {
    const { email, token } = await registered(ADMIN[0], STRANGERS)
    await verify(token, {})
    expect(await server.rowOf(email)).toMatchObject({ email_verified_at: null, is_superuser: false })
    await server.resetTo(await server.link(email, 'reset-password'), PASSWORD)
    expect((await server.session(email)).user?.is_superuser).toBe(true)
  })

  test('its owner becomes a superuser upon verification in the browser that registered it', async () => {
    const { email, token, secret } = await registered(ADMIN[1])
    expect((await verify(token, { registration_secrets: [secret] })).status).toBe(200)
    expect((await server.session(email)).user?.is_superuser).toBe(true)
  })

  test('a password that is entered beside the link verifies it and gives no rights, at no later login or start of the server either', async () => {
    const { email, token } = await registered(ADMIN[2], STRANGERS)
    expect((await verify(token, { password: STRANGERS })).status).toBe(200)
    expect((await server.session(email, STRANGERS)).user?.is_superuser).toBe(false)
    expect(await appointAdministrators(server.database, server.env, server.clock())).toBe(1)
    expect((await server.session(email, STRANGERS)).user?.is_superuser).toBe(false)
    await server.resetTo(await server.link(email, 'reset-password'), PASSWORD)
    expect((await server.session(email)).user?.is_superuser).toBe(true)
  })

  test('an account of an earlier version, which did not note who chose its password, gets rights by a reset alone', async () => {
    const [email, other] = [await server.member(ADMIN[3]), await server.member(ADMIN[4])]
    for (const one of [email, other]) {
      // As a database of an earlier version holds it.
      await server.setUser(one, { owner_proven: false, is_superuser: false })
    }
    expect((await server.session(email)).user?.is_superuser).toBe(false)
    await appointAdministrators(server.database, server.env, server.clock())
    expect((await server.rowOf(email)).is_superuser).toBe(false)
    await server.resetTo(await server.link(email, 'reset-password'), PASSWORD)
    expect((await server.rowOf(email)).is_superuser).toBe(true)

    // Google alone opens it, perhaps with an account whose owner does not have the mailbox: that shows at the next sign-in.
    await server.setUser(other, { password_hash: null, google_subject: 'g' })
    await appointAdministrators(server.database, server.env, server.clock())
    expect((await server.rowOf(other)).is_superuser).toBe(false)
  })
})

describe('accounts that are never verified', () => {
  const count = async (email: string) => (await server.rows(users, eq(users.email, email))).length

  test('an unverified account is removed after seven days with its mails and links, and others stay', async () => {
    await removeUnverifiedAccounts(server.database, server.clock() + 30 * DAY)
    const old = await registered()
    const [verified, google] = [await server.member(), (await registered()).email]
    await server.setUser(google, { google_subject: 'g-7', password_hash: null })
    server.clock.advance(7 * DAY - HOUR)
    const [young, token] = [await registered(), await server.link(old.email, 'verify-email')]
    await server.post('/users/resend-verification-email', { email: old.email.toUpperCase() }, from())
    expect(await removeUnverifiedAccounts(server.database, server.clock())).toBe(0)

    server.clock.advance(HOUR)
    await removeUnverifiedAccounts(server.database, server.clock())
    expect([await count(old.email), await count(young.email), await count(verified), await count(google)]).toEqual([
      0, 1, 1, 1,
    ])
    const left = (await server.rows(mail_requests)).filter(
      ({ email }) => email?.toLowerCase() === old.email.toLowerCase(),
    )
    expect(left).toEqual([])
    expect((await verify(token, { registration_secrets: [old.secret] })).body.error_code).toBe('INVALID_LINK')
    // The address is free again.
    expect((await register(old.email)).status).toBe(201)
  })

  test('more unverified accounts than one batch holds are all removed', async () => {
    await removeUnverifiedAccounts(server.database, server.clock() + 30 * DAY)
    await server.database.pool.query(`
      WITH made AS (INSERT INTO owners (kind, created_at) SELECT 'user', '2020-01-01' FROM generate_series(1, 120) RETURNING id)
      INSERT INTO users (id, email, password_hash) SELECT id, id || '@example.com', 'x' FROM made`)
    expect(await removeUnverifiedAccounts(server.database, server.clock())).toBe(120)
    expect(await removeUnverifiedAccounts(server.database, server.clock())).toBe(0)
  })

  test('an address gets at most ten requested verification mails a day', async () => {
    const { email } = await registered()
    const ask = async () => (await server.post('/users/resend-verification-email', { email }, from())).status
    const statuses = []
    for (let hour = 0; hour < 3; hour++) {
      for (let i = 0; i < 6; i++) statuses.push(await ask())
      server.clock.advance(HOUR)
    }
    const five = Array<number>(5).fill(200)
    expect(statuses).toEqual([...five, 429, ...five, 429, ...Array<number>(6).fill(429)])
    server.clock.advance(22 * HOUR)
    expect(await ask()).toBe(200)
    await removeOutdated(server.database, 'expire-mail-tokens', server.clock() + 30 * DAY)
    expect(await server.rows(mail_tokens)).toEqual([])
  })
})
