/** @module-tag both-engines */
import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { withServer } from './support/for-file'
import { seeded } from './support/seeded'
import type { User } from './support/user'

const LIMIT = 6

let me: User
let widget: string
const server = withServer({ env: { PREMIUM_MAX_CHECKPOINTS: String(LIMIT) } })
beforeAll(async () => {
  me = await server.user({ premium: true })
})

const COINS = ['ethereum', 'solana', 'cardano', 'ripple', 'dogecoin', 'litecoin']
const fresh = async () => (await me.add('bitcoin', COINS.shift()!)).id

/** The list, once it is known to be one that may be: at most so many, places without holes, one default. */
async function wholeList() {
  const list = await me.checkpoints(widget)
  expect(list.length).toBeLessThanOrEqual(LIMIT)
  expect(list.map(({ display_order }) => display_order)).toEqual(list.map((_, place) => place))
  expect(list.filter(({ is_default }) => is_default)).toHaveLength(Math.min(1, list.length))
  return list
}

test('of twenty parallel checkpoint creates, only as many succeed as the tier allows, each at its own position', async () => {
  widget = await fresh()
  const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => me.save(widget, i + 1)))
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(LIMIT)
  expect(answers.filter(({ body }) => body.error_code === 'CHECKPOINT_LIMIT_REACHED')).toHaveLength(20 - LIMIT)
  const list = await wholeList()
  expect(list).toHaveLength(LIMIT)
  expect(new Set(list.map(({ id }) => id)).size).toBe(LIMIT)
  const made = answers.filter(({ status }) => status === 201).map(({ body }) => body.id)
  expect(new Set(list.map(({ id }) => id))).toEqual(new Set(made))
})

test('parallel checkpoint creates with one idempotency key make one checkpoint, and every request is answered with it', async () => {
  widget = await fresh()
  const op = randomUUID()
  const answers = await Promise.all(Array.from({ length: 12 }, () => me.save(widget, 4, op)))
  expect(new Set(answers.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1)
  expect(answers.filter(({ headers }) => headers['idempotent-replayed'] === undefined)).toHaveLength(1)
  expect(await wholeList()).toHaveLength(1)
})

test('of three parallel creates for the last free checkpoint place, one succeeds and two get 403', async () => {
  widget = await fresh()
  for (let i = 1; i < LIMIT; i++) await me.save(widget, i)
  for (let round = 0; round < 5; round++) {
    const answers = await Promise.all([me.save(widget, 8), me.save(widget, 9), me.save(widget, 10)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 403, 403])
    expect((await me.drop(widget, answers.find(({ status }) => status === 201)!.body.id)).status).toBe(200)
  }
})

test('random parallel checkpoint requests leave exactly one default checkpoint and positions without gaps', async () => {
  widget = await fresh()
  const random = seeded(11)
  const statuses = new Set<number>()
  for (let round = 0; round < 12; round++) {
    const ids = (await wholeList()).map(({ id }) => id)
    const any = () => ids[Math.floor(random() * ids.length)] ?? randomUUID()
    const ways = [
      () => me.save(widget, round + 1),
      () => me.save(widget, round + 1, undefined, false),
      () => me.prefer(widget, any()),
      () => me.drop(widget, any()),
      () => me.dropMany(widget, [any()]),
      () => me.arrange(widget, [any(), any(), any()]),
      () => me.change(widget, any(), 3),
    ]
    const asked = Array.from({ length: 8 }, () => ways[Math.floor(random() * ways.length)]!())
    for (const { status } of await Promise.all(asked)) statuses.add(status)
    await wholeList()
  }
  expect([...statuses].filter((status) => ![200, 201, 403, 404].includes(status))).toEqual([])
  expect(statuses.has(200) && statuses.has(201)).toBe(true)
})

test('the widget list is read as one snapshot: a widget deleted during the read is still listed with its checkpoint', async () => {
  widget = await fresh()
  await me.save(widget, 1)
  const before = await me.list()
  const { pool } = server.database
  const ask = pool.query.bind(pool) as (...args: unknown[]) => Promise<unknown>
  let removed = false
  const query = async (...args: unknown[]) => {
    const answer = await ask(...args)
    if (!removed && JSON.stringify(args[0]).includes('join \\"widgets\\"')) {
      removed = true
      await ask('DELETE FROM widgets WHERE id = $1', [widget])
    }
    return answer
  }
  Object.assign(pool, { query })
  const meanwhile = await me.list()
  Reflect.deleteProperty(pool, 'query')
  expect(removed).toBe(true)
  expect(meanwhile).toEqual(before)
  expect((await me.list()).map(({ id }) => id)).not.toContain(widget)
})
