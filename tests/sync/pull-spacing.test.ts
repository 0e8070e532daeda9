import { expect, test, vi } from 'vitest'
import { writeMeta } from '../../src/db/database'
import { ensureIdentity } from '../../src/db/identity'
import { readOwnerSyncState } from '../../src/db/owner-sync-state'
import { createEngine } from '../../src/sync/engine'
import { pull } from '../../src/sync/pull'
import { applyEvent } from '../../src/sync/stream/apply-event'
import { entryOf, NOW, testContext, widgetNumber } from '../db/support/entries'
import { type Handler, json, wiredEnv } from './support/wire'

async function pulledBefore(ms: number) {
  const context = testContext()
  await ensureIdentity(context, new Uint8Array(24))
  const env = wiredEnv(context.db, { '/api/v1/widgets': () => json(200, []) })
  const engine = createEngine(env)
  await engine.sync('start')
  vi.mocked(env.now).mockReturnValue(NOW + ms)
  const pulls = () => env.asked.filter((request) => request === 'GET /api/v1/widgets').length
  return { engine, pulls }
}

test.each(['start', 'visible', 'online'] as const)('a sync for the reason "%s" pulls again', async (reason) => {
  const { engine, pulls } = await pulledBefore(1_000)
  await engine.sync(reason)
  expect(pulls()).toBe(2)
})

test.each(['tick', 'due', 'command', 'background', 'periodic'] as const)(
  'a sync for "%s" does not pull again',
  async (reason) => {
    const { engine, pulls } = await pulledBefore(1_000)
    await engine.sync(reason)
    expect(pulls()).toBe(1)
  },
)

test('a return to the tab pulls again although Background Sync has asked for the same run', async () => {
  const { engine, pulls } = await pulledBefore(1_000)
  await Promise.all([engine.sync('tick'), engine.sync('background'), engine.sync('visible')])
  expect(pulls()).toBe(2)
})

test('a return to the tab while a change is under way owes a pull, which the sync after the change makes', async () => {
  const context = testContext()
  const { db } = context
  const owner = await ensureIdentity(context, new Uint8Array(24))
  const env = wiredEnv(db, { '/api/v1/widgets': () => json(200, []) })
  await pull(env, 'visible')
  const underWay = { owner, state: 'leased', lease: 'mine' } as const
  await db.outbox.add(entryOf(1, 'widget.delete@1', { widget: widgetNumber(0).id }, underWay))
  await pull(env, 'visible')
  expect(env.asked).toHaveLength(1)
  expect(await readOwnerSyncState(db, owner)).toMatchObject({ needs_pull: true })
  await db.outbox.clear()
  await pull(env, 'due')
  expect(env.asked).toHaveLength(2)
})

test.each<[string, string]>([
  ['whose list', '/api/v1/widgets'],
  ['whose crossings', '/api/v1/alerts'],
])(
  'a pull that the stream has asked for, and %s cannot be loaded, comes again after a growing pause',
  async (_, path) => {
    const context = testContext()
    const { db } = context
    const owner = await ensureIdentity(context, new Uint8Array(24))
    let time = NOW
    let isAway = false
    const served: Record<string, Handler> = {
      '/api/v1/widgets': () => json(200, [widgetNumber(0, { high_threshold_active: false, high_epoch: 1 })]),
      '/api/v1/alerts': () => json(200, { as_of: new Date(time).toISOString(), alerts: [] }, { 'x-total-count': '0' }),
    }
    const whole = served[path]!
    const env = {
      ...wiredEnv(db, { ...served, [path]: (sent) => (isAway ? json(503, {}) : whole(sent)) }),
      now: () => time,
    }
    const engine = createEngine(env)
    await engine.sync('start')
    const followed = () => writeMeta(db, 'stream', { kind: 'live', owner, prices: true, since: NOW, heard_at: time })
    await followed()
    isAway = true
    await applyEvent(env, { owner, coins: [] }, { name: 'alert', data: { event_id: 'one' } })
    const waits: number[] = []
    for (let round = 0; round < 3; round++) {
      const due = (await engine.sync('due'))!
      waits.push(due - time)
      time = due
      await followed()
    }
    expect(waits).toEqual([2_000, 3_000, 6_000])
    isAway = false
    env.asked.length = 0
    await engine.sync('due')
    expect(env.asked).toEqual(
      expect.arrayContaining(['GET /api/v1/widgets', expect.stringContaining('/api/v1/alerts')]),
    )
    expect(await readOwnerSyncState(db, owner)).toMatchObject({ needs_pull: false })
  },
)
