import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { Change } from '../../server/db/changes'
import { owners, users } from '../../server/db/schema/users'
import { widgets } from '../../server/db/schema/widgets'
import { applyLimits } from '../../server/services/widgets/arrange'
import { loadEnv } from '../../server/env'
import { withServer } from './support/for-file'
import type { Person } from './support/person'
import type { User } from './support/user'
import { waitingFor } from './support/waiting'

const server = withServer({ env: { FREE_MAX_WIDGETS: '2', PREMIUM_MAX_WIDGETS: '4' } })

const COINS = ['ethereum', 'solana', 'cardano', 'ripple', 'dogecoin', 'litecoin']

/** Adds as many pairs as are taken, and gives back the last refusal. */
async function fill(me: Person): Promise<{ made: number; code: unknown }> {
  for (const [made, coin] of COINS.entries()) {
    const { status, body } = await me.create({ coin_a_id: 'bitcoin', coin_b_id: coin })
    if (status !== 201) return { made, code: body.error_code }
  }
  return { made: COINS.length, code: null }
}

const activity = async (me: Person) => (await me.list()).map(({ is_active }) => is_active)
const setPremium = (me: User, has_premium_access: boolean) => server.setUser(me.id, { has_premium_access })

test('guests and free users have the free widget limit, and premium users have the premium limit', async () => {
  const refused = 'WIDGET_LIMIT_REACHED'
  expect(await fill(server.guest())).toEqual({ made: 2, code: refused })
  expect(await fill(await server.user())).toEqual({ made: 2, code: refused })
  expect(await fill(await server.user({ premium: true }))).toEqual({ made: 4, code: refused })
})

test('changed widget limits apply at server start to the widgets of guests, free users and premium users', async () => {
  const people = [server.guest(), await server.user(), await server.user({ premium: true })]
  for (const person of people) await fill(person)
  const start = (free: number, premium: number) =>
    applyLimits(server.database, loadEnv({ FREE_MAX_WIDGETS: String(free), PREMIUM_MAX_WIDGETS: String(premium) }))
  const all = () => Promise.all(people.map(activity))
  await start(1, 3)
  expect(await all()).toEqual([
    [true, false],
    [true, false],
    [true, true, true, false],
  ])
  await start(5, 1)
  expect(await all()).toEqual([
    [true, true],
    [true, true],
    [true, false, false, false],
  ])
  await start(2, 4)
  expect((await all()).flat()).toEqual(Array.from({ length: 8 }, () => true))
})

test('changed widget limits raise the widgets revision of the owners whose widgets they switch, and of no other', async () => {
  const [free, premium] = [await server.user(), await server.user({ premium: true })]
  await fill(free)
  await fill(premium)
  const revisions = async () => {
    const { rows } = await server.database.pool.query<{ owner_id: string; widgets: string }>(
      'SELECT owner_id, widgets FROM owner_revisions',
    )
    return [free, premium].map(({ id }) => Number(rows.find(({ owner_id }) => owner_id === id)?.widgets ?? 0))
  }
  const heard: Change[] = []
  const stop = server.database.changes.subscribe((changes) => heard.push(...changes))
  const before = await revisions()
  await applyLimits(server.database, loadEnv({ FREE_MAX_WIDGETS: '2', PREMIUM_MAX_WIDGETS: '3' }))
  stop()
  const after = await revisions()
  expect(after[0]).toBe(before[0])
  expect(after[1]).toBeGreaterThan(before[1]!)
  expect(heard.filter((change) => change.kind === 'widgets' && [free.id, premium.id].includes(change.owner))).toEqual([
    { kind: 'widgets', owner: premium.id, revision: after[1] },
  ])
})

test('a server start with unchanged widget limits waits for no owner whom another process holds', async () => {
  const me = await server.user({ premium: true })
  await fill(me)
  const limits = loadEnv({ FREE_MAX_WIDGETS: '2', PREMIUM_MAX_WIDGETS: '4' })
  await applyLimits(server.database, limits)
  const statements: string[] = []
  const { orm } = server.database
  const transaction: typeof orm.transaction = (work, config) =>
    orm.transaction((tx) => {
      statements.push(config?.accessMode ?? 'read write')
      return work(tx)
    }, config)
  const watched = new Proxy(orm, {
    get: (target, name) => (name === 'transaction' ? transaction : Reflect.get(target, name)),
  })
  await applyLimits({ ...server.database, orm: watched }, limits)
  expect(statements).toEqual(['read only'])
})

test('applying widget limits at server start waits for a transaction that moves the widgets, and both take effect', async () => {
  const me = await server.user({ premium: true })
  await fill(me)
  const ids = (await me.list()).map(({ id }) => id)
  let starting: Promise<void> = Promise.resolve()
  await server.database.orm.transaction(async (tx) => {
    await tx.select().from(owners).where(eq(owners.id, me.id)).for('update')
    const move = (id: string, display_order: number) =>
      tx.update(widgets).set({ display_order }).where(eq(widgets.id, id))
    await move(ids[1]!, 0)
    starting = applyLimits(server.database, loadEnv({ FREE_MAX_WIDGETS: '2', PREMIUM_MAX_WIDGETS: '1' }))
    await waitingFor(server.database, tx)
    await move(ids[0]!, 1)
  })
  await starting
  expect((await me.list()).map(({ id, is_active }) => [ids.indexOf(id), is_active])).toEqual([
    [1, true],
    [0, false],
    [2, false],
    [3, false],
  ])
})

test('a user who lost Premium keeps all widgets, inactive beyond the free limit, and a removal activates the next widget', async () => {
  const me = await server.user({ premium: true })
  await fill(me)
  await setPremium(me, false)
  await me.reorder([])
  expect(await activity(me)).toEqual([true, true, false, false])
  expect((await me.create({ coin_a_id: 'monero', coin_b_id: 'tron' })).body.error_code).toBe('WIDGET_LIMIT_REACHED')
  const [first, , third] = await me.list()
  expect((await me.reorder([third?.id ?? '', first?.id ?? ''])).body.error_code).toBe('FORBIDDEN_REORDER_MIX')
  await me.remove(first?.id ?? '')
  expect((await me.list()).map(({ id, is_active }) => [id === third?.id, is_active])).toEqual([
    [false, true],
    [true, true],
    [false, false],
  ])
})

test('a widget creation that waits for a change of tier is judged by the new tier', async () => {
  const me = await server.user()
  await fill(me)
  let creating: Promise<{ status: number }> = Promise.resolve({ status: 0 })
  await server.database.orm.transaction(async (tx) => {
    await tx.select().from(owners).where(eq(owners.id, me.id)).for('update')
    creating = me.create({ coin_a_id: 'monero', coin_b_id: 'tron' })
    await waitingFor(server.database, tx)
    await tx.update(users).set({ has_premium_access: true }).where(eq(users.id, me.id))
  })
  expect((await creating).status).toBe(201)
})
