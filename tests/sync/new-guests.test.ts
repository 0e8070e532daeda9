import { expect, test } from 'vitest'
import { owners } from '../../server/db/schema/users'
import { saveCheckpoint } from '../../src/db/commands/default-checkpoint'
import { HOUR, MINUTE } from '../../src/domain/granularity'
import { oneTab } from './support/one-tab'

const scene = oneTab()

test('what a guest makes while the server takes no new guests waits in the browser, and arrives when it does', async () => {
  const { server, addPair, board, syncFor, pairs, notices, context } = scene
  // Another guest begins the period, which then is full.
  await server.guest().add('bitcoin', 'ethereum')
  await server.database.pool.query(`UPDATE address_counts SET count = 2147483647 WHERE key LIKE 'new-guest %'`)
  for (const coin of ['ethereum', 'solana']) await addPair(coin)
  await saveCheckpoint(context(), (await board()).widgets[0]!.id, 9)
  await syncFor(30 * MINUTE)
  expect([await pairs(), (await board()).changes.length, await notices()]).toEqual([['ethereum', 'solana'], 3, []])
  expect(await server.database.orm.$count(owners)).toBe(1)

  await server.database.pool.query(`UPDATE address_counts SET ends_at = $1 WHERE key LIKE 'new-guest %'`, [
    server.clock() + 10 * MINUTE,
  ])
  await syncFor(HOUR)
  expect([await pairs(), (await board()).changes, await notices()]).toEqual([['ethereum', 'solana'], [], []])
  const stored = await server.guest(scene.browser.guest).list()
  expect(stored.map(({ coin_b_id, checkpoints }) => [coin_b_id, checkpoints.length])).toEqual([
    ['ethereum', 1],
    ['solana', 0],
  ])
})
