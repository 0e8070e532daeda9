import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { openDatabase, type Database } from '../../server/db/open'
import { owner_revisions } from '../../server/db/schema/users'
import { startRelay } from '../../server/services/live/relay'
import { databaseOnServer } from './support/database-on-server'
import { testProgramFiles } from './support/program-files'
import { openStream, type StreamClient } from './support/stream-client'
import { testApp, type TestApp } from './support/test-app'
import { asTestDatabase } from './support/test-database'

/** Two processes on one PostgreSQL: each with a pool, an app and a relay of its own. */
const url = process.env['TEST_DATABASE_URL'] ?? ''

interface Process {
  readonly database: Database
  readonly server: TestApp
  readonly relay: ReturnType<typeof startRelay>
  readonly base: string
}

let here: Process
let there: Process
let drop: () => Promise<void>
const open: StreamClient[] = []

async function start(address: string): Promise<Process> {
  const database = await openDatabase({ DATABASE_URL: address, DATA_DIR: '' }, testProgramFiles())
  const server = await testApp({ database: asTestDatabase(database) })
  const relay = startRelay({ database, live: server.live })
  return { database, server, relay, base: await server.app.listen({ host: '127.0.0.1', port: 0 }) }
}

beforeAll(async () => {
  if (url === '') return
  const made = await databaseOnServer(url, inject('templateDatabase'))
  drop = made.drop
  here = await start(made.url)
  there = await start(made.url)
  await vi.waitFor(async () => expect(await listeners()).toHaveLength(2), 30_000)
})
afterAll(async () => {
  if (url === '') return
  for (const stream of open) stream.close()
  for (const { relay, server, database } of [here, there]) {
    await relay.stop()
    await server.close()
    await database.close()
  }
  await drop()
})

/** Process ids of PostgreSQL that serve the relays. */
async function listeners(): Promise<number[]> {
  const { rows } = await here.database.pool.query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'streams' AND state = 'idle'`,
  )
  return rows.map(({ pid }) => pid)
}

/** A change that is committed in a process, with or without its hint. */
async function change({ database }: Process, owner: string, revision: number, hint = true): Promise<void> {
  await database.orm
    .insert(owner_revisions)
    .values({ owner_id: owner, widgets: revision, account: revision })
    .onConflictDoUpdate({ target: owner_revisions.owner_id, set: { widgets: revision, account: revision } })
  if (hint) database.changes.publish([{ kind: 'widgets', owner, revision }])
}

const testOnServer = test.skipIf(url === '')

/** A user whose stream, at the other process, has begun. */
async function watcherOfThere() {
  const me = await here.server.user()
  const live = await openStream(there.base, await me.identity())
  open.push(live)
  await live.next('widgets')
  return { me, live }
}

testOnServer('a change in one process reaches the streams of another, and prices that were stored there', async () => {
  const me = await here.server.user()
  const live = await openStream(there.base, await me.identity(), { coins: 'bitcoin' })
  open.push(live)
  await live.next('prices')
  await change(here, me.id, 1_700_000_000_001)
  expect(await live.next('widgets', 2)).toEqual({ revision: 1_700_000_000_001 })
  here.database.changes.publish([{ kind: 'alert', owner: me.id, eventId: 'one:high:2' }])
  expect(await live.next('alert')).toEqual({ event_id: 'one:high:2' })
  here.database.changes.publish([{ kind: 'closes', coin: 'bitcoin' }])
  expect((await live.next('closes')).version).not.toBe('')
  there.server.market.usd.set('bitcoin', 4321)
  here.database.changes.publish([{ kind: 'prices' }])
  expect((await live.next('prices', 2)).prices['bitcoin']?.[0]).toBe(4321)
})

testOnServer(
  'a burst of changes is told in notifications of the size that PostgreSQL takes, each change once',
  async () => {
    const { me, live } = await watcherOfThere()
    const many = Array.from(
      { length: 500 },
      (_, i) => ({ kind: 'alert', owner: me.id, eventId: `${'w'.repeat(60)}:${i}` }) as const,
    )
    here.database.changes.publish(many)
    await live.next('alert', 500)
    await change(here, me.id, 1_700_000_000_002)
    await live.next('widgets', 2)
    expect(live.of('alert').map(({ event_id }) => event_id)).toEqual(many.map(({ eventId }) => eventId))
  },
)

testOnServer('a change made while the listening connections are cut is found once they are healed', async () => {
  const { me, live } = await watcherOfThere()
  const before = await listeners()
  await here.database.pool.query('SELECT pg_terminate_backend(pid) FROM unnest($1::int[]) AS pid', [before])
  await change(here, me.id, 1_700_000_000_003, false)
  await vi.waitFor(async () => expect((await listeners()).filter((pid) => !before.includes(pid))).toHaveLength(2), {
    timeout: 30_000,
  })
  expect(await live.next('widgets', 2)).toEqual({ revision: 1_700_000_000_003 })
  // Healed: the next hint comes by itself.
  await change(here, me.id, 1_700_000_000_004)
  expect(await live.next('widgets', 3)).toEqual({ revision: 1_700_000_000_004 })
})

testOnServer(
  'a relay without streams, as of a process that runs jobs alone, tells others and does not listen',
  async () => {
    const { me, live } = await watcherOfThere()
    const before = (await listeners()).length
    const worker = startRelay({ database: here.database, live: null })
    here.database.changes.publish([{ kind: 'alert', owner: me.id, eventId: 'two:low:1' }])
    await worker.stop()
    await live.next('alert')
    expect((await listeners()).length).toBe(before)
  },
)
