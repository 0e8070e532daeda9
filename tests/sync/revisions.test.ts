import { beforeEach, describe, expect, test, vi } from 'vitest'
import { ensureIdentity } from '../../src/db/identity'
import { revisionAfter } from '../../src/db/held-revisions'
import { changeOwnerSyncState, readOwnerSyncState } from '../../src/db/owner-sync-state'
import { updateWidget } from '../../src/db/commands/widgets'
import type { CommandContext } from '../../src/db/command'
import { writeMeta } from '../../src/db/database'
import type { OwnerRow } from '../../src/db/rows'
import { readBoard } from '../../src/db/board-rows'
import { HOUR, MINUTE } from '../../src/domain/granularity'
import type { OwnerId } from '../../src/domain/ids'
import { createEngine, type Engine } from '../../src/sync/engine'
import { NOW, testContext, widgetNumber } from '../db/support/entries'
import { json, wiredEnv } from './support/wire'

/** A server whose list has a revision, which every change raises; a server of an earlier version names none. */
let server: { revision: number; names: boolean; failing: boolean; onList: () => Promise<void>; replays: boolean }
let context: CommandContext
let env: ReturnType<typeof wiredEnv>
let engine: Engine
let owner: OwnerId
let lists: (string | null)[]

beforeEach(async () => {
  server = { revision: 1, names: true, failing: false, onList: async () => undefined, replays: false }
  lists = []
  context = { ...testContext(), now: () => env.now() }
  owner = await ensureIdentity({ ...context, now: () => NOW }, new Uint8Array(24))
  let widget = widgetNumber(0)
  const named = (headers: Record<string, string>) => (server.names ? headers : {})
  env = wiredEnv(context.db, {
    '/api/v1/widgets': async ({ init }) => {
      const { revision } = server
      const known = new Headers(init.headers).get('if-none-match')
      lists.push(known)
      const answer = server.failing
        ? json(500, {})
        : known === `W/"${revision}"`
          ? new Response(null, { status: 304 })
          : json(200, [widget], named({ 'x-widgets-revision': `${revision}`, etag: `W/"${revision}"` }))
      await server.onList()
      return answer
    },
    [`/api/v1/widgets/${widget.id}`]: ({ init }) => {
      widget = { ...widget, ...(JSON.parse(init.body as string) as object) }
      const before = server.revision++
      const replayed = server.replays ? { 'idempotent-replayed': 'true' } : {}
      return json(200, widget, { ...named({ 'x-widgets-revision': `${before} ${server.revision}` }), ...replayed })
    },
  })
  engine = createEngine(env)
})

const state = (): Promise<OwnerRow> => readOwnerSyncState(context.db, owner)
const later = (ms: number) => vi.mocked(env.now).mockReturnValue(env.now() + ms)
/** The stream names the revision, as it does after every change. */
const tell = (told_revision: number) => changeOwnerSyncState(context.db, owner, { told_revision })
const streamIsLive = () =>
  writeMeta(context.db, 'stream', { kind: 'live', owner, prices: true, since: NOW, heard_at: env.now() })
const setHigh = async (high: number) => {
  const { widgets } = (await readBoard(context.db))!
  await updateWidget(context, widgets[0]!.id, { alerts: { high: { threshold: high } } })
}

describe('a client and the revision of its list', () => {
  test('the second pull asks by the revision of the first, and "unchanged" keeps the rows and counts as a pull', async () => {
    await engine.sync('start')
    later(5_000)
    await engine.sync('visible')
    expect(lists).toEqual([null, 'W/"1"'])
    expect(await state()).toMatchObject({ list_revision: 1, pulled_at: NOW + 5_000, whole_pull_at: NOW })
    expect((await readBoard(context.db))!.widgets).toHaveLength(1)
  })

  test('a client’s own changes in a row move its revision on, and their echo on the stream causes no pull', async () => {
    await engine.sync('start')
    await streamIsLive()
    for (const high of [2, 3]) {
      await setHigh(high)
      await engine.sync('command')
      await tell(server.revision)
      await engine.sync('command')
    }
    // The echo comes before the answer.
    await setHigh(4)
    await tell(4)
    await engine.sync('command')
    expect(await state()).toMatchObject({ list_revision: 4 })
    expect(lists).toEqual([null])
  })

  test('another device’s change between two of the client’s own is pulled once the stream names a revision', async () => {
    await engine.sync('start')
    await streamIsLive()
    server.revision = 7
    await setHigh(2)
    await engine.sync('command')
    expect(await state()).toMatchObject({ list_revision: 1 })
    await tell(8)
    await engine.sync('command')
    expect(lists).toEqual([null, 'W/"1"'])
    expect(await state()).toMatchObject({ list_revision: 8, told_revision: null })
  })

  test('a lower revision than the one held, as after a restored backup, is pulled too', async () => {
    server.revision = 9
    await engine.sync('start')
    await streamIsLive()
    server.revision = 4
    await tell(4)
    await engine.sync('command')
    expect(lists).toEqual([null, 'W/"9"'])
    expect(await state()).toMatchObject({ list_revision: 4 })
  })

  test('a repeated answer does not move the revision on', async () => {
    await engine.sync('start')
    server.replays = true
    await setHigh(2)
    await engine.sync('command')
    expect(await state()).toMatchObject({ list_revision: 1 })
  })

  test('a revision named while a pull was under way is pulled in the same sync', async () => {
    await engine.sync('start')
    await streamIsLive()
    server.revision = 2
    await tell(2)
    server.onList = async () => {
      server.onList = async () => undefined
      server.revision = 3
      await tell(3)
    }
    await engine.sync('command')
    expect(lists).toEqual([null, 'W/"1"', 'W/"2"'])
    expect(await state()).toMatchObject({ list_revision: 3, told_revision: null })
  })

  test('a named revision that a pull has gone past is not asked for again', async () => {
    await engine.sync('start')
    await streamIsLive()
    await tell(2)
    server.revision = 3
    await engine.sync('command')
    await engine.sync('command')
    expect(lists).toEqual([null, 'W/"1"'])
    expect(await state()).toMatchObject({ list_revision: 3, told_revision: null })
  })

  test('beside a stream a pull that failed is tried again at the next sync, whatever its reason', async () => {
    await engine.sync('start')
    await streamIsLive()
    server.failing = true
    await engine.sync('visible')
    server.failing = false
    await engine.sync('tick')
    await engine.sync('tick')
    expect(lists).toHaveLength(3)
  })

  test('beside a stream the list is asked for whatever its revision once an hour, and not in between', async () => {
    await engine.sync('start')
    for (let minutes = 1; minutes <= 120; minutes++) {
      later(MINUTE)
      await streamIsLive()
      await engine.sync('tick')
    }
    expect(lists).toEqual([null, null, null])
  })

  test('without a stream the list is asked for by its revision every minute, and whatever its revision once an hour', async () => {
    await engine.sync('start')
    for (let minutes = 1; minutes <= 120; minutes++) {
      later(MINUTE)
      await engine.sync('tick')
    }
    expect(lists).toHaveLength(121)
    expect(lists.filter((known) => known === null)).toHaveLength(3)
  })

  test('a pull that an answer asks for brings the rows whatever their revision', async () => {
    await engine.sync('start')
    await changeOwnerSyncState(context.db, owner, { needs_pull: true })
    await engine.sync('command')
    expect(lists).toEqual([null, null])
  })

  test('a server of an earlier version, which names no revision, is pulled as before', async () => {
    server.names = false
    await engine.sync('start')
    await setHigh(2)
    await engine.sync('command')
    later(HOUR)
    await engine.sync('tick')
    expect(lists).toEqual([null, null])
    expect(await state()).toMatchObject({ list_revision: null })
  })
})

describe('revision after an answered change', () => {
  test.each([
    ['the next step', 1, [], [1, 2], 2, []],
    ['a step ahead of an earlier one', 1, [], [2, 3], 1, [[2, 3]]],
    ['the earlier step, with later ones waiting', 1, [[3, 4], [2, 3]], [1, 2], 4, []], // oxfmt-ignore
    ['a step that another device’s change separates', 1, [[2, 3]], [5, 6], 1, [[2, 3], [5, 6]]], // oxfmt-ignore
    ['a change that changed nothing', 2, [], [2, 2], 2, []],
  ] as const)('%s', (_, held, waiting, step, revision, steps) => {
    expect(revisionAfter({ list_revision: held, list_steps: waiting }, step)).toEqual({
      list_revision: revision,
      list_steps: steps,
      told_revision: null,
    })
  })

  test.each([
    [2, null],
    [3, null],
    [4, 4],
  ])('a named revision %i that the steps from 1 to 3 reach is done with, another stays: %s', (told, left) => {
    const known = { list_revision: 1, list_steps: [[2, 3] as const], told_revision: told }
    expect(revisionAfter(known, [1, 2])).toEqual({ list_revision: 3, list_steps: [], told_revision: left })
  })

  test('without a known revision nothing is remembered', () => {
    expect(revisionAfter({ list_revision: null }, [1, 2])).toEqual({})
    expect(revisionAfter({ list_revision: 1 }, null)).toEqual({})
  })
})
