/** @module-tag both-engines */
import { eq, sql } from 'drizzle-orm'
import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { Change } from '../../server/db/changes'
import { subscriptions } from '../../server/db/schema/billing'
import { owner_revisions, owners } from '../../server/db/schema/users'
import { syncTier } from '../../server/services/billing/tier'
import { withUserLock } from '../../server/services/owners'
import { commitChange } from '../../server/services/revisions'
import { REVISION_HEADER } from '../../src/contract/stream'
import { DAY } from '../../src/domain/granularity'
import { withServer } from './support/for-file'
import type { Answered, Person } from './support/person'

let published: Change[]
const server = withServer({ env: { FREE_MAX_WIDGETS: '2', PREMIUM_MAX_WIDGETS: '30', PREMIUM_MAX_CHECKPOINTS: '9' } })
beforeAll(async () => {
  server.database.changes.subscribe((changes) => published.push(...changes))
})
beforeEach(() => {
  published = []
})

const COINS = ['ethereum', 'solana', 'cardano', 'ripple', 'dogecoin', 'litecoin']

const read = (me: Person, etag?: string) =>
  me.ask('GET', '/widgets', undefined, etag === undefined ? {} : { 'if-none-match': etag })
const revisionOf = ({ headers }: Answered<unknown>) => Number(headers[REVISION_HEADER])
const present = async (me: Person) => revisionOf(await read(me))

/** Revision of the widgets before and after a change, as the answer says. */
function step({ headers }: Answered<unknown>): readonly [number, number] | null {
  const header = headers[REVISION_HEADER]
  if (typeof header !== 'string') return null
  const [before, after] = header.split(' ').map(Number)
  return [before!, after!]
}

test('every change of widgets and checkpoints answers with the revision before and after it, which the next list has', async () => {
  const me = await server.user({ premium: true })
  let revision = await present(me)
  expect(revision).toBe(0)
  const follow = async (answer: Answered<unknown>) => {
    const [before, after] = step(answer) ?? []
    expect(before).toBe(revision)
    expect(after).toBeGreaterThan(revision)
    revision = after!
    expect(await present(me)).toBe(revision)
  }
  const create = (coin: string) => me.create({ coin_a_id: 'bitcoin', coin_b_id: coin })
  const one = await create('ethereum')
  await follow(one)
  const other = await create('solana')
  await follow(other)
  const widget = one.body.id
  await follow(await me.update(widget, { high_threshold: 40 }))
  await follow(await me.reorder([other.body.id, widget]))
  const saved = await me.save(widget, 1)
  await follow(saved)
  const second = await me.save(widget, 2)
  await follow(second)
  const ids = [second.body.id, saved.body.id]
  await follow(await me.change(widget, ids[0]!, 3))
  await follow(await me.arrange(widget, ids))
  await follow(await me.prefer(widget, ids[0]!))
  await follow(await me.drop(widget, ids[0]!))
  await follow(await me.dropMany(widget, [ids[1]!]))
  await follow(await me.remove(widget))
  expect(published.filter(({ kind }) => kind === 'widgets').at(-1)).toEqual({ kind: 'widgets', owner: me.id, revision })
})

test('a guest’s changes raise the revision of the guest’s widgets, which is 0 before the first', async () => {
  const me = server.guest()
  expect(await present(me)).toBe(0)
  const widget = (await me.add('bitcoin', 'ethereum')).id
  const before = await present(me)
  const saved = await me.saveCheckpoint(widget, 1)
  expect(step(saved)).toEqual([before, await present(me)])
  const gone = await me.deleteCheckpoint(widget)
  expect(step(gone)).toEqual([step(saved)![1], await present(me)])
})

test('a repetition and a refused change raise no revision, send no revision header and publish nothing', async () => {
  const me = await server.user()
  const op = randomUUID()
  const widget = (await me.add('bitcoin', 'ethereum', op)).id
  const revision = await present(me)
  published = []
  const repeated = await me.create({ coin_a_id: 'bitcoin', coin_b_id: 'ethereum' }, op)
  expect([repeated.status, repeated.headers['idempotent-replayed'], step(repeated)]).toEqual([201, 'true', null])
  const refused = [
    await me.create({ coin_a_id: 'bitcoin', coin_b_id: 'ethereum' }),
    await me.update(randomUUID(), { high_threshold: 1 }),
    await me.remove(randomUUID()),
    await me.drop(widget, randomUUID()),
  ]
  for (const answer of refused) expect([answer.status >= 400, step(answer)]).toEqual([true, null])
  expect(await present(me)).toBe(revision)
  expect(published).toEqual([])
})

test('a list that is asked for with the ETag it has answers 304 without a body, and with another after a change', async () => {
  const me = await server.user()
  const widget = (await me.add('bitcoin', 'ethereum')).id
  const list = await read(me)
  const etag = String(list.headers['etag'])
  expect(etag).toBe(`W/"${revisionOf(list)}"`)
  const unchanged = await read(me, etag)
  expect([unchanged.status, unchanged.body, unchanged.headers['etag']]).toEqual([304, undefined, etag])
  expect(revisionOf(unchanged)).toBe(revisionOf(list))
  await me.update(widget, { low_threshold: 1 })
  const changed = await read(me, etag)
  expect(changed.status).toBe(200)
  expect(changed.headers['etag']).not.toBe(etag)
})

test('an unchanged list is answered without a statement that reads widgets', async () => {
  const me = await server.user()
  await me.add('bitcoin', 'ethereum')
  const etag = String((await read(me)).headers['etag'])
  const asked: string[] = []
  const { pool } = server.database
  const query = pool.query.bind(pool)
  pool.query = ((...args: Parameters<typeof query>) => {
    asked.push(JSON.stringify(args[0]))
    return query(...args)
  }) as typeof pool.query
  try {
    expect((await read(me, etag)).status).toBe(304)
    expect(asked.length).toBeGreaterThan(0)
    expect(asked.filter((text) => /(from|join) \\?"?(widgets|checkpoints)/i.test(text))).toEqual([])
  } finally {
    pool.query = query
  }
})

test('a list is answered as before after every connection of the database was made anew, which forgets named statements', async () => {
  const me = await server.user()
  await me.add('bitcoin', 'ethereum')
  const before = await read(me)
  const { pool } = server.database
  for (let round = 0; round < 3; round++) {
    const clients = await Promise.all(Array.from({ length: Math.max(1, pool.idleCount) }, () => pool.connect()))
    for (const client of clients) client.release(true)
    expect([(await read(me)).body, (await read(me, 'W/"0"')).body]).toEqual([before.body, before.body])
  }
})

test('a changed tier raises the revisions of widgets and account in the transaction that changes it', async () => {
  const me = await server.user()
  for (const coin of ['ethereum', 'solana']) await me.add('bitcoin', coin)
  const before = await present(me)
  published = []
  const now = server.clock()
  await withUserLock(server.database, me.id, now, async (tx) => {
    const period = { current_period_start: new Date(now), current_period_end: new Date(now + DAY) }
    const row = { user_id: me.id, stripe_subscription_id: `sub_${me.id}`, status: 'active', created_at: new Date(now) }
    await tx.insert(subscriptions).values({ ...row, ...period })
    await syncTier(tx, me.id, server.env, now)
    expect(published).toEqual([])
  })
  const after = await present(me)
  expect(after).toBeGreaterThan(before)
  expect(published.toSorted((a, b) => a.kind.localeCompare(b.kind))).toEqual([
    { kind: 'account', owner: me.id, revision: expect.any(Number) as number },
    { kind: 'widgets', owner: me.id, revision: after },
  ])
  await withUserLock(server.database, me.id, now, (tx) => syncTier(tx, me.id, server.env, now))
  expect(await present(me)).toBe(after)
})

test('a transaction that is rolled back raises nothing and publishes nothing', async () => {
  const me = await server.user()
  const failed = commitChange(server.database, server.clock(), async (tx) => {
    tx.raise(me.id, 'widgets')
    throw new Error('refused')
  })
  await expect(failed).rejects.toThrow('refused')
  expect([await present(me), published]).toEqual([0, []])
})

test('a revision rises by one where the clock stands still or goes back', async () => {
  const me = await server.user()
  const raise = async (now: number) =>
    (await commitChange(server.database, now, async (tx) => tx.raise(me.id, 'widgets'))).raised.map((one) => one.after)
  expect(await raise(5_000)).toEqual([5_000])
  expect(await raise(5_000)).toEqual([5_001])
  expect(await raise(100)).toEqual([5_002])
  expect(await raise(9_000)).toEqual([9_000])
})

test('changes with and without the owner’s lock at once make one chain of revisions, also where the first makes the row', async () => {
  for (let round = 0; round < 5; round++) {
    const me = await server.user({ premium: true })
    const widgets = [await me.add('bitcoin', 'ethereum'), await me.add('bitcoin', 'solana')]
    await server.database.orm.delete(owner_revisions).where(eq(owner_revisions.owner_id, me.id))
    const crossing = async () => {
      const { raised } = await commitChange(server.database, server.clock(), async (tx) => {
        // As a price update: no lock on the owner (decision 0049).
        await tx.execute(sql`SELECT 1`)
        tx.raise(me.id, 'widgets')
      })
      return raised.map(({ before, after }) => [before, after] as const)
    }
    const changes = Array.from({ length: 8 }, async (_, i) =>
      i % 2 === 0 ? crossing() : [step(await me.update(widgets[i % 4 === 1 ? 0 : 1]!.id, { high_threshold: i + 1 }))!],
    )
    const steps = (await Promise.all(changes)).flat().toSorted(([a], [b]) => a - b)
    expect(steps).toHaveLength(8)
    expect(steps.map(([before]) => before)).toEqual([0, ...steps.map(([, after]) => after).slice(0, -1)])
  }
})

test('lists read while changes commit never show two states under one revision', async () => {
  const me = await server.user({ premium: true })
  const widgets = await Promise.all(COINS.slice(0, 3).map((coin) => me.add('bitcoin', coin)))
  const written = new AbortController()
  const write = async () => {
    for (let i = 1; i <= 25; i++) {
      const answers = await Promise.all(
        widgets.map(({ id }, which) => me.update(id, which === 0 ? { high_threshold: i } : { low_threshold: i })),
      )
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    }
    written.abort()
  }
  const states = new Map<number, string>()
  const look = async () => {
    while (!written.signal.aborted) {
      const answer = await read(me)
      const revision = revisionOf(answer)
      const state = JSON.stringify(answer.body)
      expect(states.get(revision) ?? state).toBe(state)
      states.set(revision, state)
    }
  }
  await Promise.all([write(), look(), look()])
  expect(states.size).toBeGreaterThan(2)
})

test('a transaction of many owners raises each of them, and leaves out one who is gone', async () => {
  const people = await Promise.all(Array.from({ length: 5 }, () => server.user()))
  await server.database.orm.delete(owners).where(eq(owners.id, people[4]!.id))
  const raise = () =>
    commitChange(server.database, server.clock(), async (tx) => {
      for (const { id } of people.toReversed()) tx.raise(id, 'widgets')
    })
  for (const { raised } of [await raise(), ...(await Promise.all([raise(), raise(), raise()]))]) {
    expect(raised.map(({ owner }) => owner).toSorted()).toEqual(
      people
        .slice(0, 4)
        .map(({ id }) => id)
        .toSorted(),
    )
  }
})
