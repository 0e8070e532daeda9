import { expect, test } from 'vitest'
import { ensureIdentity } from '../../src/db/identity'
import { createEngine } from '../../src/sync/engine'
import { testContext } from '../db/support/entries'
import { json, wiredEnv } from './support/wire'

const BROKEN = 'The owners’ table cannot be written.'

test('a sync of which one part fails says when something is due: the part after a backoff, or another part before that', async () => {
  const context = testContext()
  const { db } = context
  await ensureIdentity(context, new Uint8Array(24))
  let broken = true
  const refuse = () => {
    if (broken) throw new Error(BROKEN)
  }
  db.owners.hook('creating', refuse)
  db.owners.hook('updating', refuse)
  let time = context.now()
  const env = { ...wiredEnv(db, { '/api/v1/widgets': () => json(200, []) }), now: () => time }
  const engine = createEngine(env)

  const waits: number[] = []
  for (let round = 0; round < 4; round++) {
    const failure: unknown = await engine.sync('tick').catch((error: unknown) => error)
    expect(failure).toMatchObject({ message: expect.stringContaining(BROKEN) as string })
    waits.push((failure as { readonly nextDueAt: number }).nextDueAt - time)
    time += 75_000
  }
  // Settings, which were never loaded, are due 10 s after each attempt; by the fourth failure that is sooner.
  expect(waits).toEqual([2_000, 3_000, 6_000, 10_000])

  broken = false
  expect(await engine.sync('tick')).toBe(time + 10_000)
  broken = true
  time += 75_000
  const again: unknown = await engine.sync('tick').catch((error: unknown) => error)
  expect(again).toMatchObject({ nextDueAt: time + 2_000 })
})
