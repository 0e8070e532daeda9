import { randomUUID } from 'node:crypto'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { DAY } from '../../src/domain/granularity'
import { changeOnce } from '../../server/services/operations'
import { removeOutdated } from '../../server/services/retention'
import type { OpId } from '../../src/domain/ids'
import { withServer } from './support/for-file'
import type { Guest } from './support/guest'
import type { Answered } from './support/person'
import { expectRepeatsToChangeNothing } from './support/repeated-requests'

const server = withServer({ env: { FREE_MAX_WIDGETS: '8' } })

const REPLAYED = 'idempotent-replayed'

test('a widget create repeated after 400 days answers with the widget as it is now and makes no second widget', async () => {
  const me = server.guest()
  const op = randomUUID()
  const body = { coin_a_id: 'bitcoin', coin_b_id: 'ethereum' }
  const first = await me.create(body, op)
  await me.add('solana', 'tron')
  const changed = await me.update(first.body.id, { high_threshold: 9 })
  server.clock.advance(400 * DAY)
  await removeOutdated(server.database, 'expire-operations', server.clock())
  // A coin that is no longer known does not matter to a repetition; nor does the order of the body's members.
  server.market.usd.delete('ethereum')
  const again = await me.create({ coin_b_id: 'ethereum', coin_a_id: 'bitcoin' }, op)
  server.market.usd.set('ethereum', 500)
  expect(again.status).toBe(201)
  expect(again.body).toEqual(changed.body)
  expect(again.headers[REPLAYED]).toBe('true')
  expect(first.headers[REPLAYED]).toBeUndefined()
  expect(await me.list()).toHaveLength(2)
})

test('a widget create repeated 400 days after the widget’s removal gets 404 and makes nothing', async () => {
  const me = server.guest()
  const op = randomUUID()
  const body = { coin_a_id: 'bitcoin', coin_b_id: 'ethereum' }
  const { id } = (await me.create(body, op)).body
  await me.remove(id)
  server.clock.advance(400 * DAY)
  await removeOutdated(server.database, 'expire-operations', server.clock())
  const again = await me.create(body, op)
  expect([again.status, again.body.error_code]).toEqual([404, 'NOT_FOUND'])
  expect(await me.list()).toEqual([])
})

test('a request that reuses an idempotency key for something else is refused with 422; each owner has own keys', async () => {
  const me = server.guest()
  const [createOp, updateOp] = [randomUUID(), randomUUID()]
  const widget = await me.add('bitcoin', 'ethereum', createOp)
  await me.update(widget.id, { high_threshold: 2 }, updateOp)
  const before = await me.list()
  const reused = [
    await me.create({ coin_a_id: 'bitcoin', coin_b_id: 'solana' }, createOp),
    await me.create({ coin_a_id: 'bitcoin', coin_b_id: 'solana' }, updateOp),
    await me.update(widget.id, { high_threshold: 3 }, updateOp),
    await me.update(widget.id, { high_threshold: 2 }, createOp),
    await me.update(randomUUID(), { high_threshold: 2 }, updateOp),
    await me.remove(widget.id, updateOp),
    await me.reorder([], createOp),
    await me.saveCheckpoint(widget.id, 2, createOp),
    await me.deleteCheckpoint(widget.id, updateOp),
  ]
  for (const { status, body } of reused) expect([status, body?.error_code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED'])
  expect(await me.list()).toEqual(before)
  // Another owner's key is another key, now and when it is repeated.
  const other = server.guest()
  const theirs = await other.create({ coin_a_id: 'tron', coin_b_id: 'solana' }, createOp)
  expect(theirs.status).toBe(201)
  expect((await other.create({ coin_a_id: 'tron', coin_b_id: 'solana' }, createOp)).body).toEqual(theirs.body)
  expect((await me.create({ coin_a_id: 'bitcoin', coin_b_id: 'ethereum' }, createOp)).body.id).toBe(widget.id)
})

test('a repeated widget update, reorder or removal changes nothing and answers with the present state', async () => {
  const me = server.guest()
  const [a, b] = [await me.add('bitcoin', 'ethereum'), await me.add('bitcoin', 'solana')]
  const [updateOp, orderOp, deleteOp] = [randomUUID(), randomUUID(), randomUUID()]
  await me.update(a.id, { high_threshold: 2 }, updateOp)
  await me.reorder([b.id, a.id], orderOp)
  // Another device goes on.
  await me.update(a.id, { high_threshold: 7 })
  await me.reorder([a.id, b.id])
  const present = await me.list()

  const updated = await me.update(a.id, { high_threshold: 2 }, updateOp)
  expect([updated.status, updated.headers[REPLAYED], updated.body]).toEqual([200, 'true', present[0]])
  const ordered = await me.reorder([b.id, a.id], orderOp)
  expect([ordered.status, ordered.headers[REPLAYED], ordered.body]).toEqual([200, 'true', present])
  expect(await me.list()).toEqual(present)

  expect((await me.remove(a.id, deleteOp)).headers[REPLAYED]).toBeUndefined()
  const removed = await me.remove(a.id, deleteOp)
  expect([removed.status, removed.headers[REPLAYED], removed.body]).toEqual([204, 'true', undefined])
  const gone = await me.update(a.id, { high_threshold: 2 }, updateOp)
  expect([gone.status, gone.headers[REPLAYED], gone.body]).toEqual([204, 'true', undefined])
})

test('the server forgets the idempotency key of a widget update after 90 days, not before', async () => {
  const me = server.guest()
  const op = randomUUID()
  const { id } = await me.add('bitcoin', 'ethereum')
  await me.update(id, { high_threshold: 2 }, op)
  await me.update(id, { high_threshold: 7 })
  server.clock.advance(90 * DAY - 1)
  await removeOutdated(server.database, 'expire-operations', server.clock())
  expect((await me.update(id, { high_threshold: 2 }, op)).body.high_threshold).toBe(7)
  server.clock.advance(2)
  await removeOutdated(server.database, 'expire-operations', server.clock())
  expect((await me.update(id, { high_threshold: 2 }, op)).body.high_threshold).toBe(2)
})

test('a refused widget create does not use up its idempotency key: the same request may succeed later', async () => {
  const me = server.guest()
  const op = randomUUID()
  const body = { coin_a_id: 'bitcoin', coin_b_id: 'new-coin' }
  expect((await me.create(body, op)).status).toBe(422)
  server.market.usd.set('new-coin', 1)
  expect((await me.create(body, op)).status).toBe(201)
})

test('of ten simultaneous requests with one idempotency key, one is carried out and nine are answered as replays', async () => {
  const me = server.guest()
  const op = randomUUID()
  const body = { coin_a_id: 'bitcoin', coin_b_id: 'ethereum' }
  const creates = await Promise.all(Array.from({ length: 10 }, () => me.create(body, op)))
  expect(new Set(creates.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1)
  expect(creates.filter(({ headers }) => headers[REPLAYED] === undefined)).toHaveLength(1)
  const deleteOp = randomUUID()
  const { id } = creates[0]?.body ?? { id: '' }
  const deletes = await Promise.all(Array.from({ length: 10 }, () => me.remove(id, deleteOp)))
  expect(deletes.every(({ status }) => status === 204)).toBe(true)
  expect(deletes.filter(({ headers }) => headers[REPLAYED] === undefined)).toHaveLength(1)
})

const COINS = ['bitcoin', 'ethereum', 'solana', 'cardano', 'ripple']
const place = fc.nat({ max: 7 })
const flags = fc.record(
  { high_threshold_active: fc.boolean(), low_threshold: fc.option(fc.integer({ min: 1, max: 9 })) },
  { requiredKeys: [] },
)
const step = fc.oneof(
  fc.record({ do: fc.constant('create' as const), a: fc.constantFrom(...COINS), b: fc.constantFrom(...COINS) }),
  fc.record({ do: fc.constant('update' as const), at: place, body: flags }),
  fc.record({ do: fc.constant('remove' as const), at: place }),
  fc.record({ do: fc.constant('reorder' as const), places: fc.array(place, { maxLength: 5 }) }),
  fc.record({ do: fc.constant('save' as const), at: place, ratio: fc.integer({ min: 1, max: 9 }) }),
  fc.record({ do: fc.constant('unsave' as const), at: place }),
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

/** A step as a request that can be sent again: its targets are fixed by the widgets that are there when it is made. */
async function request(me: Guest, step: Step): Promise<() => Promise<Answered<unknown>>> {
  const ids = (await me.list()).map(({ id }) => id)
  const op = randomUUID()
  const at = (place: number) => ids[place % Math.max(ids.length, 1)] ?? randomUUID()
  switch (step.do) {
    case 'create':
      return () => me.create({ coin_a_id: step.a, coin_b_id: step.b }, op)
    case 'update': {
      const id = at(step.at)
      return () => me.update(id, step.body, op)
    }
    case 'remove': {
      const id = at(step.at)
      return () => me.remove(id, op)
    }
    case 'reorder': {
      const wanted = step.places.map(at)
      return () => me.reorder(wanted, op)
    }
    case 'save': {
      const id = at(step.at)
      return () => me.saveCheckpoint(id, step.ratio, op)
    }
    case 'unsave': {
      const id = at(step.at)
      return () => me.deleteCheckpoint(id, op)
    }
  }
}

/** A guest's rows, without their random ids. */
async function board(me: Guest): Promise<unknown> {
  return (await me.list()).map(({ id: _id, created_by_op: _op, checkpoints, ...rest }) => ({
    ...rest,
    checkpoints: checkpoints.map(({ ratio, is_default, display_order }) => ({ ratio, is_default, display_order })),
  }))
}

test('a guest’s requests end in the same widget list whether each is sent once or repeated at any later time', async () => {
  await expectRepeatsToChangeNothing({ step, runs: 30, begin: async () => server.guest(), request, content: board })
}, 120_000)

/** A request as the client wrote it, and as two versions of the server parse it. */
const WRITTEN = ['POST', '/widgets', { coin: 'bitcoin' }]
const PARSED = ['POST', '/widgets', { coin: 'bitcoin', alerts: false }]
const PARSED_LATER = ['POST', '/widgets', { coin: 'bitcoin', alerts: false, sound: true }]

/** Asks for a change by a key; says whether it was made now or before. */
async function change(op: OpId, asked: readonly unknown[], parsed: readonly unknown[]): Promise<string> {
  const caller = { kind: 'guest', anonymousHash: 'one' } as const
  const asking = { caller, op, asked, parsed, now: server.clock() }
  const steps = { forEver: true, raises: 'nothing', make: async () => 'made', recall: async () => 'recalled' } as const
  return (await changeOnce(server.database, asking, steps)).value
}

test('a retry is recognized after a deployment that gives a field of its body a new default', async () => {
  const op = randomUUID() as OpId
  expect(await change(op, WRITTEN, PARSED)).toBe('made')
  expect(await change(op, WRITTEN, PARSED_LATER)).toBe('recalled')
})

test('a retry is recognized by a key that an earlier version stored with the body as it understood it', async () => {
  const op = randomUUID() as OpId
  expect(await change(op, PARSED, PARSED)).toBe('made')
  expect(await change(op, WRITTEN, PARSED)).toBe('recalled')
  await expect(change(op, ['POST', '/widgets', { coin: 'ethereum' }], PARSED_LATER)).rejects.toMatchObject({
    code: 'IDEMPOTENCY_KEY_REUSED',
  })
})
