/** @module-tag both-engines */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { DAY } from '../../src/domain/granularity'
import { removeAccounts } from '../../server/services/accounts/account-deletion'
import { removeOldTokens } from '../../server/services/sessions/refresh-token'
import { bearer, newEmail, PASSWORD } from './support/accounts'
import { withServer } from './support/for-file'
import { addPasskey, passkeySession } from './support/passkeys'
import { key } from './support/person'
import { seeded } from './support/seeded'
import { subscription } from './support/subscription'

/*
 * A few accounts to which everything happens at once, in any order: nothing may wait for ever, fail, or end in a state that
 * contradicts itself.
 */
const SEED = Number(process.env['SEED'] ?? Date.now() % 1_000_000)
const ROUNDS = 8
const ACTIONS_A_ROUND = 12
const COINS = ['ethereum', 'solana', 'cardano', 'ripple', 'dogecoin', 'litecoin']

const server = withServer()

test(`concurrent account requests and cleanup jobs cause no 5xx and leave no contradictory rows (seed ${SEED})`, async () => {
  const random = seeded(SEED)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const emails = [await server.member(), await server.member(), newEmail()]
  const tokens: { access: string; refresh: string }[] = []
  const links: { purpose: 'verify-email' | 'reset-password'; token: string }[] = []

  const keep = ({ status, body }: Awaited<ReturnType<typeof server.refresh>>) => {
    if (status === 200) tokens.push({ access: body.access_token, refresh: body.refresh_token })
    return status
  }
  const someToken = () => pick(tokens.slice(-12)) ?? { access: 'none', refresh: 'none' }
  const ofAccount = async (send: (access: string) => Promise<{ status: number }>) =>
    (await send(someToken().access)).status
  const mail = async (email: string) => {
    const purpose = pick(['verify-email', 'reset-password'] as const)
    // An address without an account gets no mail.
    const token = await server.link(email, purpose).catch(() => null)
    if (token !== null) links.push({ purpose, token })
    return 200
  }
  const actions: Readonly<Record<string, () => Promise<number>>> = {
    register: async () => (await server.register(pick(emails))).status,
    mail: () => mail(pick(emails)),
    follow: async () => {
      const found = pick(links.slice(-6))
      if (found === undefined) return 200
      const { purpose, token } = found
      return (await (purpose === 'verify-email' ? server.verify(token) : server.resetTo(token, PASSWORD))).status
    },
    logIn: async () => keep(await server.logIn(pick(emails))),
    refresh: async () => keep(await server.refresh(someToken().refresh)),
    logOut: async () => (await server.logOut(someToken().refresh)).status,
    me: () => ofAccount((access) => server.me(access)),
    change: () =>
      ofAccount((access) =>
        server.post(
          '/widgets',
          { coin_a_id: 'bitcoin', coin_b_id: pick(COINS) },
          { ...bearer(access), ...key(undefined) },
        ),
      ),
    accept: () =>
      ofAccount((access) =>
        server.post('/users/me/accept-policies', { terms_accepted: true, privacy_accepted: true }, bearer(access)),
      ),
    remove: () => ofAccount((access) => server.ask('DELETE', '/users/me', { password: PASSWORD }, bearer(access))),
    sweep: async () => {
      await removeAccounts(server.database, server.clock())
      await removeOldTokens(server.database, server.clock())
      return 200
    },
  }
  // Acts that make sessions come more often than those that end them.
  const bag = [
    ...Object.keys(actions),
    'register',
    'mail',
    'mail',
    'follow',
    'follow',
    'logIn',
    'logIn',
    'logIn',
    'refresh',
    'refresh',
    'change',
  ]

  // For every seed, the races begin with living sessions: a run in which no action can succeed proves nothing.
  for (const email of emails.slice(0, 2)) expect(keep(await server.logIn(email))).toBe(200)
  expect(await actions['refresh']!()).toBe(200)

  for (let round = 0; round < ROUNDS; round++) {
    const chosen = Array.from({ length: ACTIONS_A_ROUND }, () => pick(bag))
    await Promise.all(
      chosen.map(async (name) => {
        const status = await actions[name]!()
        expect(status, name).toBeLessThan(500)
      }),
    )
    if (round % 4 === 3) server.clock.advance(15 * DAY)
  }

  // No session of an account that is to be deleted, or whose address nobody has verified.
  const contradictions = sql`
    SELECT users.id FROM users JOIN sessions ON sessions.user_id = users.id
    WHERE deletion_scheduled_at IS NOT NULL OR email_verified_at IS NULL`
  expect((await server.database.orm.execute(contradictions)).rows).toEqual([])
  const orphans = sql`SELECT 1 FROM owners LEFT JOIN users USING (id) WHERE kind = 'user' AND users.id IS NULL`
  expect((await server.database.orm.execute(orphans)).rows).toEqual([])
  for (const email of emails) {
    const row = await server.rowOf(email).catch(() => null)
    if (row !== null) expect(row.password_hash).toMatch(/^\$argon2id/)
  }
})

test('no call of a session that ends meanwhile fails at a row that has gone', async () => {
  const email = await server.member()
  const keeper = await server.session(email)
  const { key: passkey } = await addPasskey(server, keeper)
  const calls: Readonly<Record<string, object>> = {
    '/auth/confirm/options': {},
    '/users/me/passkeys/options': {},
    '/users/me/recovery-codes': {},
    '/users/me/accept-policies': { terms_accepted: true, privacy_accepted: true },
    '/widgets': { coin_a_id: 'bitcoin', coin_b_id: 'solana' },
    '/push/subscribe': subscription('https://fcm.googleapis.com/fcm/send/one'),
    '/feedback': { message: 'The chart of my pair stays empty.' },
  }
  for (const [path, body] of Object.entries(calls)) {
    const { access_token, refresh_token } = await passkeySession(server, email, passkey)
    const asked: Promise<{ readonly status: number }>[] = []
    // At each step of the calls the session ends for one of them.
    for (let n = 0; n < 16; n++) {
      asked.push(server.post(path, body, { ...bearer(access_token), ...key(undefined) }))
      if (n === 8) asked.push(server.logOut(refresh_token))
      await nextTurn()
    }
    const statuses = (await Promise.all(asked)).map(({ status }) => status)
    expect(
      statuses.filter((status) => status >= 500),
      path,
    ).toEqual([])
    expect(statuses, path).toContain(401)
  }
})
