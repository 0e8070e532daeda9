import { expect, test } from 'vitest'
import { ensureIdentity } from '../../src/db/identity'
import { readMeta, writeMeta } from '../../src/db/database'
import { writeTransaction } from '../../src/db/write-transaction'
import { HOUR } from '../../src/domain/granularity'
import { syncSettings } from '../../src/sync/reference-data'
import { testContext } from '../db/support/entries'
import { json, SETTINGS, wiredEnv } from './support/wire'

const limits = { max_widgets: 7, max_checkpoints_per_widget: 1 }
const ANSWERS = {
  '/api/v1/config': () => json(200, SETTINGS),
  '/api/v1/settings/tier-limits': () => json(200, { free: limits, premium: limits }),
}

test('settings that were loaded are stored, and the next sync does not ask for them again', async () => {
  const { db } = testContext()
  const env = wiredEnv(db, ANSWERS)
  await syncSettings(env, 'start')
  await syncSettings(env, 'start')
  expect(env.asked).toHaveLength(2)
  expect((await readMeta(db, 'tier_limits'))!.limits.free.max_widgets).toBe(7)
})

test('beside a live stream settings that it names no change of are asked for again after six hours', async () => {
  const context = testContext()
  const { db } = context
  const env = wiredEnv(db, ANSWERS)
  const begun = env.now()
  const owner = await ensureIdentity({ ...context, now: () => begun }, new Uint8Array(24))
  await syncSettings(env, 'tick')
  for (const hours of [5, 6]) {
    const now = begun + hours * HOUR
    const stream = { kind: 'live', owner, prices: true, since: begun, heard_at: now } as const
    await writeTransaction(db, [db.meta], () => writeMeta(db, 'stream', stream))
    await syncSettings({ ...env, now: () => now }, 'tick')
    expect(env.asked).toHaveLength(hours === 5 ? 2 : 4)
  }
})
