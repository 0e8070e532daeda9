import { randomUUID } from 'node:crypto'
import * as fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { DAY } from '../../src/domain/granularity'
import { removeOutdated } from '../../server/services/retention'
import { withServer } from './support/for-file'
import type { Answered } from './support/person'
import type { User } from './support/user'
import { expectRepeatsToChangeNothing } from './support/repeated-requests'

let me: User
const server = withServer({ env: { PREMIUM_MAX_WIDGETS: '100', PREMIUM_MAX_CHECKPOINTS: '12' } })
beforeAll(async () => {
  me = await server.user({ premium: true })
})

const REPLAYED = 'idempotent-replayed'
const COINS = ['ethereum', 'solana', 'cardano', 'ripple', 'dogecoin', 'litecoin', 'polkadot', 'chainlink']

/** A new widget whose checkpoints hold 1, 2 and 3, the last of them the default. */
async function three(): Promise<{ widget: string; ids: [string, string, string] }> {
  const widget = (await me.add('bitcoin', COINS.shift()!)).id
  const save = async (ratio: number): Promise<string> => (await me.save(widget, ratio)).body.id
  return { widget, ids: [await save(1), await save(2), await save(3)] }
}

const brief = ({ status, headers, body }: Answered<unknown>) => [status, headers[REPLAYED], body]

test('a checkpoint create repeated after 400 days answers with the checkpoint as it is now, or 404 once it is deleted', async () => {
  const { widget, ids } = await three()
  const op = randomUUID()
  const first = await me.save(widget, 5, op)
  expect(first.headers[REPLAYED]).toBeUndefined()
  const changed = await me.change(widget, first.body.id, 6)
  await me.prefer(widget, ids[0])
  server.clock.advance(400 * DAY)
  await removeOutdated(server.database, 'expire-operations', server.clock())
  const now = { ...changed.body, is_default: false }
  expect(brief(await me.save(widget, 5, op))).toEqual([201, 'true', now])
  await me.arrange(widget, [first.body.id])
  expect(brief(await me.save(widget, 5, op))).toEqual([201, 'true', { ...now, display_order: 0 }])
  await me.drop(widget, first.body.id)
  const before = await me.checkpoints(widget)
  const again = await me.save(widget, 5, op)
  expect([again.status, again.body.error_code]).toEqual([404, 'NOT_FOUND'])
  expect(await me.checkpoints(widget)).toEqual(before)
})

test('a repeated checkpoint create is answered with its checkpoint even when the widget has reached its limit', async () => {
  const { widget } = await three()
  const op = randomUUID()
  const made = await me.save(widget, 4, op)
  for (let ratio = 5; ratio <= 12; ratio++) expect((await me.save(widget, ratio, undefined, false)).status).toBe(201)
  expect((await me.save(widget, 13)).body.error_code).toBe('CHECKPOINT_LIMIT_REACHED')
  expect(brief(await me.save(widget, 4, op))).toEqual([201, 'true', made.body])
})

test('a repeated checkpoint change, deletion, reorder or default changes nothing and answers with the present state', async () => {
  const { widget, ids } = await three()
  const ops = Array.from({ length: 5 }, () => randomUUID())
  const [a, b, c] = ids
  const fourth = (await me.save(widget, 4)).body.id
  const changes = [
    () => me.change(widget, b, 9, ops[0]),
    () => me.drop(widget, a, ops[1]),
    () => me.dropMany(widget, [c], ops[2]),
    () => me.arrange(widget, [fourth, b], ops[3]),
    () => me.prefer(widget, b, ops[4]),
  ]
  for (const change of changes) expect((await change()).headers[REPLAYED]).toBeUndefined()
  // Another device goes on.
  await me.change(widget, b, 7)
  await me.arrange(widget, [b, fourth])
  await me.prefer(widget, fourth)
  const present = await me.checkpoints(widget)
  const [update, ...lists] = await Promise.all(changes.map((change) => change()))
  expect(brief(update!)).toEqual([200, 'true', present.find(({ id }) => id === b)])
  for (const list of lists) expect(brief(list)).toEqual([200, 'true', present])
  expect(await me.checkpoints(widget)).toEqual(present)

  await me.drop(widget, b)
  expect(brief(await changes[0]!())).toEqual([204, 'true', undefined])
  expect(brief(await changes[4]!())).toEqual([200, 'true', await me.checkpoints(widget)])
  await me.remove(widget)
  for (const change of changes) expect(brief(await change())).toEqual([204, 'true', undefined])
})

test('a checkpoint or widget request that reuses an idempotency key for something else is refused with 422', async () => {
  const { widget, ids } = await three()
  const [saving, preferring] = [randomUUID(), randomUUID()]
  await me.save(widget, 4, saving)
  await me.prefer(widget, ids[0], preferring)
  const other = (await me.add('ethereum', 'bitcoin')).id
  const before = await me.list()
  for (const { status, body } of [
    await me.save(widget, 5, saving),
    await me.save(widget, 4, saving, false),
    await me.save(other, 4, saving),
    await me.save(widget, 4, preferring),
    await me.prefer(widget, ids[1], preferring),
    await me.prefer(widget, ids[0], saving),
    await me.drop(widget, ids[0], preferring),
    await me.dropMany(widget, [ids[0]], preferring),
    await me.arrange(widget, [ids[0]], preferring),
    await me.change(widget, ids[0], 4, saving),
    await me.update(widget, {}, saving),
  ]) {
    expect([status, body.error_code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED'])
  }
  expect(await me.list()).toEqual(before)
})

const place = fc.nat({ max: 5 })
const step = fc.oneof(
  fc.record({ do: fc.constant('save' as const), ratio: fc.integer({ min: 1, max: 9 }), as_default: fc.boolean() }),
  fc.record({ do: fc.constant('change' as const), at: place, ratio: fc.integer({ min: 10, max: 19 }) }),
  fc.record({ do: fc.constant('drop' as const), at: place }),
  fc.record({ do: fc.constant('dropMany' as const), places: fc.array(place, { maxLength: 3 }) }),
  fc.record({ do: fc.constant('arrange' as const), places: fc.array(place, { maxLength: 5 }) }),
  fc.record({ do: fc.constant('prefer' as const), at: place }),
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

/** A step as a request that can be sent again: it is about the checkpoints that are there when it is made. */
async function request(who: User, widget: string, step: Step): Promise<() => Promise<Answered<unknown>>> {
  const ids = (await who.checkpoints(widget)).map(({ id }) => id)
  const nobody = randomUUID()
  const at = (place: number) => ids[place] ?? nobody
  const op = randomUUID()
  switch (step.do) {
    case 'save':
      return () => who.save(widget, step.ratio, op, step.as_default)
    case 'change':
      return () => who.change(widget, at(step.at), step.ratio, op)
    case 'drop':
      return () => who.drop(widget, at(step.at), op)
    case 'dropMany':
      return () => who.dropMany(widget, step.places.map(at), op)
    case 'arrange':
      return () => who.arrange(widget, step.places.map(at), op)
    case 'prefer':
      return () => who.prefer(widget, at(step.at), op)
  }
}

test('checkpoint requests end in the same list whether each is sent once or repeated at any later time', async () => {
  type Side = readonly [who: User, widget: string]
  await expectRepeatsToChangeNothing({
    step,
    runs: 25,
    begin: async (): Promise<Side> => {
      const who = await server.user({ premium: true })
      return [who, (await who.add('bitcoin', 'tron')).id]
    },
    request: ([who, widget], one) => request(who, widget, one),
    content: async ([who, widget]) =>
      (await who.checkpoints(widget)).map(({ ratio, is_default, display_order }) => [ratio, is_default, display_order]),
  })
}, 120_000)
