import { randomUUID } from 'node:crypto'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkpoint as checkpointSchema } from '../../src/contract/checkpoint'
import { withServer } from './support/for-file'
import { SAVED_AT } from './support/person'
import { START } from './support/test-clock'
import type { User } from './support/user'

const server = withServer({ env: { PREMIUM_MAX_CHECKPOINTS: '4' } })

/** A premium user with one widget whose checkpoints hold these ratios, the last of them the default. */
async function holder(...ratios: readonly number[]): Promise<{ me: User; widget: string; ids: string[] }> {
  const me = await server.user({ premium: true })
  const widget = (await me.add('bitcoin', 'ethereum')).id
  const ids: string[] = []
  for (const ratio of ratios) ids.push((await me.save(widget, ratio)).body.id)
  return { me, widget, ids }
}

/** Each ratio with its flag, once the list is known to be whole: places without holes. */
function shape(list: readonly { ratio: number; is_default: boolean; display_order: number }[]): string[] {
  expect(list.map(({ display_order }) => display_order)).toEqual(list.map((_, place) => place))
  return list.map(({ ratio, is_default }) => `${ratio}${is_default ? ' default' : ''}`)
}

test('a saved checkpoint comes back as it was sent, with its user’s id and, if it had one, its idempotency key', async () => {
  const { me, widget } = await holder()
  const op = randomUUID()
  const made = await me.save(widget, 17.25, op)
  expect(made.status).toBe(201)
  expect(made.body).toEqual({
    id: expect.any(String),
    widget_id: widget,
    ratio: 17.25,
    timestamp: SAVED_AT,
    is_default: true,
    display_order: 0,
    created_at: new Date(START).toISOString(),
    user_id: me.id,
    created_by_op: op,
  })
  expect(checkpointSchema.safeParse(made.body).success).toBe(true)
  expect(await me.checkpoints(widget)).toEqual([made.body])
  const keyless = await me.ask<{ created_by_op: null }>('POST', `/widgets/${widget}/checkpoints`, {
    ratio: 1,
    timestamp: SAVED_AT,
  })
  expect([keyless.status, keyless.body.created_by_op]).toEqual([201, null])
})

test('a checkpoint’s prices come back with it, go with the ratio they made, and are refused if they make another', async () => {
  const { me, widget } = await holder()
  const of = `/widgets/${widget}/checkpoints`
  const prices = { a: 60_000.1, b: 3_000.7 }
  const body = { ratio: prices.a / prices.b, prices, timestamp: SAVED_AT }
  const made = await me.ask<{ id: string; prices: unknown }>('POST', of, body)
  expect([made.status, made.body.prices]).toEqual([201, prices])
  expect(await me.checkpoints(widget)).toEqual([made.body])
  const one = `${of}/${made.body.id}`
  const next = { ratio: 5, prices: { a: 10, b: 2 }, timestamp: SAVED_AT }
  expect((await me.ask('PUT', one, next)).body).toMatchObject(next)
  // A client that does not know prices.
  expect((await me.ask('PUT', one, { ratio: 6, timestamp: SAVED_AT })).body).not.toHaveProperty('prices')
  for (const wrong of [{ a: 10, b: 2.001 }, { a: -10, b: -2 }, { a: 10 }, null]) {
    const answer = await me.ask<{ errors: { path: string }[] }>('PUT', one, { ...next, prices: wrong })
    expect([answer.status, answer.body.errors[0]!.path.startsWith('body.prices')]).toEqual([422, true])
  }
  expect((await me.checkpoints(widget))[0]).toMatchObject({ ratio: 6 })
})

test('a new checkpoint becomes default only if the request says so, but the first of a widget always does', async () => {
  const { me, widget } = await holder()
  expect((await me.save(widget, 1, undefined, false)).body.is_default).toBe(true)
  expect((await me.save(widget, 2, undefined, false)).body.is_default).toBe(false)
  expect((await me.save(widget, 3)).body).toMatchObject({ is_default: true, display_order: 2 })
  expect(shape(await me.checkpoints(widget))).toEqual(['1', '2', '3 default'])
})

test('a checkpoint update replaces ratio and timestamp, and leaves position, default flag and other checkpoints', async () => {
  const { me, widget, ids } = await holder(1, 2, 3)
  const before = await me.checkpoints(widget)
  const body = { ratio: 9, timestamp: '2026-03-01T00:00:00.000Z' }
  const changed = await me.ask('PUT', `/widgets/${widget}/checkpoints/${ids[0]}`, body)
  expect([changed.status, changed.body]).toEqual([200, { ...before[0], ...body }])
  expect(await me.checkpoints(widget)).toEqual([{ ...before[0], ...body }, before[1], before[2]])
})

test('a checkpoint deletion answers with the rest; the last of them becomes default if the default was deleted', async () => {
  const { me, widget, ids } = await holder(1, 2, 3)
  const [a, b, c] = ids as [string, string, string]
  const answer = await me.drop(widget, b)
  expect(answer.status).toBe(200)
  expect(shape(answer.body)).toEqual(['1', '3 default'])
  expect(answer.body).toEqual(await me.checkpoints(widget))
  await me.save(widget, 4, undefined, false)
  expect(shape((await me.drop(widget, c)).body)).toEqual(['1', '4 default'])
  expect(shape((await me.drop(widget, a)).body)).toEqual(['4 default'])
  expect((await me.drop(widget, (await me.checkpoints(widget))[0]!.id)).body).toEqual([])
})

test('several checkpoints are deleted in one request, in which unknown and repeated ids are ignored', async () => {
  const { me, widget, ids } = await holder(1, 2, 3, 4)
  const [a, , c, d] = ids as [string, string, string, string]
  expect(shape((await me.dropMany(widget, [])).body)).toEqual(['1', '2', '3', '4 default'])
  expect(shape((await me.dropMany(widget, [randomUUID(), a, 'temp-cp-1', d, a])).body)).toEqual(['2', '3 default'])
  expect(shape((await me.dropMany(widget, [c])).body)).toEqual(['2 default'])
})

test.each([
  ['all named', [2, 0, 1], ['3 default', '1', '2']],
  ['left out: at the end, in their order', [1], ['2', '1', '3 default']],
  ['unknown, and twice', [7, 2, 7, 1, 2], ['3 default', '2', '1']],
  ['nothing', [], ['1', '2', '3 default']],
])('a checkpoint reorder answers with the whole list in its new order: %s', async (_name, wanted, expected) => {
  const { me, widget, ids } = await holder(1, 2, 3)
  const answer = await me.arrange(
    widget,
    wanted.map((place) => ids[place] ?? randomUUID()),
  )
  expect(answer.status).toBe(200)
  expect(shape(answer.body)).toEqual(expected)
  expect(answer.body).toEqual(await me.checkpoints(widget))
})

test('a new default checkpoint is the only default, and the order of the list stays', async () => {
  const { me, widget, ids } = await holder(1, 2, 3)
  const answer = await me.prefer(widget, ids[0]!)
  expect(answer.status).toBe(200)
  expect(shape(answer.body)).toEqual(['1 default', '2', '3'])
  expect(answer.body).toEqual(await me.checkpoints(widget))
  expect(shape((await me.prefer(widget, ids[0]!)).body)).toEqual(['1 default', '2', '3'])
})

test('ids in capital letters mean the same widget, checkpoint or idempotency key in paths, bodies and headers', async () => {
  const { me, widget, ids } = await holder(1, 2, 3)
  const [a, b, c] = ids.map((id) => id.toUpperCase()) as [string, string, string]
  const there = widget.toUpperCase()
  expect(shape((await me.arrange(there, [c, a])).body)).toEqual(['3 default', '1', '2'])
  expect(shape((await me.prefer(there, a)).body)).toEqual(['3', '1 default', '2'])
  expect((await me.change(there, b, 5)).body.ratio).toBe(5)
  expect(shape((await me.dropMany(there, [b])).body)).toEqual(['3', '1 default'])
  const op = randomUUID()
  expect(shape((await me.drop(there, a, op.toUpperCase())).body)).toEqual(['3 default'])
  expect((await me.drop(widget, ids[0]!, op)).headers['idempotent-replayed']).toBe('true')
  const second = (await me.add('bitcoin', 'solana')).id
  expect((await me.reorder([second.toUpperCase(), there])).body.map(({ id }) => id)).toEqual([second, widget])
})

test('a checkpoint create at the tier’s limit per widget is refused with 403, while updates and other widgets still work', async () => {
  const { me, widget } = await holder(1, 2, 3, 4)
  const refused = await me.save(widget, 5)
  expect([refused.status, refused.body.error_code, refused.body.detail]).toEqual([
    403,
    'CHECKPOINT_LIMIT_REACHED',
    'You have reached the limit of 4 checkpoints for this widget on your current tier.',
  ])
  expect(shape(await me.checkpoints(widget))).toEqual(['1', '2', '3', '4 default'])
  // The limit is a widget's, not the user's.
  expect((await me.save((await me.add('bitcoin', 'solana')).id, 5)).status).toBe(201)
  const free = await server.user()
  const theirs = await free.add('bitcoin', 'ethereum')
  expect((await free.save(theirs.id, 1)).status).toBe(201)
  expect((await free.save(theirs.id, 2)).body.error_code).toBe('CHECKPOINT_LIMIT_REACHED')
  expect((await free.change(theirs.id, (await free.checkpoints(theirs.id))[0]!.id, 2)).body.ratio).toBe(2)
})

test('every checkpoint request for a removed widget is answered with 404', async () => {
  const { me, widget, ids } = await holder(1, 2)
  await me.remove(widget)
  for (const { status, body } of [
    await me.save(widget, 3),
    await me.change(widget, ids[0]!, 3),
    await me.drop(widget, ids[0]!),
    await me.dropMany(widget, ids),
    await me.arrange(widget, ids),
    await me.prefer(widget, ids[0]!),
  ]) {
    expect([status, body.error_code]).toEqual([404, 'NOT_FOUND'])
  }
})

test('a checkpoint of another user or another widget gets 404 in a path and is ignored in a list of ids', async () => {
  const { me, widget, ids } = await holder(1, 2)
  const other = await holder(3, 4)
  const [mine, theirs] = [ids[0]!, other.ids[0]!]
  const second = (await me.add('bitcoin', 'solana')).id
  await me.save(second, 8)
  const before = [await me.list(), await other.me.list()]
  for (const { status, body } of [
    // Another's widget, with one's own checkpoint, the other's, and one that nobody has.
    ...(await Promise.all(
      [theirs, mine, randomUUID()].flatMap((id) => [
        me.change(other.widget, id, 9),
        me.drop(other.widget, id),
        me.prefer(other.widget, id),
      ]),
    )),
    await me.save(other.widget, 9),
    await me.dropMany(other.widget, [theirs, mine]),
    await me.arrange(other.widget, [theirs, mine]),
    // One's own widget, with another's checkpoint, or with one of another widget.
    ...(await Promise.all(
      [theirs, randomUUID()].flatMap((id) => [me.change(widget, id, 9), me.drop(widget, id), me.prefer(widget, id)]),
    )),
    ...(await Promise.all([me.change(second, mine, 9), me.drop(second, mine), me.prefer(second, mine)])),
  ]) {
    expect([status, body.error_code]).toEqual([404, 'NOT_FOUND'])
  }
  // In a list they are ignored, like any unknown id.
  await me.dropMany(second, [theirs, mine])
  await me.arrange(widget, [theirs, ids[0]!, ids[1]!])
  expect([await me.list(), await other.me.list()]).toEqual(before)
})

test('a guest’s checkpoint has no user id, in the answer to its create and in the widget list', async () => {
  const me = server.guest()
  const widget = await me.add('bitcoin', 'ethereum')
  expect((await me.saveCheckpoint(widget.id, 2)).body.user_id).toBeNull()
  expect((await me.list())[0]?.checkpoints.map(({ user_id }) => user_id)).toEqual([null])
})

const place = fc.nat({ max: 5 })
const step = fc.oneof(
  fc.record({ do: fc.constant('save' as const), as_default: fc.boolean() }),
  fc.record({ do: fc.constant('drop' as const), at: place }),
  fc.record({ do: fc.constant('dropMany' as const), at: fc.array(place, { maxLength: 3 }) }),
  fc.record({ do: fc.constant('arrange' as const), at: fc.array(place, { maxLength: 5 }) }),
  fc.record({ do: fc.constant('prefer' as const), at: place }),
)

test('random checkpoint requests leave the same order and default checkpoint as a plain list model', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
      const { me, widget } = await holder()
      let order: string[] = []
      let marked: string | undefined
      for (const step of steps) {
        const at = (index: number) => order[index] ?? randomUUID()
        switch (step.do) {
          case 'save': {
            const { status, body } = await me.save(widget, 1, undefined, step.as_default)
            expect(status).toBe(order.length < 4 ? 201 : 403)
            if (status === 201) order.push(body.id)
            if (status === 201 && step.as_default) marked = body.id
            break
          }
          case 'drop':
            await me.drop(widget, at(step.at))
            order = order.filter((_, index) => index !== step.at)
            break
          case 'dropMany':
            await me.dropMany(widget, step.at.map(at))
            order = order.filter((_, index) => !step.at.includes(index))
            break
          case 'arrange': {
            const named = step.at.filter((index, i) => index < order.length && step.at.indexOf(index) === i)
            await me.arrange(widget, step.at.map(at))
            order = [...named.map(at), ...order.filter((_, index) => !named.includes(index))]
            break
          }
          case 'prefer':
            await me.prefer(widget, at(step.at))
            marked = order[step.at] ?? marked
        }
        if (marked === undefined || !order.includes(marked)) marked = order.at(-1)
        const list = await me.checkpoints(widget)
        expect(list.map(({ id, display_order }) => [id, display_order])).toEqual(order.map((id, index) => [id, index]))
        expect(list.filter(({ is_default }) => is_default).map(({ id }) => id)).toEqual(
          order.length > 0 ? [marked] : [],
        )
      }
    }),
    { numRuns: 40 },
  )
}, 120_000)
