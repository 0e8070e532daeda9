import { eq } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { auditEntry } from '../../src/contract/admin'
import type { MyData } from '../../src/contract/my-data'
import { DAY } from '../../src/domain/granularity'
import { audit_log, owners } from '../../server/db/schema/users'
import { housekeeping } from '../../server/jobs/housekeeping'
import { type Operator, totalOf } from './support/admin'
import { confirmed } from './support/confirmed'
import { withServer } from './support/for-file'
import { trustClock } from './support/trusted-clock'

let boss: Operator
const server = withServer()
beforeEach(async () => {
  await server.reset()
  await server.database.orm.delete(audit_log)
  boss = await server.operator('boss@example.com')
})

test('the audit log lists actor, action, target and time of admin actions, newest first and in pages', async () => {
  const [ada, bob] = [await server.user({ email: 'ada@example.com' }), await server.user({ email: 'bob@example.com' })]
  const other = await server.operator('other@example.com')
  const act = async (action: () => Promise<{ readonly status: number }>) => {
    server.clock.advance(1000)
    expect((await action()).status).toBe(200)
  }
  await act(() => boss.grant(ada.id))
  await act(() => other.grant(bob.id, 7))
  await act(() => other.revoke(ada.id))
  const all = await boss.audit()
  expect(all.body.map(({ actor_email, action, target_email }) => [actor_email, action, target_email])).toEqual([
    ['other@example.com', 'revoke-premium', 'ada@example.com'],
    ['other@example.com', 'grant-premium', 'bob@example.com'],
    ['boss@example.com', 'grant-premium', 'ada@example.com'],
  ])
  expect(all.body[0]?.at).toBe(new Date(server.clock()).toISOString())
  for (const entry of all.body) expect(z.strictObject(auditEntry.shape).safeParse(entry).error).toBeUndefined()
  expect([totalOf(all), totalOf(await boss.audit('?skip=3'))]).toEqual([3, 3])
  expect((await boss.audit('?skip=1&limit=1')).body).toEqual([all.body[1]])

  const adas = await boss.audit(`?target=${ada.id.toUpperCase()}`)
  expect([totalOf(adas), adas.body]).toEqual([2, [all.body[0], all.body[2]]])
  for (const query of ['?target=ada', '?target=', '?actor=x', '?limit=0', '?skip=-1']) {
    expect((await boss.audit(query)).body.error_code, query).toBe('VALIDATION_ERROR')
  }
})

test('the audit log has no entries for refused admin actions', async () => {
  const me = await server.user()
  await boss.revoke(me.id)
  await boss.grant(me.id, 0)
  await me.ask('POST', `/admin/users/${me.id}/grant-premium`, { duration_days: 30 })
  expect((await boss.audit()).body).toEqual([])
})

test('an audit entry outlives the accounts of actor and target, and keeps their email addresses', async () => {
  const [me, other] = [await server.user({ email: 'ada@example.com' }), await server.operator('other@example.com')]
  await other.grant(me.id, 3)
  const [before] = (await boss.audit()).body
  await server.database.orm.delete(owners).where(eq(owners.id, me.id))
  await server.database.orm.delete(owners).where(eq(owners.id, other.id))
  expect((await boss.audit()).body).toEqual([{ ...before, target_id: null }])
  expect((await boss.audit(`?target=${me.id}`)).body).toEqual([])
})

test('an action that a newer server process has written is listed by its own name, in the audit log and in the account’s own data', async () => {
  const { pool } = server.database
  const me = await server.user()
  await boss.grant(me.id)
  // The newer process has let the table take it before.
  const { rows } = await pool.query<{ rule: string }>(
    `SELECT pg_get_constraintdef(oid) AS rule FROM pg_constraint WHERE conname = 'audit_log_action'`,
  )
  await pool.query('ALTER TABLE audit_log DROP CONSTRAINT audit_log_action')
  await pool.query(`UPDATE audit_log SET action = 'written-by-the-future'`)
  const log = await boss.audit()
  const own = await me.ask<MyData>('GET', '/me/data')
  await pool.query('DELETE FROM audit_log')
  await pool.query(`ALTER TABLE audit_log ADD CONSTRAINT audit_log_action ${rows[0]!.rule}`)
  expect([log.status, log.body]).toMatchObject([200, [{ action: 'written-by-the-future' }]])
  expect([own.status, own.body.audit_entries]).toMatchObject([200, [{ action: 'written-by-the-future' }]])
})

test('the expire-audit-log job keeps audit entries for three years and removes older entries', async () => {
  const [ada, bob] = [await server.user(), await server.user()]
  const job = housekeeping({ ...server, source: 'coingecko' }).find(({ name }) => name === 'expire-audit-log')!
  const targets = async () => {
    await trustClock(server)
    await job.run(new AbortController().signal)
    return (await boss.audit()).body.map(({ target_id }) => target_id)
  }
  await boss.grant(ada.id, 1)
  server.clock.advance(DAY)
  await confirmed(server, boss)
  await boss.grant(bob.id, 1)
  server.clock.advance(3 * 365 * DAY - DAY)
  expect(await targets()).toEqual([bob.id, ada.id])
  server.clock.advance(1)
  expect(await targets()).toEqual([bob.id])
})
