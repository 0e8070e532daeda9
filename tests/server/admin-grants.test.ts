import { randomUUID } from 'node:crypto'
import { and, eq, inArray } from 'drizzle-orm'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { DAY } from '../../src/domain/granularity'
import { owners, users } from '../../server/db/schema/users'
import { subscriptions } from '../../server/db/schema/billing'
import { adminJobs, endGrants } from '../../server/services/admin/grants'
import { syncTier } from '../../server/services/billing/tier'
import { writeSubscriptions } from '../../server/services/billing/sync-customer'
import { withUserLock } from '../../server/services/owners'
import { confirmed } from './support/confirmed'
import { auditOf, type Operator, subscriptionRows } from './support/admin'
import { withServer } from './support/for-file'
import { newUser } from './support/new-user'
import type { User } from './support/user'
import { waitingFor } from './support/waiting'
import { trustClock } from './support/trusted-clock'

let boss: Operator
const server = withServer({ env: { FREE_MAX_WIDGETS: '2', PREMIUM_MAX_WIDGETS: '4', PREMIUM_MAX_CHECKPOINTS: '3' } })
beforeAll(async () => {
  boss = await server.operator('boss@example.com')
})
// Earlier tests have moved the clock.
beforeEach(() => confirmed(server, boss))

const COINS = ['ethereum', 'solana', 'cardano', 'ripple']
const premium = async (me: User) =>
  (await me.ask<{ has_premium_access: boolean }>('GET', '/users/me')).body.has_premium_access
const activity = async (me: User) => (await me.list()).map(({ is_active }) => is_active)

/** As the payment provider's events change it. */
async function pay(me: User, status: string): Promise<void> {
  await withUserLock(server.database, me.id, server.clock(), async (tx) => {
    const at = new Date(server.clock())
    await tx
      .insert(subscriptions)
      .values({
        user_id: me.id,
        stripe_subscription_id: `sub_${me.id}`,
        status,
        current_period_start: at,
        current_period_end: new Date(server.clock() + 30 * DAY),
        created_at: at,
      })
      .onConflictDoUpdate({ target: subscriptions.stripe_subscription_id, set: { status } })
    await syncTier(tx, me.id, server.env, server.clock())
  })
}

test('a Premium grant takes effect at once, lasts the given number of days and is recorded in the audit log', async () => {
  const me = await server.user({ email: 'granted@example.com' })
  const answer = await boss.grant(me.id, 45)
  expect(answer).toMatchObject({
    status: 200,
    body: {
      status: 'active',
      stripe_subscription_id: expect.stringMatching(/^manual_[0-9a-f-]{36}$/) as string,
      current_period_start: new Date(server.clock()).toISOString(),
      current_period_end: new Date(server.clock() + 45 * DAY).toISOString(),
      cancel_at_period_end: false,
    },
  })
  expect(await premium(me)).toBe(true)
  expect((await boss.subscriptions(me.id)).body).toEqual([answer.body])
  const [entry] = (await boss.audit(`?target=${me.id}`)).body
  expect(entry).toMatchObject({
    at: new Date(server.clock()).toISOString(),
    actor_email: 'boss@example.com',
    action: 'grant-premium',
    target_id: me.id,
    target_email: 'granted@example.com',
    details: '45 days, until 2026-03-01',
  })
})

test('an account has at most one Premium grant, a grant is revoked at most once, and each refusal says why', async () => {
  const me = await server.user()
  expect((await boss.revoke(me.id)).body).toEqual({
    detail: 'Premium is not granted to this account.',
    error_code: 'NO_GRANT',
  })
  expect((await boss.grant(me.id, 1)).status).toBe(200)
  const again = await boss.grant(me.id, 30)
  expect([again.status, again.body.error_code, again.body.detail]).toEqual([
    409,
    'GRANT_EXISTS',
    'Premium is granted to this account already, until 2026-01-16.',
  ])
  expect((await subscriptionRows(server, me.id)).length).toBe(1)

  server.clock.advance(3_600_000)
  await confirmed(server, boss)
  const ended = await boss.revoke(me.id)
  expect([ended.status, ended.body.status, ended.body.current_period_end]).toEqual([
    200,
    'canceled',
    new Date(server.clock()).toISOString(),
  ])
  expect(await premium(me)).toBe(false)
  expect((await boss.revoke(me.id)).body.error_code).toBe('NO_GRANT')
  expect((await boss.grant(me.id)).status).toBe(200)
  expect(await auditOf(server, me.id)).toEqual(['grant-premium', 'revoke-premium', 'grant-premium'])
  const details = (await boss.audit(`?target=${me.id}`)).body.map((entry) => entry.details).toSorted()
  expect(details).toEqual(['1 day, until 2026-01-16', '30 days, until 2026-02-14', 'granted until 2026-01-16'])
})

test('widgets that a revoked Premium grant made inactive are active and unchanged after the next grant', async () => {
  const me = await server.user()
  await boss.grant(me.id)
  for (const coin of COINS) await me.add('bitcoin', coin)
  const [first, , , last] = await me.list()
  for (const ratio of [1, 2, 3]) await me.save(last!.id, ratio)
  await me.update(last!.id, { high_threshold: 9, low_threshold: 1, notifications_enabled: true })
  await me.reorder([last!.id, first!.id])
  const before = await me.list()
  expect(await activity(me)).toEqual([true, true, true, true])

  await boss.revoke(me.id)
  expect(await me.list()).toEqual(before.map((widget, place) => ({ ...widget, is_active: place < 2 })))
  expect((await me.create({ coin_a_id: 'monero', coin_b_id: 'tron' })).body.error_code).toBe('WIDGET_LIMIT_REACHED')
  expect((await me.save(last!.id, 4)).body.error_code).toBe('CHECKPOINT_LIMIT_REACHED')

  await boss.grant(me.id)
  expect(await me.list()).toEqual(before)
})

test('Premium lasts while either a paid subscription or a Premium grant is active, and each ends independently', async () => {
  const me = await server.user()
  await pay(me, 'active')
  expect((await boss.grant(me.id)).status).toBe(200)
  await boss.revoke(me.id)
  expect(await premium(me)).toBe(true)

  await boss.grant(me.id, 2)
  await pay(me, 'canceled')
  expect(await premium(me)).toBe(true)
  expect((await boss.subscriptions(me.id)).body.map(({ status }) => status).toSorted()).toEqual([
    'active',
    'canceled',
    'canceled',
  ])
  expect((await boss.revoke(me.id)).status).toBe(200)
  expect(await premium(me)).toBe(false)
  // A subscription at the provider is none of an operator's, whatever its state.
  await pay(me, 'past_due')
  expect((await boss.revoke(me.id)).body.error_code).toBe('NO_GRANT')
  expect(await premium(me)).toBe(true)
})

test('a look at the payment provider that finds nothing ends the paid subscription and leaves the Premium grant alone', async () => {
  const me = await server.user()
  await pay(me, 'active')
  await boss.grant(me.id)
  expect(await withUserLock(server.database, me.id, server.clock(), (tx) => writeSubscriptions(tx, me.id, []))).toBe(1)
  const rows = (await subscriptionRows(server, me.id)).map((row) => [
    row.stripe_subscription_id.split('_')[0],
    row.status,
  ])
  expect(Object.fromEntries(rows)).toEqual({ sub: 'canceled', manual: 'active' })
})

test('a Premium grant ends when its days are over; a longer grant and a paid subscription keep Premium', async () => {
  const [short, long, paying] = [await server.user(), await server.user(), await server.user()]
  for (const [me, days] of [
    [short, 1],
    [long, 2],
    [paying, 1],
  ] as const)
    await boss.grant(me.id, days)
  await pay(paying, 'trialing')
  for (const coin of COINS) await short.add('bitcoin', coin)
  server.clock.advance(DAY - 1)
  expect(await endGrants(server, server.clock())).toBe(0)
  server.clock.advance(1)
  expect(await endGrants(server, server.clock())).toBe(2)
  expect(await Promise.all([short, long, paying].map(premium))).toEqual([false, true, true])
  expect(await activity(short)).toEqual([true, true, false, false])
  const [row] = await subscriptionRows(server, short.id)
  expect([row?.status, row?.current_period_end.getTime()]).toEqual(['canceled', server.clock()])
  expect(await auditOf(server, short.id)).toEqual(['grant-premium'])
  expect(await endGrants(server, server.clock())).toBe(0)
})

test('an expired Premium grant cannot be revoked and blocks no new grant, even before the end-grants job runs', async () => {
  const me = await server.user()
  await boss.grant(me.id, 1)
  server.clock.advance(DAY)
  await confirmed(server, boss)
  expect((await boss.revoke(me.id)).body.error_code).toBe('NO_GRANT')
  expect((await boss.grant(me.id, 1)).status).toBe(200)
  await trustClock(server)
  await adminJobs({ ...server, source: 'coingecko' })
    .find(({ name }) => name === 'end-grants')!
    .run(new AbortController().signal)
  expect((await boss.subscriptions(me.id)).body.map(({ status }) => status)).toEqual(['active', 'canceled'])
  expect(await premium(me)).toBe(true)
})

test('one run of endGrants ends all of 105 expired Premium grants, more than one batch holds', async () => {
  const crowd = await Promise.all(
    Array.from({ length: 105 }, () => newUser(server.database, server.clock(), { premium: true })),
  )
  const at = new Date(server.clock())
  await server.database.orm.insert(subscriptions).values(
    crowd.map(({ id }) => ({
      user_id: id,
      stripe_subscription_id: `manual_${id}`,
      status: 'active',
      current_period_start: at,
      current_period_end: at,
      created_at: at,
    })),
  )
  expect(await endGrants(server, server.clock())).toBe(105)
  const ids = crowd.map(({ id }) => id)
  const left = await server.rows(users, and(inArray(users.id, ids), users.has_premium_access))
  expect(left).toEqual([])
})

test('of five operators who grant or revoke Premium at once one succeeds, and the others get 409', async () => {
  const others = await Promise.all(Array.from({ length: 4 }, () => server.operator()))
  const me = await server.user()
  const all = [boss, ...others]
  const answers = await Promise.all(all.map((one) => one.grant(me.id)))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409])
  expect((await subscriptionRows(server, me.id)).length).toBe(1)
  const revoked = await Promise.all(all.map((one) => one.revoke(me.id)))
  expect(revoked.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409])
  expect(await auditOf(server, me.id)).toEqual(['grant-premium', 'revoke-premium'])
  expect(await premium(me)).toBe(false)
})

test('concurrent Premium grants and revocations leave tier, rows and audit log consistent with their answers', async () => {
  const me = await server.user()
  let open = 0
  for (let round = 0; round < 6; round++) {
    const answers = await Promise.all([boss.grant(me.id), boss.revoke(me.id), boss.grant(me.id), boss.revoke(me.id)])
    const worked = answers.map(({ status }) => Number(status === 200))
    open += worked[0]! - worked[1]! + worked[2]! - worked[3]!
    expect(await premium(me)).toBe(open === 1)
  }
  const entries = await auditOf(server, me.id)
  const rows = await subscriptionRows(server, me.id)
  expect(entries.filter((action) => action === 'grant-premium').length).toBe(rows.length)
  expect(entries.filter((action) => action === 'revoke-premium').length).toBe(
    rows.filter(({ status }) => status === 'canceled').length,
  )
})

test('an operator dismissed while a grant waits for a lock gets 403, and nothing is granted or audited', async () => {
  const [me, other] = [await server.user(), await server.operator()]
  let granting: Promise<{ readonly status: number }> = Promise.resolve({ status: 0 })
  await server.database.orm.transaction(async (tx) => {
    await tx.select().from(owners).where(eq(owners.id, me.id)).for('update')
    granting = other.grant(me.id)
    await waitingFor(server.database, tx)
    await tx.update(users).set({ is_superuser: false }).where(eq(users.id, other.id))
  })
  expect((await granting).status).toBe(403)
  expect(await subscriptionRows(server, me.id)).toEqual([])
  expect(await auditOf(server, me.id)).toEqual([])
})

test('Premium is granted neither to an unknown account nor for an invalid number of days', async () => {
  const me = await server.user()
  expect((await boss.grant(randomUUID())).body.error_code).toBe('NOT_FOUND')
  expect((await boss.revoke(randomUUID())).body.error_code).toBe('NOT_FOUND')
  for (const days of [0, -1, 1.5, 3651, 1e308, Number.MAX_SAFE_INTEGER]) {
    expect((await boss.grant(me.id, days)).body.error_code, String(days)).toBe('VALIDATION_ERROR')
  }
  expect((await boss.grant(me.id, 3650)).body.current_period_end).toBe(
    new Date(server.clock() + 3650 * DAY).toISOString(),
  )
})
