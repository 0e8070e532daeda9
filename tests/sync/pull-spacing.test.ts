import { expect, test, vi } from 'vitest'
import { ensureIdentity } from '../../src/db/identity'
import { readOwnerSyncState } from '../../src/db/owner-sync-state'
import { createEngine } from '../../src/sync/engine'
import { pull } from '../../src/sync/pull'
import { entryOf, NOW, testContext, widgetNumber } from '../db/support/entries'
import { json, wiredEnv } from './support/wire'

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
