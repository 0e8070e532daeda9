import { expect, test } from 'vitest'
import { withServer } from './support/for-file'

const server = withServer()

const COINS = ['bitcoin', 'ethereum', 'solana', 'cardano', 'ripple', 'dogecoin', 'litecoin']
const PAIRS = COINS.flatMap((a) => COINS.filter((b) => b !== a).map((b) => [a, b] as const))

test('parallel widget creates of a new guest do not exceed the limit of five widgets', async () => {
  const me = server.guest()
  const answers = await Promise.all(PAIRS.map(([coin_a_id, coin_b_id]) => me.create({ coin_a_id, coin_b_id })))
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(5)
  expect(answers.filter(({ body }) => body.error_code === 'WIDGET_LIMIT_REACHED')).toHaveLength(PAIRS.length - 5)
  const listed = await me.list()
  expect(listed.map(({ display_order }) => display_order)).toEqual([0, 1, 2, 3, 4])
})

test('of parallel widget creates for one pair, one makes the widget and the others get 409 with its id', async () => {
  const me = server.guest()
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => me.create({ coin_a_id: 'bitcoin', coin_b_id: 'ethereum' })),
  )
  const [made, ...others] = answers.toSorted((a, b) => a.status - b.status)
  expect(made?.status).toBe(201)
  for (const { status, body } of others) {
    expect([status, body.error_code, body.widget.id]).toEqual([409, 'PAIR_EXISTS', made?.body.id])
  }
  expect(await me.list()).toHaveLength(1)
})

test('five parallel widget creates, the first requests of a guest, all end in that guest’s widget list', async () => {
  const me = server.guest()
  await Promise.all(PAIRS.slice(0, 5).map(([coin_a_id, coin_b_id]) => me.create({ coin_a_id, coin_b_id })))
  expect(await me.list()).toHaveLength(5)
})

test('parallel widget removals and creates leave positions without gaps', async () => {
  const me = server.guest()
  const made = await Promise.all(PAIRS.slice(0, 4).map(([a, b]) => me.add(a, b)))
  await Promise.all([
    ...made.slice(0, 3).map(({ id }) => me.remove(id)),
    ...PAIRS.slice(10, 14).map(([coin_a_id, coin_b_id]) => me.create({ coin_a_id, coin_b_id })),
  ])
  const listed = await me.list()
  expect(listed.length).toBeGreaterThanOrEqual(2)
  expect(listed.map(({ display_order }) => display_order)).toEqual(listed.map((_, place) => place))
})
