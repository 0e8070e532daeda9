import { randomUUID } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import type { Pool } from 'pg'
import { expect, test, vi } from 'vitest'
import { createChanges } from '../../server/db/changes'
import { sessions } from '../../server/db/schema/sessions'
import { createPriceBoard, priceFeed } from '../../server/services/live/price-feed'
import { startRelay } from '../../server/services/live/relay'
import { createWatches } from '../../server/services/live/live-stream'
import { createWire } from '../../server/services/live/wire'
import { accessTokenKey, signAccessToken } from '../../server/services/sessions/access-token'
import { withServer } from './support/for-file'
import { openStream } from './support/stream-client'
import { testApp } from './support/test-app'

const server = withServer()

/** A promise that the test resolves. */
function gate() {
  let open: () => void = () => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, opened }
}

test('a stream that a second device opens while its owner is being compared with the database goes on', async () => {
  let held: { readonly began: () => void; readonly until: Promise<void> } | null = null
  const { pool } = server.database
  /** Its next answer about the owners of streams is kept back. */
  const query = async (statement: string, values: unknown[]) => {
    const hold = statement.includes('asked.key') ? held : null
    if (hold !== null) held = null
    const answer = await pool.query(statement, values)
    hold?.began()
    await hold?.until
    return answer
  }
  const slow = new Proxy(pool, { get: (target, name) => (name === 'query' ? query : Reflect.get(target, name)) })
  const one = await testApp({ database: { ...server.database, pool: slow } })
  try {
    const at = await one.app.listen({ host: '127.0.0.1', port: 0 })
    const me = await one.user()
    const desk = await openStream(at, await me.identity())
    await desk.next('open')
    const now = one.clock()
    const sessionId = randomUUID()
    await one.database.orm
      .insert(sessions)
      .values({ id: sessionId, user_id: me.id, created_at: new Date(now), authenticated_at: new Date(now) })
    const token = await signAccessToken(accessTokenKey(one.env), { userId: me.id, sessionId, now, lifetime: 900 })

    const [began, release] = [gate(), gate()]
    held = { began: began.open, until: release.opened }
    const comparison = one.live.compare()
    await began.opened
    const phone = await openStream(at, { authorization: `Bearer ${token}` })
    await phone.next('open')
    release.open()
    await comparison
    one.database.changes.publish([{ kind: 'alert', owner: me.id, eventId: 'w:high:1' }])
    await Promise.all([desk.next('alert'), phone.next('alert')])
    expect([...desk.of('bye'), ...phone.of('bye')]).toEqual([])
    desk.close()
    phone.close()
  } finally {
    await one.app.close()
  }
})

test('prices that were being read as the last stream ended are read anew for the next stream', async () => {
  const reads: (() => void)[] = []
  const stored = () =>
    new Promise<ReadonlyMap<string, never>>((resolve) => reads.push(() => resolve(new Map<string, never>())))
  const board = createPriceBoard('simulated', server.clock)
  const feed = priceFeed({
    market: { ...server.market, stored },
    board,
    watches: createWatches(),
    wire: createWire({ policies: '', config: '' }),
  })
  const first = feed.refresh()
  feed.rest()
  reads[0]!()
  await first
  const next = feed.ready()
  expect(reads).toHaveLength(2)
  reads[1]!()
  await next
})

test.each([0, 1, 2, 3, 4, 5])('a change %i turns after the last word to other processes is told too', async (turns) => {
  const changes = createChanges()
  const told: string[] = []
  const query = (_statement: string, [, payloads]: readonly [string, readonly string[]]) => {
    told.push(...payloads)
    const done = Promise.resolve()
    void done.then(async () => {
      for (let turn = 0; turn < turns; turn++) await Promise.resolve()
      if (told.length === 1) changes.publish([{ kind: 'alert', owner: randomUUID(), eventId: 'second' }])
    })
    return done
  }
  const pool = { query } as unknown as Pool
  const separateConnection = () => expect.unreachable('a relay without streams does not listen')
  const relay = startRelay({ database: { pool, changes, separateConnection }, live: null })
  changes.publish([{ kind: 'alert', owner: randomUUID(), eventId: 'first' }])
  await vi.waitFor(() => expect(told.join()).toContain('second'), { timeout: 5_000, interval: 5 })
  await relay.stop()
})

test('an app closes although the reader of a stream has stopped reading', async () => {
  const one = await testApp({ database: server.database })
  const accepted: Socket[] = []
  one.app.server.on('connection', (socket) => accepted.push(socket))
  await one.app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = one.app.server.address() as { port: number }
  const me = one.guest()
  const reader = connect(port, '127.0.0.1')
  reader.on('error', () => undefined)
  const identity = Object.entries(await me.identity()).map(([name, value]) => `${name}: ${value}\r\n`)
  reader.write(`GET /api/v1/stream HTTP/1.1\r\nHost: localhost\r\n${identity.join('')}\r\n`)
  await vi.waitFor(() => expect(one.live.streams()).toBe(1), 30_000)
  const [socket] = accepted
  socket!.setMaxListeners(0)
  while (socket!.writableLength === 0) {
    socket!.write(`:${'x'.repeat(30_000)}\n\n`)
    await new Promise((resolve) => setImmediate(resolve))
  }
  await one.app.close()
  expect(socket!.destroyed).toBe(true)
  reader.destroy()
})
