/** @module-tag both-engines */
import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { removeInBatches } from '../../server/db/remove-in-batches'
import { alert_events, push_deliveries } from '../../server/db/schema/alerts'
import { billing_events } from '../../server/db/schema/billing'
import { alert_channels, channel_deliveries } from '../../server/db/schema/channels'
import { attempts, passkey_challenges } from '../../server/db/schema/sessions'
import { feedback, mail_tokens } from '../../server/db/schema/mail'
import { operations } from '../../server/db/schema/widgets'
import { owners, users } from '../../server/db/schema/users'
import { retention_clock } from '../../server/db/schema/jobs'
import { housekeeping } from '../../server/jobs/housekeeping'
import { adminJobs } from '../../server/services/admin/grants'
import { removeSurplusKeys } from '../../server/services/operations'
import { dayOf } from '../../server/services/owners'
import { heldRemoval, providerTime, readClock } from '../../server/services/removal-job'
import { hashOfSecret } from '../../server/services/secrets'
import { DELETION_GRACE_DAYS } from '../../src/domain/account'
import { DAY, HOUR, MINUTE } from '../../src/domain/granularity'
import { deviceKeys } from '../support/push-device'
import { recordCrossing } from './support/crossings'
import { withServer } from './support/for-file'
import type { Guest } from './support/guest'
import { trustClock } from './support/trusted-clock'

const PUSH_SERVICE = 'push.example.com'

const server = withServer({ env: { PUSH_ALLOWED_HOSTS: PUSH_SERVICE } })
beforeEach(() => trustClock(server))
afterEach(async () => {
  await server.database.orm.delete(retention_clock)
  await server.reset()
})

const warnings: string[] = []
const logger = { warn: (_about: object, message: string) => void warnings.push(message), info: () => undefined }

/** Runs every job that removes, as a server process does in the course of a day. */
async function housekeep(): Promise<void> {
  const deps = { ...server, logger: logger as never, source: 'coingecko' as const }
  for (const job of [...housekeeping(deps), ...adminJobs(deps)]) {
    if (job.name !== 'vacuum') await job.run(new AbortController().signal)
  }
}

/** Lets days pass with the server running: the clock is never far ahead of what the database knows. */
async function pass(days: number): Promise<void> {
  server.clock.advance(days * DAY)
  await trustClock(server)
  await housekeep()
}

const ownerOf = async ({ id }: Guest) => {
  const [row] = await server.rows(owners, eq(owners.anonymous_hash, hashOfSecret(id)))
  return row
}
const exists = async (who: Guest) => (await ownerOf(who)) !== undefined

/** Counts the rows of each table that belong to guests. */
async function rowsOfGuests(): Promise<Record<string, number>> {
  const tables = [
    'owners',
    'widgets',
    'checkpoints',
    'operations',
    'alert_events',
    'push_subscriptions',
    'push_deliveries',
    'feedback',
  ]
  const counts = tables.map(async (table) => {
    const { rows } = await server.database.pool.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${table}`)
    return [table, rows[0]!.n] as const
  })
  return Object.fromEntries(await Promise.all(counts))
}

test('a guest with pairs is removed after 400 days unseen, with widgets, checkpoints, keys, alerts, devices and feedback', async () => {
  const me = server.guest()
  const widget = await me.add('bitcoin', 'ethereum')
  await me.saveCheckpoint(widget.id, 14)
  const device = { endpoint: `https://${PUSH_SERVICE}/device`, expirationTime: null, keys: deviceKeys().keys }
  expect((await me.ask('POST', '/push/subscribe', device)).status).toBe(201)
  await me.ask('POST', '/feedback', { message: 'The chart is lovely.' })
  await recordCrossing(server.database, widget.id, server.clock() + 399 * DAY)
  await housekeep()
  await pass(400)
  expect(await exists(me)).toBe(true)
  await pass(1)
  expect(Object.values(await rowsOfGuests())).toEqual([0, 0, 0, 0, 0, 0, 0, 0])
})

test('a guest without pairs is removed after 90 days unseen, and one with a pair stays', async () => {
  const [empty, holder] = [server.guest(), server.guest()]
  const widget = await empty.add('bitcoin', 'ethereum')
  await empty.remove(widget.id)
  await holder.add('bitcoin', 'ethereum')
  await housekeep()
  await pass(90)
  expect([await exists(empty), await exists(holder)]).toEqual([true, true])
  await pass(1)
  expect([await exists(empty), await exists(holder)]).toEqual([false, true])
})

test('a guest who only looks at pairs is noted as seen once a day, and is kept from then on', async () => {
  const me = server.guest()
  await me.add('bitcoin', 'ethereum')
  expect((await ownerOf(me))?.last_seen).toBe(dayOf(server.clock()))
  await housekeep()
  await pass(399)
  await me.list()
  expect((await ownerOf(me))?.last_seen).toBe(dayOf(server.clock()))
  const written = await server.database.pool.query<{ xmin: string }>('SELECT xmin FROM owners')
  await me.list()
  expect((await server.database.pool.query('SELECT xmin FROM owners')).rows).toEqual(written.rows)
  await pass(399)
  expect(await exists(me)).toBe(true)
})

test('a look does not wait for a change of the same guest to note the day', async () => {
  const me = server.guest()
  await me.add('bitcoin', 'ethereum')
  server.clock.advance(DAY)
  await server.database.orm.transaction(async (tx) => {
    await tx.select().from(owners).for('no key update')
    // The embedded database has one connection, and runs a transaction to its end.
    if (server.database.engine === 'postgres') expect(await me.list()).toHaveLength(1)
  })
  await me.list()
  expect((await ownerOf(me))?.last_seen).toBe(dayOf(server.clock()))
})

test('a clock that went back does not take back the day on which a guest was seen', async () => {
  const me = server.guest()
  await me.add('bitcoin', 'ethereum')
  server.clock.advance(-3000 * DAY)
  await me.list()
  server.clock.advance(3000 * DAY)
  expect((await ownerOf(me))?.last_seen).toBe(dayOf(server.clock()))
})

test('a removed guest who comes back begins anew: an unsent create and its repetition make one pair', async () => {
  const me = server.guest()
  const op = randomUUID()
  await me.add('bitcoin', 'ethereum', op)
  await housekeep()
  await pass(401)
  expect([await exists(me), await me.list()]).toEqual([false, []])
  const again = await me.create({ coin_a_id: 'bitcoin', coin_b_id: 'ethereum' }, op)
  const repeated = await me.create({ coin_a_id: 'bitcoin', coin_b_id: 'ethereum' }, op)
  expect([again.status, repeated.status, repeated.body.id]).toEqual([201, 201, again.body.id])
  expect(await me.list()).toHaveLength(1)
})

test('deliveries of an alert are removed 30 days after their end, to browsers and other ways, and the alert of a rule 400 days after it fired', async () => {
  const me = await server.user()
  const widget = await me.add('bitcoin', 'ethereum')
  const at = new Date(server.clock())
  const { id: event } = await recordCrossing(server.database, widget.id, server.clock(), {
    kind: 'move_up',
    rule_id: randomUUID(),
  })
  const ended = `'sent', '${at.toISOString()}'::timestamptz, '${at.toISOString()}'::timestamptz`
  await server.database.pool.query(`
    WITH way AS (INSERT INTO alert_channels (owner_id, kind, state, created_at, free_at) VALUES ('${me.id}', 'telegram', 'on', now(), now()) RETURNING id),
    device AS (INSERT INTO push_subscriptions (owner_id, endpoint, p256dh, auth, subscribed_at, free_at)
      VALUES ('${me.id}', 'https://${PUSH_SERVICE}/x', '', '', now(), now()) RETURNING id),
    sent AS (INSERT INTO channel_deliveries (event_id, channel_id, outcome, next_attempt_at, ended_at) SELECT '${event}', id, ${ended} FROM way)
    INSERT INTO push_deliveries (event_id, subscription_id, outcome, next_attempt_at, ended_at) SELECT '${event}', id, ${ended} FROM device`)
  const kept = async () => {
    const tables = [push_deliveries, channel_deliveries, alert_events, alert_channels]
    return Promise.all(tables.map((table) => server.database.orm.$count(table)))
  }
  await pass(30)
  expect(await kept()).toEqual([1, 1, 1, 1])
  await pass(1)
  expect(await kept()).toEqual([0, 0, 1, 1])
  await pass(369)
  expect(await kept()).toEqual([0, 0, 1, 1])
  await pass(1)
  expect(await kept()).toEqual([0, 0, 0, 1])
})

test('users are never removed for not having been seen', async () => {
  await server.database.orm
    .insert(owners)
    .values({ kind: 'user', created_at: new Date(server.clock()), last_seen: null })
  await housekeep()
  await pass(1000)
  expect(await server.rows(owners)).toHaveLength(1)
})

test('feedback is removed after 365 days, also that of guests of earlier releases', async () => {
  const at = (days: number) => new Date(server.clock() - days * DAY)
  await server.database.orm.insert(feedback).values([
    { message: 'Written a year ago.', created_at: at(364) },
    { message: 'Written before that.', created_at: at(366) },
  ])
  await housekeep()
  expect((await server.rows(feedback)).map(({ message }) => message)).toEqual(['Written a year ago.'])
  await server.database.orm.delete(feedback)
})

test('of an owner’s creates, and of their other changes, the newest keys stay, and the keys of what is still there; other owners keep theirs', async () => {
  const [me, other] = [server.guest(), server.guest()]
  const kept = randomUUID()
  await me.add('bitcoin', 'ethereum', kept)
  await other.add('bitcoin', 'ethereum')
  const removed = []
  for (let i = 0; i < 6; i++) {
    server.clock.advance(1000)
    const op = randomUUID()
    removed.push(op)
    await me.remove((await me.add('ethereum', 'solana', op)).id)
  }
  await removeSurplusKeys(server.database, 3)
  const left = await server.rows(operations, eq(operations.for_ever, true))
  const owner = (await ownerOf(me))?.id
  const mine = left.filter(({ owner_id }) => owner_id === owner)
  expect(new Set(mine.map(({ op_id }) => op_id))).toEqual(new Set([kept, ...removed.slice(-3)]))
  expect(left).toHaveLength(5)
  expect(await server.database.orm.$count(operations, sql`NOT for_ever`)).toBe(3)
})

test('rows are removed some at a time, a bounded number of times a run, and those that another transaction holds later', async () => {
  const { orm, engine } = server.database
  await orm.insert(attempts).values(Array.from({ length: 7 }, (_, i) => ({ key: `${i}`, at: [], forget_at: 0 })))
  expect(await removeInBatches(orm, attempts, undefined, { rows: 2, batches: 2 })).toBe(4)
  if (engine === 'postgres') {
    await orm.transaction(async (tx) => {
      await tx.select().from(attempts).limit(1).for('update')
      expect(await removeInBatches(orm, attempts, undefined)).toBe(2)
    })
  }
  await removeInBatches(orm, attempts, undefined)
  expect(await orm.$count(attempts)).toBe(0)
})

/** How many rows each table has, but pairs, which go by no age, and what is known of the clock. */
async function rowCounts(): Promise<Record<string, number>> {
  const { pool } = server.database
  const { rows } = await pool.query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename NOT IN ('pairs', 'retention_clock')`,
  )
  const count = async (table: string) =>
    [table, (await pool.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${table}`)).rows[0]!.n] as const
  return Object.fromEntries(await Promise.all(rows.map(({ name }) => count(name))))
}

/** Rows of every kind that goes by its age: each is due within the next hour, or within 500 days. */
async function oneOfEach(): Promise<void> {
  const { orm, pool } = server.database
  const at = (later: number) => new Date(server.clock() + later)
  const me = server.guest()
  const widget = await me.add('bitcoin', 'ethereum')
  await recordCrossing(server.database, widget.id, server.clock())
  await me.ask('POST', '/feedback', { message: 'The chart is lovely.' })
  const email = await server.member()
  await server.session(email)
  const member = await server.rowOf(email)
  await server.session(await server.member())
  await orm
    .update(users)
    .set({ deletion_scheduled_at: at(HOUR / 2 - DELETION_GRACE_DAYS * DAY) })
    .where(eq(users.id, member.id))
  await orm.insert(mail_tokens).values({
    token_hash: 'a',
    purpose: 'reset-password',
    user_id: member.id,
    request_id: randomUUID(),
    expires_at: at(HOUR),
  })
  const challenge = { ticket_hash: 'a', challenge: 'a', first_factor: 'a', purpose: 'sign-in' } as const
  await orm.insert(passkey_challenges).values({ ...challenge, user_id: member.id, expires_at: at(5 * MINUTE) })
  await orm.insert(billing_events).values({ id: randomUUID(), type: 'a', received_at: at(0) })
  await pool.query('UPDATE operations SET for_ever = false')
}

/** The provider tells the true time, of which this server's clock is `ahead`, each minute-long step while time passes. */
async function passConfirmed(time: number, ahead: number): Promise<void> {
  for (let passed = 0; passed < time; passed += 10 * MINUTE) {
    server.clock.advance(10 * MINUTE)
    await providerTime(server.database, logger as never, server.clock)(server.clock() - ahead)
    await readClock({ ...server, logger: logger as never, source: 'coingecko' })
  }
}

test.each([
  ['65 minutes ahead', 65 * MINUTE, true],
  ['500 days ahead', 500 * DAY, true],
  ['65 minutes behind', -65 * MINUTE, false],
  ['500 days behind', -500 * DAY, false],
])(
  'a clock that is %s for two days removes nothing then, nor for a day after it was set right; log and operator learn what would go',
  async (_, ahead, wouldRemove) => {
    await oneOfEach()
    await passConfirmed(HOUR / 6, 0)
    const before = await rowCounts()
    warnings.length = 0
    server.clock.advance(ahead)
    await housekeep()
    server.clock.advance(65 * MINUTE)
    await housekeep()
    await passConfirmed(2 * DAY - 65 * MINUTE, ahead)
    await housekeep()
    expect(await rowCounts()).toEqual(before)
    const retention = await heldRemoval(server.database.orm)
    expect(retention).toMatchObject({ is_doubted: true })
    expect(warnings).toContain(
      'the clock has jumped, drifted or stood still: nothing is removed by its age until it is confirmed',
    )
    if (wouldRemove) {
      expect(retention?.would_remove).toMatchObject({ 'delete-accounts': 1, 'expire-mail-tokens': expect.any(Number) })
      expect(warnings).toContain('rows that would be removed by their age are kept')
    }
    if (ahead > DAY) expect(Object.keys(retention?.would_remove ?? {})).toEqual(expect.arrayContaining(WOULD_GO))
    server.clock.advance(-ahead)
    await passConfirmed(DAY - 20 * MINUTE, 0)
    await housekeep()
    expect(await rowCounts()).toEqual(before)
    await passConfirmed(30 * MINUTE, 0)
    await housekeep()
    expect(await rowCounts()).toMatchObject({
      users: before['users']! - 1,
      mail_tokens: 0,
      alert_events: 1,
      feedback: 1,
    })
    expect(await heldRemoval(server.database.orm)).toBeNull()
  },
)
const WOULD_GO = [
  'delete-accounts',
  'expire-billing-events',
  'expire-feedback',
  'expire-mail-tokens',
  'expire-operations',
  'expire-sessions',
  'remove-guests',
  'remove-old-alerts',
]

test('a clock that gains fourteen minutes a minute removes nothing that is not due within a quarter of an hour', async () => {
  await oneOfEach()
  await passConfirmed(HOUR / 6, 0)
  const before = await rowCounts()
  const began = server.clock()
  for (let minute = 1; server.clock() < began + DAY; minute++) {
    server.clock.advance(14 * MINUTE)
    await providerTime(server.database, logger as never, server.clock)(began + minute * MINUTE)
    await readClock({ ...server, logger: logger as never, source: 'coingecko' })
  }
  await housekeep()
  expect(await rowCounts()).toEqual(before)
  expect(await heldRemoval(server.database.orm)).toMatchObject({ is_doubted: true })
})

test('a user stays signed in when the server’s clock is a year ahead for a day', async () => {
  const { refresh_token } = await server.session(await server.member())
  await housekeep()
  server.clock.advance(366 * DAY)
  await housekeep()
  await passConfirmed(DAY, 366 * DAY)
  await housekeep()
  server.clock.advance(-366 * DAY)
  expect((await server.refresh(refresh_token)).status).toBe(200)
})

test('a server that was off for longer than guests are kept removes them a day after its provider has told the time', async () => {
  const me = server.guest()
  await me.add('bitcoin', 'ethereum')
  server.clock.advance(401 * DAY)
  await passConfirmed(DAY - HOUR, 0)
  await housekeep()
  expect(await exists(me)).toBe(true)
  await passConfirmed(HOUR + 10 * MINUTE, 0)
  await housekeep()
  expect(await exists(me)).toBe(false)
})
