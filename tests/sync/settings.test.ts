import { expect, test } from 'vitest'
import { readMeta } from '../../src/db/database'
import { syncSettings } from '../../src/sync/reference-data'
import { testContext } from '../db/support/entries'
import { json, SETTINGS, wiredEnv } from './support/wire'

test('settings that were loaded are stored, and the next sync does not ask for them again', async () => {
  const { db } = testContext()
  const limits = { max_widgets: 7, max_checkpoints_per_widget: 1 }
  const env = wiredEnv(db, {
    '/api/v1/config': () => json(200, SETTINGS),
    '/api/v1/settings/tier-limits': () => json(200, { free: limits, premium: limits }),
  })
  await syncSettings(env, 'start')
  await syncSettings(env, 'start')
  expect(env.asked).toHaveLength(2)
  expect((await readMeta(db, 'tier_limits'))!.limits.free.max_widgets).toBe(7)
})
