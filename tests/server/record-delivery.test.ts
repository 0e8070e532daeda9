import { expect, test } from 'vitest'
import { claimDue, fanOut, type WaitingAlert } from '../../server/services/push/delivery-queue'
import { deliveryRecorder } from '../../server/services/push/record-delivery'
import { browserOf, crossing, deliveries, server, setPushScene, subscriptions } from './support/push-scene'

setPushScene()

/** Claims one alert for each of `count` browsers. */
async function claimed(count: number): Promise<readonly WaitingAlert[]> {
  for (let i = 0; i < count; i++) await browserOf()
  await crossing()
  await fanOut(server.database, server.clock())
  const pushes = await claimDue(server.database, 50, server.clock())
  return pushes.map(([alert]) => alert)
}
const sent = (now: number) => ({ kind: 'sent', freeAt: now }) as const
const outcomes = async () => (await deliveries()).map(({ outcome }) => outcome).toSorted()

test('the delivery recorder stores outcomes that end together in two statements, and frees each browser', async () => {
  const alerts = await claimed(12)
  expect(alerts).toHaveLength(12)
  let statements = 0
  const { orm } = server.database
  const execute: typeof orm.execute = (query) => {
    statements += 1
    return orm.execute(query)
  }
  const counting = new Proxy(orm, { get: (target, name) => (name === 'execute' ? execute : Reflect.get(target, name)) })
  const record = deliveryRecorder({ ...server.database, orm: counting })
  const now = server.clock()
  await Promise.all(alerts.map((alert) => record([alert], sent(now), now)))
  expect(statements).toBe(2)
  expect(await outcomes()).toEqual(alerts.map(() => 'sent'))
  expect((await subscriptions()).map(({ free_at }) => free_at.getTime())).toEqual(alerts.map(() => now))
})

test('the delivery recorder stores mixed outcomes of one moment: sent, given up, deferred and gone', async () => {
  const [a, b, c, d] = await claimed(4)
  const record = deliveryRecorder(server.database)
  const now = server.clock()
  await Promise.all([
    record([a!], sent(now), now),
    record([b!], { kind: 'undeliverable', freeAt: now }, now),
    record([c!], { kind: 'again', nextAttempt: now + 5_000, freeAt: now + 2_000 }, now),
    record([d!], { kind: 'gone' }, now),
  ])
  expect(await outcomes()).toEqual(['sent', 'undeliverable', 'waiting'])
  expect(await subscriptions()).toHaveLength(3)
})

test('recording a delivery that another process has recorded meanwhile keeps the first outcome', async () => {
  const [alert] = await claimed(1)
  const now = server.clock()
  for (const kind of ['sent', 'too-late'] as const) {
    // Each a process of its own.
    await deliveryRecorder(server.database)([alert!], { kind, freeAt: now }, now)
  }
  expect(await outcomes()).toEqual(['sent'])
})

test.skipIf(!process.env['TEST_DATABASE_URL'])(
  'deliveries of a browser whose row is locked are left out of the common statement, and recorded once the lock is gone',
  async () => {
    const alerts = await claimed(3)
    const now = server.clock()
    const client = await server.database.pool.connect()
    await client.query('BEGIN')
    await client.query('SELECT FROM push_subscriptions WHERE id = $1 FOR UPDATE', [alerts[0]!.target_id])
    const record = deliveryRecorder(server.database)
    // The first is recorded at once, and the others by the next statement together.
    const [first, locked, last] = [1, 0, 2].map((index) => record([alerts[index]!], sent(now), now))
    await Promise.all([first, last])
    expect(await outcomes()).toEqual(['sent', 'sent', 'waiting'])
    await client.query('COMMIT')
    client.release()
    await locked
    expect(await outcomes()).toEqual(['sent', 'sent', 'sent'])
  },
)

test.skipIf(!process.env['TEST_DATABASE_URL'])(
  'outcomes of other browsers are recorded while the recorder waits for the lock on one browser’s row',
  async () => {
    const [locked, other] = await claimed(2)
    const now = server.clock()
    const client = await server.database.pool.connect()
    await client.query('BEGIN')
    await client.query('SELECT FROM push_subscriptions WHERE id = $1 FOR UPDATE', [locked!.target_id])
    const record = deliveryRecorder(server.database)
    const waits = record([locked!], sent(now), now)
    await record([other!], sent(now), now)
    expect(await outcomes()).toEqual(['sent', 'waiting'])
    await client.query('COMMIT')
    client.release()
    await waits
    expect(await outcomes()).toEqual(['sent', 'sent'])
  },
)

test('a claim passes by hundreds of deliveries that wait for a busy browser, and takes the next browser’s', async () => {
  await browserOf()
  for (let epoch = 0; epoch < 300; epoch++) await crossing({ epoch })
  await fanOut(server.database, server.clock())
  const [busy] = await claimDue(server.database, 1, server.clock())
  await browserOf()
  server.clock.advance(1_000)
  await crossing({ epoch: 300 })
  await fanOut(server.database, server.clock())
  const next = await claimDue(server.database, 1, server.clock())
  expect(next).toHaveLength(1)
  expect(next[0]![0].target_id).not.toBe(busy![0].target_id)
})
