/** @module-tag both-engines */
import { randomUUID } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { widget as widgetSchema } from '../../src/contract/widget'
import { withServer } from './support/for-file'
import { testApp } from './support/test-app'
import { START } from './support/test-clock'

const server = withServer()

test('a new guest has no widgets', async () => {
  expect(await server.guest().list()).toEqual([])
})

test('a created widget is returned and listed with the values given, at the end of the list', async () => {
  const me = server.guest()
  const op = randomUUID()
  const made = await me.create(
    {
      coin_a_id: 'bitcoin',
      coin_b_id: 'ethereum',
      high_threshold: 17.5,
      low_threshold: null,
      notifications_enabled: true,
    },
    op,
  )
  expect(made.status).toBe(201)
  expect(made.body).toEqual({
    id: expect.any(String),
    display_order: 0,
    alert_margin: 0,
    alert_hold_minutes: 0,
    coin_a_id: 'bitcoin',
    coin_b_id: 'ethereum',
    high_threshold: 17.5,
    low_threshold: null,
    notifications_enabled: true,
    high_threshold_active: true,
    low_threshold_active: true,
    high_epoch: 0,
    low_epoch: 0,
    is_active: true,
    created_at: new Date(START).toISOString(),
    created_by_op: op,
    checkpoints: [],
    rules: [],
  })
  const second = await me.add('ethereum', 'bitcoin')
  expect(second.display_order).toBe(1)
  const listed = await me.list()
  expect(listed).toEqual([made.body, second])
  expect(z.array(widgetSchema).safeParse(listed).success).toBe(true)
})

test('callers who ask at the same moment are answered with their own widgets each, by statements that they share', async () => {
  const [user, newcomer] = [await server.user(), server.guest()]
  const people = [user, await server.user(), ...Array.from({ length: 18 }, () => server.guest())]
  const made = await Promise.all(people.map((me, index) => me.add('bitcoin', ['ethereum', 'solana'][index % 2]!)))
  const statements = vi.spyOn(server.database.pool, 'query')
  const lists = await Promise.all([...people, user, newcomer].map((me) => me.list()))
  expect(statements.mock.calls.length).toBeLessThan(people.length / 2)
  statements.mockRestore()
  expect(lists).toEqual([...made.map((widget) => [widget]), [made[0]], []])
})

test('a widget created without an idempotency key has no created_by_op', async () => {
  const made = await server.guest().ask<{ created_by_op: null }>('POST', '/widgets', {
    coin_a_id: 'tron',
    coin_b_id: 'monero',
  })
  expect(made.status).toBe(201)
  expect(made.body.created_by_op).toBeNull()
})

test('a widget with equal coins, an unknown coin or an existing pair is refused with the reason, and is not created', async () => {
  const me = server.guest()
  const there = await me.add('bitcoin', 'ethereum')
  const refused = async (coin_a_id: string, coin_b_id: string) => {
    const { status, body } = await me.create({ coin_a_id, coin_b_id })
    return [status, body.error_code, body.detail]
  }
  expect(await refused('solana', 'solana')).toEqual([
    422,
    'SAME_COIN',
    'Base and Quote cryptocurrencies cannot be the same.',
  ])
  expect(await refused('solana', 'no-such-coin')).toEqual([422, 'UNKNOWN_COIN', 'The coin no-such-coin is not known.'])
  expect(await refused('bitcoin', 'ethereum')).toEqual([
    409,
    'PAIR_EXISTS',
    'The exact pair BITCOIN/ETHEREUM already exists.',
  ])
  expect((await me.create({ coin_a_id: 'bitcoin', coin_b_id: 'ethereum' })).body.widget).toEqual(there)
  expect(await me.list()).toEqual([there])
})

test('a guest’s sixth widget is refused with WIDGET_LIMIT_REACHED, and an existing pair still with PAIR_EXISTS', async () => {
  const me = server.guest()
  for (const coin of ['ethereum', 'solana', 'cardano', 'ripple', 'dogecoin']) await me.add('bitcoin', coin)
  const refused = await me.create({ coin_a_id: 'bitcoin', coin_b_id: 'litecoin' })
  expect([refused.status, refused.body.error_code]).toEqual([403, 'WIDGET_LIMIT_REACHED'])
  expect(refused.body.detail).toBe(
    'Maximum number of widgets (5) reached for your account tier. Upgrade to add more widgets.',
  )
  expect((await me.create({ coin_a_id: 'bitcoin', coin_b_id: 'solana' })).body.error_code).toBe('PAIR_EXISTS')
  expect(await me.list()).toHaveLength(5)
})

test('a widget update changes only the fields in the request, and null clears a threshold', async () => {
  const me = server.guest()
  const made = await me.add('bitcoin', 'ethereum')
  const set = await me.update(made.id, { high_threshold: 20, low_threshold: 5 })
  expect(set.body).toEqual({ ...made, high_threshold: 20, low_threshold: 5 })
  const cleared = await me.update(made.id, { high_threshold: null, notifications_enabled: true })
  expect(cleared.body).toEqual({ ...made, low_threshold: 5, notifications_enabled: true })
  const untouched = await me.update(made.id, {})
  expect(untouched.status).toBe(200)
  expect(await me.list()).toEqual([cleared.body])
})

test('a threshold’s epoch rises each time the threshold is re-armed, and at no other update', async () => {
  const me = server.guest()
  const { id } = await me.add('bitcoin', 'ethereum')
  const epochs = async (body: object) => {
    const { high_epoch, low_epoch } = (await me.update(id, body)).body
    return [high_epoch, low_epoch]
  }
  expect(await epochs({ high_threshold_active: true, low_threshold_active: true })).toEqual([0, 0])
  expect(await epochs({ high_threshold_active: false })).toEqual([0, 0])
  expect(await epochs({ high_threshold: 3 })).toEqual([0, 0])
  expect(await epochs({ high_threshold_active: true })).toEqual([1, 0])
  expect(await epochs({ high_threshold_active: true })).toEqual([1, 0])
  expect(await epochs({ low_threshold_active: false, high_threshold_active: false })).toEqual([1, 0])
  expect(await epochs({ low_threshold_active: true, high_threshold_active: true })).toEqual([2, 1])
})

test('removing a widget closes the gap in the display order and activates the next inactive widget', async () => {
  const generous = await testApp({ database: server.database, env: { FREE_MAX_WIDGETS: '4' } })
  const me = generous.guest()
  const made = []
  for (const coin of ['ethereum', 'solana', 'cardano', 'ripple']) made.push(await me.add('bitcoin', coin))
  await generous.close()

  // The same guest under a lower limit: what was made stays, what is beyond the limit is inactive.
  const strict = await testApp({ database: server.database, env: { FREE_MAX_WIDGETS: '2' } })
  const same = strict.guest(me.id)
  await same.reorder([])
  const state = async () =>
    (await same.list()).map((widget) => [widget.coin_b_id, widget.display_order, widget.is_active])
  expect(await state()).toEqual([
    ['ethereum', 0, true],
    ['solana', 1, true],
    ['cardano', 2, false],
    ['ripple', 3, false],
  ])
  expect((await same.remove(made[0]?.id ?? '')).status).toBe(204)
  expect(await state()).toEqual([
    ['solana', 0, true],
    ['cardano', 1, true],
    ['ripple', 2, false],
  ])
  await strict.close()
})
